import type { JsonObject } from '../messages/base.ts';
import { isEqual } from './equal.ts';
import { show } from './pointer.ts';
import type { JsonSchema } from './port.ts';
import { isSchemaObject } from './references.ts';

/** A check of our own inside a schema for typebox. */
interface Refinement {
  readonly check: (value: unknown) => boolean;
  /** The keyword it stands for and what to say, parted by a line feed; for keywords about members, their names as JSON. */
  readonly error: (value: unknown) => string;
}

/** Up to this many members of an `enum` are compared one by one, as typebox does. */
const FEW = 16;

/**
 * typebox compares lists and objects as if a list were an object with a length, so these are compared here. Many plain
 * values are looked up: compared one by one, a long `enum` for the items of a long list takes minutes.
 */
export function choice(out: JsonObject, keyword: 'const' | 'enum', allowed: readonly unknown[]): void {
  const plain = allowed.every((value) => typeof value !== 'object' || value === null);
  if (plain && allowed.length <= FEW) {
    out[keyword] = keyword === 'enum' ? allowed : allowed[0];
    return;
  }
  const listed = allowed.slice(0, 20).map(show).join(', ');
  const text =
    keyword === 'const' ? `must be ${listed}` : `must be one of ${listed}${allowed.length > 20 ? ', …' : ''}`;
  const known = new Set(allowed);
  refine(
    out,
    keyword,
    text,
    plain ? (value) => known.has(value) : (value) => allowed.some((one) => isEqual(one, value)),
  );
}

/** `uniqueItems`, for which typebox goes by hashes and lists the duplicates in time that grows with their square. */
export function unique(out: JsonObject): void {
  refine(out, 'uniqueItems', 'must not have duplicate items', (value) => !Array.isArray(value) || areUnique(value));
}

function areUnique(items: readonly unknown[]): boolean {
  const known = new Set<unknown>();
  const texts = new Set<string>();
  for (const item of items) {
    const before = known.size + texts.size;
    if (typeof item === 'object' && item !== null) texts.add(textOf(item));
    else known.add(item);
    if (known.size + texts.size === before) return false;
  }
  return true;
}

/** Text that is the same for equal values (core §4.2.2): members in the order of their names. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  const members = value as { readonly [name: string]: unknown };
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(members[name])}`).join()}}`;
}

/** Adds a check of our own to a schema in the making. */
export function refine(out: JsonObject, keyword: string, text: string, check: (value: unknown) => boolean): void {
  const refinement: Refinement = { check, error: () => `${keyword}\n${text}` };
  list(out, '~refine').push(refinement);
}

/** `additionalProperties: false`, for which typebox, where it interprets, makes a regular expression in every check. */
export function closed(out: JsonObject, names: readonly string[]): void {
  const known = new Set(names);
  const refinement: Refinement = {
    check: (value) => {
      if (!isSchemaObject(value)) return true;
      for (const name in value) if (!known.has(name)) return false;
      return true;
    },
    error: (value) =>
      `additionalProperties\n${JSON.stringify(Object.keys(value as object).filter((name) => !known.has(name)))}`,
  };
  list(out, '~refine').push(refinement);
}

/** The list that a keyword of a schema in the making holds. */
export function list(out: JsonObject, keyword: string): unknown[] {
  const known = out[keyword];
  if (Array.isArray(known)) return known;
  const fresh: unknown[] = [];
  out[keyword] = fresh;
  return fresh;
}

/** The map that a keyword of a schema in the making holds. */
export function member(out: JsonObject, keyword: string): JsonObject {
  const known = out[keyword];
  if (isSchemaObject(known)) return known;
  const fresh = Object.create(null) as JsonObject;
  out[keyword] = fresh;
  return fresh;
}

/** Puts a subschema into a map, beside one that may be there already. */
export function merge(map: JsonObject, name: string, subschema: JsonSchema): void {
  map[name] = Object.hasOwn(map, name) ? { allOf: [map[name], subschema] } : subschema;
}

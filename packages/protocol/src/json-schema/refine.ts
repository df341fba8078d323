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

/** typebox compares lists and objects as if a list were an object with a length, so these are compared here. */
export function choice(out: JsonObject, keyword: 'const' | 'enum', allowed: readonly unknown[]): void {
  if (allowed.every((value) => typeof value !== 'object' || value === null)) {
    out[keyword] = keyword === 'enum' ? allowed : allowed[0];
    return;
  }
  const listed = allowed.slice(0, 20).map(show).join(', ');
  const text =
    keyword === 'const' ? `must be ${listed}` : `must be one of ${listed}${allowed.length > 20 ? ', …' : ''}`;
  refine(out, keyword, text, (value) => allowed.some((one) => isEqual(one, value)));
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

import type { JsonObject } from '@dragoman/protocol';
import { isObject, isSchema, type Schema, type SchemaDocument } from './schema-document.ts';
import type { Step } from './token.ts';

/** The types of JSON values, with `integer` told apart (JSON Schema 2020-12, validation §6.1.1). */
export type JsonType = 'boolean' | 'integer' | 'number' | 'array' | 'object' | 'string' | 'null';

const TYPES: ReadonlySet<string> = new Set(['boolean', 'integer', 'number', 'array', 'object', 'string', 'null']);

/** What a schema says of the values it takes, as far as it matters for reading one from text. */
export interface Expectation {
  /** In the order of the schema; undefined where it takes any. */
  readonly types?: readonly JsonType[] | undefined;
  /** The only values, where `const` or `enum` names them. */
  readonly values?: readonly unknown[] | undefined;
  readonly fallback?: { readonly value: unknown } | undefined;
}

/** What a schema expects, through references, `allOf`, `anyOf` and `oneOf`. */
export function expectationOf(document: SchemaDocument, schema: Schema): Expectation {
  return new Visit(document).expectation(schema);
}

/** The schema of a part of what a schema describes; undefined where the schema says nothing of it. */
export function partOf(document: SchemaDocument, schema: Schema, step: Step): Schema | undefined {
  return merge('allOf', new Visit(document).part(schema, step));
}

/** The names that an object's schema knows, in its order, and those that it demands. */
export function membersOf(document: SchemaDocument, schema: Schema): { names: string[]; required: Set<string> } {
  const names = new Set<string>();
  const required = new Set<string>();
  new Visit(document).members(schema, names, required, true);
  return { names: [...names], required };
}

const merge = (keyword: 'allOf' | 'anyOf', schemas: readonly Schema[]): Schema | undefined =>
  schemas.length < 2 ? schemas[0] : { [keyword]: schemas };

/** One question to a schema, with a bound on how much of it is looked at and a guard against circles. */
class Visit {
  readonly #document: SchemaDocument;
  readonly #open = new Set<object>();
  #left = 20_000;

  constructor(document: SchemaDocument) {
    this.#document = document;
  }

  #enter<T>(schema: Schema, otherwise: T, look: (schema: JsonObject) => T): T {
    if (typeof schema === 'boolean' || this.#open.has(schema) || this.#left <= 0) return otherwise;
    this.#left -= 1;
    this.#open.add(schema);
    const out = look(schema);
    this.#open.delete(schema);
    return out;
  }

  expectation(schema: Schema): Expectation {
    return this.#enter<Expectation>(schema, {}, (own) => {
      let out: Expectation = ownExpectation(own);
      for (const other of this.#conjuncts(own)) out = both(out, this.expectation(other));
      for (const branches of choices(own)) out = both(out, either(branches.map((branch) => this.expectation(branch))));
      return out;
    });
  }

  part(schema: Schema, step: Step): Schema[] {
    return this.#enter<Schema[]>(schema, [], (own) => {
      const out = 'name' in step ? propertyOf(own, step.name) : itemOf(own, 'index' in step ? step.index : undefined);
      for (const other of this.#conjuncts(own)) out.push(...this.part(other, step));
      const conditional = [
        own.then,
        own.else,
        ...(isObject(own.dependentSchemas) ? Object.values(own.dependentSchemas) : []),
      ];
      for (const branches of [...choices(own), conditional.filter(isSchema)]) {
        const parts = branches
          .map((branch) => merge('allOf', this.part(branch, step)))
          .filter((part) => part !== undefined);
        const together = merge('anyOf', parts);
        if (together !== undefined) out.push(together);
      }
      return out;
    });
  }

  members(schema: Schema, names: Set<string>, required: Set<string>, certain: boolean): void {
    this.#enter<void>(schema, undefined, (own) => {
      if (isObject(own.properties)) for (const name of Object.keys(own.properties)) names.add(name);
      if (certain && Array.isArray(own.required)) {
        for (const name of own.required) if (typeof name === 'string') required.add(name);
      }
      for (const other of this.#conjuncts(own)) this.members(other, names, required, certain);
      for (const branches of choices(own)) for (const branch of branches) this.members(branch, names, required, false);
      for (const branch of [own.then, own.else]) if (isSchema(branch)) this.members(branch, names, required, false);
    });
  }

  /** The schemas that hold besides a schema's own keywords. */
  #conjuncts(schema: JsonObject): Schema[] {
    const all = Array.isArray(schema.allOf) ? schema.allOf.filter(isSchema) : [];
    return [...this.#document.targets(schema), ...all];
  }
}

function choices(schema: JsonObject): Schema[][] {
  return [schema.anyOf, schema.oneOf].filter(Array.isArray).map((branches) => branches.filter(isSchema));
}

function ownExpectation(schema: JsonObject): Expectation {
  const listed = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? undefined : [schema.type];
  const types = listed?.filter((type): type is JsonType => TYPES.has(type as string));
  const values = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  return {
    types: types ?? (values === undefined ? undefined : [...new Set(values.map(typeOf))]),
    values,
    fallback: 'default' in schema ? { value: schema.default } : undefined,
  };
}

/** The type of a value; a number without a fraction is an integer. */
export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}

function both(a: Expectation, b: Expectation): Expectation {
  return {
    types: common(a.types, b.types),
    values:
      a.values === undefined
        ? b.values
        : b.values === undefined
          ? a.values
          : a.values.filter((v) => holds(b.values!, v)),
    fallback: a.fallback ?? b.fallback,
  };
}

function common(
  a: readonly JsonType[] | undefined,
  b: readonly JsonType[] | undefined,
): readonly JsonType[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const out: JsonType[] = [];
  for (const type of a) {
    if (b.includes(type) || (type === 'integer' && b.includes('number'))) out.push(type);
    else if (type === 'number' && b.includes('integer')) out.push('integer');
  }
  return out;
}

function either(branches: readonly Expectation[]): Expectation {
  const types = branches.every((branch) => branch.types !== undefined)
    ? [...new Set(branches.flatMap((branch) => branch.types!))]
    : undefined;
  const values = branches.every((branch) => branch.values !== undefined)
    ? branches.flatMap((branch) => branch.values!)
    : undefined;
  return { types, values, fallback: branches.find((branch) => branch.fallback !== undefined)?.fallback };
}

const holds = (values: readonly unknown[], value: unknown): boolean =>
  values.some((other) => JSON.stringify(other) === JSON.stringify(value));

function propertyOf(schema: JsonObject, name: string): Schema[] {
  const out: Schema[] = [];
  if (isObject(schema.properties) && Object.hasOwn(schema.properties, name)) {
    const property = schema.properties[name];
    if (isSchema(property)) out.push(property);
  }
  if (isObject(schema.patternProperties)) {
    for (const [pattern, property] of Object.entries(schema.patternProperties)) {
      if (isSchema(property) && matches(pattern, name)) out.push(property);
    }
  }
  if (out.length === 0 && isObject(schema.additionalProperties)) out.push(schema.additionalProperties);
  return out;
}

/** Whether a name matches a pattern. One with repeated groups is not tried: it comes from a peer and could run for ever. */
function matches(pattern: string, name: string): boolean {
  if (pattern.length > 200 || name.length > 200 || /\)\s*[*+{]/.test(pattern)) return false;
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}

function itemOf(schema: JsonObject, index: number | undefined): Schema[] {
  const listed = Array.isArray(schema.prefixItems)
    ? schema.prefixItems
    : Array.isArray(schema.items)
      ? schema.items
      : [];
  const own = index === undefined ? undefined : listed[index];
  if (isSchema(own)) return [own];
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  return isSchema(rest) ? [rest] : [];
}

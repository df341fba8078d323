import type { JsonObject } from '@dragoman/protocol';

/** A schema: an object with keywords, or a boolean. */
export type Schema = JsonObject | boolean;

/** Schemas visited while one question is answered. A hostile schema could ask for exponentially many. */
const VISITS = 20_000;

const BASE = 'schema:///';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isObject(value);

/**
 * A schema with its same-document references: `$ref` by pointer, `$anchor` or embedded `$id`, and `$dynamicRef`
 * (JSON Schema 2020-12, core §8.2). Nothing is ever fetched; a reference that leads outside leads nowhere.
 */
export class SchemaDocument {
  readonly root: Schema;
  readonly #bases = new WeakMap<object, string>();
  readonly #byUri = new Map<string, Schema>();
  readonly #dynamic = new Map<string, Schema>();

  constructor(root: Schema) {
    this.root = root;
    this.#byUri.set(BASE, root);
    this.#index(root, BASE, { left: VISITS });
  }

  #index(value: unknown, base: string, budget: { left: number }): void {
    if (budget.left <= 0 || typeof value !== 'object' || value === null) return;
    budget.left -= 1;
    if (Array.isArray(value)) {
      for (const item of value) this.#index(item, base, budget);
      return;
    }
    const schema = value as JsonObject;
    let own = base;
    if (typeof schema.$id === 'string') {
      own = resolveUri(schema.$id, base) ?? base;
      if (!this.#byUri.has(own)) this.#byUri.set(own, schema);
    }
    this.#bases.set(schema, own);
    if (typeof schema.$anchor === 'string') this.#byUri.set(`${own}#${schema.$anchor}`, schema);
    if (typeof schema.$dynamicAnchor === 'string') {
      this.#byUri.set(`${own}#${schema.$dynamicAnchor}`, schema);
      // The outermost resource that defines it wins (core §8.2.3.2); the walk begins there.
      if (!this.#dynamic.has(schema.$dynamicAnchor)) this.#dynamic.set(schema.$dynamicAnchor, schema);
    }
    for (const key of Object.keys(schema)) {
      if (key === 'const' || key === 'enum' || key === 'default' || key === 'examples') continue;
      this.#index(schema[key], own, budget);
    }
  }

  /** What a schema's own `$ref` and `$dynamicRef` lead to within the document. */
  targets(schema: JsonObject): Schema[] {
    const out: Schema[] = [];
    const base = this.#bases.get(schema) ?? BASE;
    if (typeof schema.$ref === 'string') {
      const target = this.#lookUp(schema.$ref, base);
      if (target !== undefined) out.push(target);
    }
    if (typeof schema.$dynamicRef === 'string') {
      const anchor = schema.$dynamicRef.replace(/^[^#]*#/, '');
      const target = this.#dynamic.get(anchor) ?? this.#lookUp(schema.$dynamicRef, base);
      if (target !== undefined) out.push(target);
    }
    return out;
  }

  #lookUp(reference: string, base: string): Schema | undefined {
    const uri = resolveUri(reference, base);
    if (uri === undefined) return undefined;
    const hash = uri.indexOf('#');
    const resource = this.#byUri.get(hash < 0 ? uri : uri.slice(0, hash));
    const fragment = hash < 0 ? '' : uri.slice(hash + 1);
    if (resource === undefined || fragment === '') return resource;
    if (!fragment.startsWith('/')) return this.#byUri.get(`${uri.slice(0, hash)}#${fragment}`);
    const found = byPointer(resource, fragment);
    return isSchema(found) ? found : undefined;
  }
}

function resolveUri(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href.replace(/#$/, '');
  } catch {
    return undefined;
  }
}

function byPointer(root: unknown, fragment: string): unknown {
  let value = root;
  for (const part of fragment.slice(1).split('/')) {
    let key: string;
    try {
      key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    } catch {
      return undefined;
    }
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

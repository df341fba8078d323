import type { JsonObject } from '../messages/base.ts';
import type { JsonSchema } from './port.ts';
import { findReference, indexSchema, isSchemaObject, type SchemaIndex } from './references.ts';

const indexes = new WeakMap<object, SchemaIndex>();

/**
 * The schema that a `$ref` leads to: a JSON pointer, an anchor or an identifier, within the same document; relative
 * identifiers are read from where `schema`, the holder of the reference, stands. A `$dynamicRef` is followed to where it
 * leads without a dynamic scope. Follows one reference and inlines nothing, so recursive schemas are safe to ask about.
 *
 * Returns undefined for what the document does not hold: nothing is ever fetched (basic, "Reference Resolution").
 * A document must not be changed after it was first asked about.
 */
export function resolveRef(schema: JsonSchema, root: JsonSchema, ref: string): JsonSchema | undefined {
  if (!isSchemaObject(root)) return undefined;
  let index = indexes.get(root);
  if (index === undefined) {
    index = indexSchema(root);
    indexes.set(root, index);
  }
  const place = (isSchemaObject(schema) ? index.places.get(schema) : undefined) ?? index.places.get(root);
  if (place === undefined) return undefined;
  const found = findReference(index, place, ref);
  return 'missing' in found ? undefined : found.schema;
}

/**
 * Follows `$ref` and `$dynamicRef` from a schema until one without them, for whoever has to look at its keywords (a form,
 * an argument parser). Keywords beside a reference are kept and go before those of its target. Only the schema itself is
 * resolved, never what is inside it.
 *
 * Returns undefined if a reference leads outside the document, nowhere, or in a circle.
 */
export function dereference(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  let at = schema;
  let beside: JsonObject | undefined;
  const visited = new Set<JsonSchema>();
  while (isSchemaObject(at)) {
    const ref = at.$ref ?? at.$dynamicRef ?? at.$recursiveRef;
    if (typeof ref !== 'string') return beside === undefined ? at : { ...at, ...beside };
    if (visited.has(at)) return undefined;
    visited.add(at);
    const { $ref, $dynamicRef, $recursiveRef, ...rest } = at;
    if (Object.keys(rest).length > 0) beside = { ...rest, ...beside };
    const target = resolveRef(at, root, ref);
    if (target === undefined) return undefined;
    at = target;
  }
  return at === true && beside !== undefined ? beside : at;
}

import { DragomanError } from '../errors.ts';
import type { JsonObject } from '../messages/base.ts';
import { escapeToken, show } from './pointer.ts';
import type { CompleteLimits } from './port.ts';

/** Why a schema cannot be used; `details.reason` of an `INVALID_SCHEMA` error. */
export type SchemaFault = 'malformed' | 'dialect' | 'reference' | 'cycle' | 'pattern' | 'limit';

/** An `INVALID_SCHEMA` error that says where. */
export function schemaError(
  reason: SchemaFault,
  pointer: string,
  text: string,
  more?: { readonly keyword?: string; readonly value?: unknown },
): DragomanError {
  const where = pointer === '' ? 'at its root' : `at ${pointer}`;
  return new DragomanError('INVALID_SCHEMA', `Invalid JSON Schema ${where}: ${text}`, {
    details: { reason, pointer, ...more },
  });
}

interface Count {
  nodes: number;
  bytes: number;
}

/**
 * Copies a schema and counts what it costs on the way, so that nothing behind it ever sees a schema that is too large,
 * that is cyclic as an object, or that changes while it is read. Members that have no JSON form are left out; objects have
 * no prototype, so that a member may be called `__proto__` or `toString`.
 */
export function copySchema(schema: unknown, limits: CompleteLimits): JsonObject | boolean | DragomanError {
  if (typeof schema === 'boolean') return schema;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return schemaError('malformed', '', `a schema is an object or a boolean, not ${show(schema)}`, { value: schema });
  }
  const count: Count = { nodes: 0, bytes: 0 };
  return copyValue(schema, '', 0, count, limits) as JsonObject | DragomanError;
}

function copyValue(value: unknown, pointer: string, depth: number, count: Count, limits: CompleteLimits): unknown {
  if (++count.nodes > limits.maxNodes) {
    return schemaError('limit', pointer, `more than ${limits.maxNodes} values (maxNodes)`);
  }
  if (typeof value === 'string') count.bytes += value.length;
  else count.bytes++;
  if (count.bytes > limits.maxBytes) {
    return schemaError('limit', pointer, `larger than ${limits.maxBytes} characters (maxBytes)`);
  }
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'object':
      if (value === null) return null;
      if (depth >= limits.maxDepth) {
        return schemaError('limit', pointer, `nested deeper than ${limits.maxDepth} levels (maxDepth), or in itself`);
      }
      return Array.isArray(value)
        ? copyList(value, pointer, depth, count, limits)
        : copyObject(value as JsonObject, pointer, depth, count, limits);
    default:
      break;
  }
  return schemaError('malformed', pointer, `${show(value)} is not a JSON value`, { value });
}

function copyList(
  list: readonly unknown[],
  pointer: string,
  depth: number,
  count: Count,
  limits: CompleteLimits,
): unknown[] | DragomanError {
  const copy: unknown[] = [];
  for (let i = 0; i < list.length; i++) {
    const item = copyValue(list[i], `${pointer}/${i}`, depth + 1, count, limits);
    if (item instanceof DragomanError) return item;
    copy.push(item);
  }
  return copy;
}

function copyObject(
  object: JsonObject,
  pointer: string,
  depth: number,
  count: Count,
  limits: CompleteLimits,
): JsonObject | DragomanError {
  const copy = Object.create(null) as JsonObject;
  for (const name of Object.keys(object)) {
    const value = object[name];
    // What JSON.stringify would drop is not there for the peer either.
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    count.bytes += name.length;
    const member = copyValue(value, `${pointer}/${escapeToken(name)}`, depth + 1, count, limits);
    if (member instanceof DragomanError) return member;
    copy[name] = member;
  }
  return copy;
}

import { DragomanError } from '../errors.ts';
import { show } from './pointer.ts';
import type { JsonSchema } from './port.ts';

/** A dialect of JSON Schema that Dragoman reads. */
export type SchemaDialect = '2020-12' | '2019-09' | 'draft-07';

/**
 * The dialects that schemas may be written in: 2020-12, which also holds where no `$schema` stands, 2019-09 and draft-07
 * (basic, "Schema Dialect").
 */
export const schemaDialects: readonly SchemaDialect[] = ['2020-12', '2019-09', 'draft-07'];

const byUri = new Map<string, SchemaDialect>([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
]);

/** Drafts that are known by name and not supported. */
const unsupported = /^json-schema\.org\/(draft-0[0-6]|draft\/next|v1|schema)/;

/** The dialect that a `$schema` names; undefined if it names none that is supported. `http` and `https`, with or without `#`. */
export function dialectOfUri(uri: unknown): SchemaDialect | undefined {
  if (typeof uri !== 'string') return undefined;
  return byUri.get(withoutScheme(uri));
}

function withoutScheme(uri: string): string {
  return uri.replace(/^https?:\/\//, '').replace(/#$/, '');
}

/**
 * Which dialect a schema is written in. Without `$schema` that is 2020-12 (basic, "Schema Dialect").
 *
 * Returns a DragomanError `INVALID_SCHEMA`, which names the dialect and the supported ones, if it is another.
 */
export function dialectOf(schema: JsonSchema): SchemaDialect | DragomanError {
  if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, '$schema')) return '2020-12';
  return dialectOfUri(schema.$schema) ?? unknownDialect(schema.$schema, '');
}

/** The error for a `$schema` that cannot be used. `pointer` is the place of the schema that has it. */
export function unknownDialect(uri: unknown, pointer: string): DragomanError {
  const where = pointer === '' ? '' : ` at ${pointer}`;
  const what =
    typeof uri !== 'string'
      ? `$schema${where} is not a string but ${show(uri)}`
      : unsupported.test(withoutScheme(uri))
        ? `$schema${where} names the JSON Schema dialect ${show(uri)}, which is not supported`
        : `$schema${where} names an unknown JSON Schema dialect, ${show(uri)}`;
  return new DragomanError(
    'INVALID_SCHEMA',
    `${what}. Supported: ${schemaDialects.join(', ')}; without $schema, 2020-12`,
    { details: { reason: 'dialect', pointer: `${pointer}/$schema`, keyword: '$schema', value: uri } },
  );
}

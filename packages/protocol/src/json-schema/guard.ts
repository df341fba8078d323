import { DragomanError } from '../errors.ts';
import type { JsonObject } from '../messages/base.ts';
import { copySchema, schemaError } from './copy.ts';
import { dialectOfUri, type SchemaDialect, unknownDialect } from './dialect.ts';
import { buildGraph, type SchemaGraph } from './graph.ts';
import { eachSubschema, keywordsOf } from './keywords.ts';
import { escapeToken, show } from './pointer.ts';
import { type CompleteLimits, completeLimits, type JsonSchema, type SchemaLimits } from './port.ts';
import { indexSchema, isOverridden, isSchemaObject } from './references.ts';
import { checkShape } from './shapes.ts';

/**
 * Whether a schema can be used: it is not too large, speaks a supported dialect, its keywords have values that they can
 * have, its references stay inside it and lead somewhere, no check against it would go in circles, and no pattern in it
 * can hang a check. Compiles nothing and needs no engine.
 *
 * Returns a DragomanError `INVALID_SCHEMA` that says where and why, with `details.reason` (`malformed`, `dialect`,
 * `reference`, `cycle`, `pattern` or `limit`) and `details.pointer`; undefined if all is well. Never throws.
 */
export function checkSchema(schema: unknown, limits?: SchemaLimits): DragomanError | undefined {
  const read = readSchema(schema, completeLimits(limits));
  return read instanceof DragomanError ? read : undefined;
}

/** Documents that references may lead to besides the schema itself, by their URI without fragment. */
export type SchemaDocuments = ReadonlyMap<string, JsonSchema>;

/** Checks a schema and resolves its references: what an engine compiles from. */
export function readSchema(
  schema: unknown,
  limits: CompleteLimits,
  documents?: SchemaDocuments,
): SchemaGraph | boolean | DragomanError {
  const copy = admit(schema, limits, '2020-12');
  if (copy instanceof DragomanError || typeof copy === 'boolean') return copy;
  const load = (uri: string, dialect: SchemaDialect) => {
    const document = documents?.get(uri);
    const read = document === undefined ? undefined : admit(document, limits, dialect);
    // References lead to `true` and `false` only inside documents, so what is left is an object.
    return typeof read === 'boolean' ? undefined : read;
  };
  return buildGraph(indexSchema(copy, load), limits, (late, place) =>
    checkKeywords(late, place.pointer, place.dialect, limits),
  );
}

/** `dialect` is the one that holds where no `$schema` stands: that of whoever refers to the schema. */
function admit(schema: unknown, limits: CompleteLimits, dialect: SchemaDialect): JsonObject | boolean | DragomanError {
  const copy = copySchema(schema, limits);
  if (copy instanceof DragomanError || typeof copy === 'boolean') return copy;
  return checkKeywords(copy, '', dialect, limits) ?? copy;
}

/** Checks the keywords of a schema and of the schemas in it. Its depth is bounded by the copy's. */
function checkKeywords(
  schema: unknown,
  pointer: string,
  above: SchemaDialect,
  limits: CompleteLimits,
): DragomanError | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isSchemaObject(schema)) {
    return schemaError('malformed', pointer, `a schema is an object or a boolean, not ${show(schema)}`, {
      value: schema,
    });
  }
  let dialect = above;
  if (Object.hasOwn(schema, '$schema')) {
    const own = dialectOfUri(schema.$schema);
    if (own === undefined) return unknownDialect(schema.$schema, pointer);
    dialect = own;
  }
  const rules = keywordsOf(dialect);
  for (const keyword of Object.keys(schema)) {
    const rule = rules.get(keyword);
    if (rule === undefined || isOverridden(schema, keyword, dialect)) continue;
    if (rule.annotation && !limits.trusted) continue;
    const problem = checkKeyword(schema, keyword, pointer, limits, rule.shape);
    if (problem !== undefined) return problem;
    const below = eachSubschema(rule.shape, schema[keyword], (subschema, token) =>
      checkKeywords(
        subschema,
        `${pointer}/${escapeToken(keyword)}${token === undefined ? '' : `/${escapeToken(token)}`}`,
        dialect,
        limits,
      ),
    );
    if (below !== undefined) return below;
  }
  return undefined;
}

function checkKeyword(
  schema: JsonObject,
  keyword: string,
  pointer: string,
  limits: CompleteLimits,
  shape: Parameters<typeof checkShape>[1],
): DragomanError | undefined {
  const value = schema[keyword];
  const problem = checkShape(keyword, shape, value, limits);
  if (problem === undefined) return undefined;
  const token = problem.token === undefined ? '' : `/${escapeToken(problem.token)}`;
  return schemaError(problem.reason, `${pointer}/${escapeToken(keyword)}${token}`, problem.text, { keyword, value });
}

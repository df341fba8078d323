import { DragomanError, type JsonObject, type SchemaIssue } from '@dragoman/protocol';
import { nearest } from '../parse/nearest.ts';
import { membersOf } from './expectation.ts';
import { type Schema, SchemaDocument } from './schema-document.ts';

/** What a check of arguments came to. */
export interface ArgumentCheck {
  /** One line each: the argument, the rule and the value. */
  readonly problems: readonly string[];
  /** Why the schema could not be used, where it is merely written in a dialect that is not known. */
  readonly unchecked?: string;
}

/**
 * Holds arguments against a tool's whole schema. Throws INVALID_SCHEMA where the schema cannot be used at all, such as for
 * a reference that leads out of it, which is never fetched (basic, "JSON Schema Usage").
 */
export async function checkArguments(args: JsonObject, schema: Schema): Promise<ArgumentCheck> {
  const { engine } = await import('@dragoman/protocol/json-schema');
  let issues: readonly SchemaIssue[] | undefined;
  try {
    issues = engine.compile(schema)(args);
  } catch (reason) {
    if (!(reason instanceof DragomanError) || reason.details?.reason !== 'dialect') throw reason;
    return { problems: [], unchecked: reason.message };
  }
  return { problems: (issues ?? []).map(issueLine) };
}

/** Arguments that a schema does not name, one line each, with what was likely meant. */
export function strangers(args: JsonObject, schema: Schema): string[] {
  const { names } = membersOf(new SchemaDocument(schema), schema);
  return Object.keys(args)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const missing = names.filter((each) => !Object.hasOwn(args, each));
      const near = nearest(name, missing);
      return `${name}: the tool has no such argument${near === undefined ? '' : `; did you mean ${near}?`}`;
    });
}

function issueLine({ path, message, keyword }: SchemaIssue): string {
  // `is required` says the rule by itself.
  const rule = message.includes(keyword) ? '' : ` (${keyword})`;
  return `${path === '' ? 'the arguments' : path}: ${message}${rule}`;
}

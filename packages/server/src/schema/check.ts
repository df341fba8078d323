import {
  type CompileOptions,
  checkSchema,
  DragomanError,
  isStandardSchema,
  type JsonObject,
  type JsonSchemaValue,
  type SchemaCheck,
  type SchemaEngine,
  type StandardSchemaV1,
  toJsonSchema,
} from '@dragoman/protocol';
import { makeRow } from '../registry/row.ts';
import type { EngineSource } from './engine.ts';
import { StandardCheck } from './standard-check.ts';

/**
 * A schema as an author gives it: anything with the Standard Schema interface (zod, arktype, valibot and others), or a
 * JSON Schema object (typebox's included).
 */
export type AnySchema = StandardSchemaV1 | object;

/** What a checked value is to its handler: the schema's output type, or what a JSON Schema tells of an object. */
export type OutputOf<S> = S extends StandardSchemaV1<unknown, infer Output> ? Output : ObjectOf<JsonSchemaValue<S>>;

type ObjectOf<Value> = unknown extends Value ? { [name: string]: unknown } : Value;

/** What may be handed to a schema: its input type. */
export type InputOf<S> = S extends StandardSchemaV1<infer Input, unknown> ? Input : unknown;

/** Either the value, as the schema makes it, or what is wrong with it. */
export type Checked =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly CheckIssue[] };

/** One thing that is wrong with a value. */
export interface CheckIssue {
  readonly message: string;
  readonly path?: string | readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema made ready: what it looks like as JSON Schema, and how to check a value. */
export interface ValueCheck {
  readonly schema: JsonObject;
  /** A promise only where the schema's own check is asynchronous, or the engine is not there yet. */
  check(value: unknown): Checked | Promise<Checked>;
}

/**
 * Makes a schema ready. `what` names it in errors, `side` says whose view a Standard Schema shows: what goes in or what
 * comes out. `options` are for a JSON Schema; a Standard Schema goes by its own rules.
 *
 * @throws DragomanError `INVALID_SCHEMA`
 */
export function valueCheck(
  schema: AnySchema,
  what: string,
  side: 'input' | 'output',
  engines: EngineSource,
  options: CompileOptions = {},
): ValueCheck {
  const standard = isStandardSchema(schema);
  let json: unknown = schema;
  if (standard) {
    try {
      json = toJsonSchema(schema, side);
    } catch (cause) {
      throw named(what, cause);
    }
  }
  const problem = faultOf(json);
  if (problem !== undefined) throw named(what, problem);
  // What was checked is what is listed and compiled, whatever becomes of the author's object.
  const own = makeRow(what, json as JsonObject);
  return standard ? new StandardCheck(schema, own) : new EngineCheck(own, engines, { trusted: true, ...options });
}

/** What is wrong with a schema; also whatever it throws when it is looked at. */
function faultOf(schema: unknown): unknown {
  try {
    return checkSchema(schema, { trusted: true });
  } catch (thrown) {
    return thrown ?? new Error(String(thrown));
  }
}

function named(what: string, cause: unknown): DragomanError {
  const details = cause instanceof DragomanError ? cause.details : undefined;
  const message = `${what} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new DragomanError('INVALID_SCHEMA', message, details === undefined ? { cause } : { cause, details });
}

/** Checked by the engine, compiled at the first value. */
class EngineCheck implements ValueCheck {
  readonly schema: JsonObject;
  readonly #engines: EngineSource;
  readonly #options: CompileOptions;
  #compiled: SchemaCheck | undefined;

  constructor(schema: JsonObject, engines: EngineSource, options: CompileOptions) {
    this.schema = schema;
    this.#engines = engines;
    this.#options = options;
  }

  check(value: unknown): Checked | Promise<Checked> {
    if (this.#compiled !== undefined) return apply(this.#compiled, value);
    const engine = this.#engines.get();
    return engine instanceof Promise ? engine.then((loaded) => this.#first(loaded, value)) : this.#first(engine, value);
  }

  #first(engine: SchemaEngine, value: unknown): Checked {
    this.#compiled ??= engine.compile(this.schema, this.#options);
    return apply(this.#compiled, value);
  }
}

function apply(check: SchemaCheck, value: unknown): Checked {
  const issues = check(value);
  return issues === undefined ? { value } : { issues };
}

/** Takes an object without members: what a tool without parameters accepts (server/tools, "Tool"). */
export const noArguments: ValueCheck = {
  schema: { type: 'object', additionalProperties: false },
  check(value) {
    for (const name in value as object) {
      return { issues: [{ message: 'there is no such argument; this takes none', path: [name] }] };
    }
    return { value };
  },
};

/** Issues for a reader: `city: must be a string; targets[0].id: is missing`. At most 10 of them. */
export function describeIssues(issues: readonly CheckIssue[]): string {
  const shown = issues.slice(0, 10).map((issue) => {
    const path = readablePath(issue?.path);
    const message = typeof issue?.message === 'string' ? issue.message : 'is not valid';
    return path === '' ? message : `${path}: ${message}`;
  });
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`);
  return shown.join('; ');
}

function readablePath(path: CheckIssue['path']): string {
  if (path === undefined || typeof path === 'string') return path ?? '';
  let text = '';
  for (const segment of path) {
    const key = typeof segment === 'object' && segment !== null ? segment.key : segment;
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}

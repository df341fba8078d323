import { DragomanError } from '../errors.ts';
import type { JsonObject } from '../messages/base.ts';
import { escapeToken, pathOf } from './pointer.ts';
import type { SchemaIssue } from './port.ts';

/** The Standard Schema interface, version 1 (https://standardschema.dev): what zod, arktype, valibot and others share. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Standard JSON Schema, version 1, where the library has it. */
    readonly jsonSchema?: StandardJsonSchema | undefined;
  };
}

/** What a Standard Schema says of a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing that a Standard Schema finds wrong. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** How a Standard Schema describes itself as JSON Schema. Throws where it cannot. */
export interface StandardJsonSchema {
  readonly input: (options: { readonly target: string }) => Record<string, unknown>;
  readonly output: (options: { readonly target: string }) => Record<string, unknown>;
}

/** Whether a value has the Standard Schema interface. Some libraries' schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as { readonly '~standard'?: unknown })['~standard'];
  return (
    typeof standard === 'object' &&
    standard !== null &&
    (standard as { version?: unknown }).version === 1 &&
    typeof (standard as { validate?: unknown }).validate === 'function'
  );
}

/**
 * The JSON Schema (2020-12) of a Standard Schema: of what it takes, or of what it gives.
 *
 * @throws DragomanError `INVALID_SCHEMA` where the library cannot tell, with the remedy
 */
export function toJsonSchema(schema: StandardSchemaV1, side: 'input' | 'output'): JsonObject {
  const { vendor, jsonSchema } = schema['~standard'];
  if (jsonSchema === undefined) {
    const remedy =
      vendor === 'valibot'
        ? 'wrap it in toStandardJsonSchema() of @valibot/to-json-schema'
        : 'use a version of the library that implements Standard JSON Schema (zod 4.2, arktype 2.1.28), or give JSON Schema';
    throw new DragomanError('INVALID_SCHEMA', `This ${vendor} schema cannot describe itself as JSON Schema: ${remedy}`);
  }
  try {
    return jsonSchema[side]({ target: 'draft-2020-12' });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DragomanError('INVALID_SCHEMA', `${vendor} cannot describe this schema as JSON Schema: ${reason}`, {
      cause,
    });
  }
}

/**
 * The issues of a Standard Schema in the form that the JSON Schema engine gives its own; `keyword` is `standard`. Some
 * libraries (arktype) begin their messages with the path, which then stands twice where path and message are shown.
 */
export function issuesFromStandard(issues: readonly StandardIssue[]): readonly SchemaIssue[] {
  return issues.map(({ message, path = [] }) => {
    const keys = path.map((step) => keyOf(typeof step === 'object' ? step.key : step));
    return {
      path: pathOf(keys),
      pointer: keys.map((key) => `/${escapeToken(String(key))}`).join(''),
      keyword: 'standard',
      message,
    };
  });
}

function keyOf(key: PropertyKey): string | number {
  return typeof key === 'symbol' ? String(key) : key;
}

import type { JsonObject, StandardSchemaV1 } from '@dragoman/protocol';
import { isThenable } from '../thenable.ts';
import type { Checked, ValueCheck } from './check.ts';

/** Checked by the schema itself, which may also change the value. */
export class StandardCheck implements ValueCheck {
  readonly schema: JsonObject;
  readonly #validate: (value: unknown) => unknown;

  constructor(schema: StandardSchemaV1, json: JsonObject) {
    this.schema = json;
    this.#validate = validatorOf(schema);
  }

  check(value: unknown): Checked | Promise<Checked> {
    try {
      const outcome = this.#validate(value);
      return isThenable(outcome) ? settled(outcome) : read(outcome);
    } catch (error) {
      return tooDeep(error);
    }
  }
}

async function settled(outcome: PromiseLike<unknown>): Promise<Checked> {
  try {
    return read(await outcome);
  } catch (error) {
    return tooDeep(error);
  }
}

/**
 * Only what is an outcome counts as one: with anything else the handler would be given a value that nobody has checked.
 *
 * @throws TypeError
 */
function read(outcome: unknown): Checked {
  if (typeof outcome === 'object' && outcome !== null) {
    const { issues } = outcome as { readonly issues?: unknown };
    if (issues === undefined ? 'value' in outcome : Array.isArray(issues)) return outcome as Checked;
  }
  throw new TypeError('The schema says neither that the value is valid nor what is wrong with it');
}

/** A recursive schema follows a value as deep as it goes, which a client decides. */
function tooDeep(error: unknown): Checked {
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return { issues: [{ message: 'is nested too deeply to be checked' }] };
  }
  throw error;
}

/** The parts of a zod 4 schema that are used. `run` is what all of zod's ways of parsing come down to. */
interface ZodSchema {
  readonly _zod: {
    run(payload: ZodPayload, context: { readonly async: true }): ZodPayload | Promise<ZodPayload>;
  };
  safeParseAsync(value: unknown): Promise<{ readonly error?: { readonly issues: Checked['issues'] } }>;
}

interface ZodPayload {
  readonly value: unknown;
  readonly issues: readonly unknown[];
}

function isZod(schema: StandardSchemaV1): boolean {
  const { _zod, safeParseAsync } = schema as Partial<ZodSchema>;
  return (
    schema['~standard'].vendor === 'zod' && typeof _zod?.run === 'function' && typeof safeParseAsync === 'function'
  );
}

/**
 * How a schema is asked. zod's own way to a Standard Schema first tries without waiting, and lets go of the promise of an
 * asynchronous refinement when it meets one: if that is rejected, nobody handles it, and the process ends. So zod is told
 * from the start that it may wait; it answers at once where it need not. What is wrong with a value it puts into words only
 * in its own ways of parsing, which are asked where something is.
 */
function validatorOf(schema: StandardSchemaV1): (value: unknown) => unknown {
  const standard = schema['~standard'];
  if (!isZod(schema)) return (value) => standard.validate(value);
  const zod = schema as unknown as ZodSchema;
  return (value) => {
    const outcome = zod._zod.run({ value, issues: [] }, { async: true });
    if (outcome instanceof Promise) return waitedFor(zod, outcome, value);
    return outcome.issues.length === 0 ? { value: outcome.value } : standard.validate(value);
  };
}

async function waitedFor(zod: ZodSchema, outcome: Promise<ZodPayload>, value: unknown): Promise<unknown> {
  const { issues, value: made } = await outcome;
  if (issues.length === 0) return { value: made };
  const { error } = await zod.safeParseAsync(value);
  return { issues: error?.issues ?? [] };
}

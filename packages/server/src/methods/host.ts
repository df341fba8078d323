import {
  ErrorCode,
  errorName,
  type InputRequiredResult,
  invalidParams,
  type JsonObject,
  McpError,
  type Request,
  type Result,
} from '@dragoman/protocol';
import type { CallContext, ContextHost } from '../context.ts';
import { InputDeclinedError, InputRequired } from '../input/input-required.ts';
import type { WarningCode } from '../reports.ts';
import { type Stamp, stamped } from '../results.ts';

/** What the methods of one server share. */
export interface MethodHost extends ContextHost {
  /** `_meta` of every result. */
  readonly stamp: Stamp;
}

/** Whether a call brings answers or state of an earlier try. Null is absence. */
export function isRetry({ params }: Request): boolean {
  const { inputResponses, requestState } = params;
  return (
    (inputResponses !== undefined && inputResponses !== null) || (requestState !== undefined && requestState !== null)
  );
}

/**
 * The result that asks for input, where a handler asked for any, with the methods of its context or by what it returned;
 * else undefined.
 *
 * @throws McpError -32602 where an answer was malformed, -32021 where the client cannot be asked
 */
export async function questions(host: MethodHost, ctx: CallContext, returned: unknown): Promise<Result | undefined> {
  if (ctx.round?.fault !== undefined) throw ctx.round.fault;
  const byHand = questionsByHand(returned);
  if (byHand === undefined) return ctx.round?.asking === true ? stamped(await ctx.questions(), host.stamp) : undefined;
  const { requests, state } = byHand;
  ctx.put(requests);
  if (ctx.round?.asking !== true && state === undefined) {
    throw internal(new Error('inputRequired needs requests, state, or both'));
  }
  return stamped(await ctx.questions(state), host.stamp);
}

/** Whether a handler asks by what it returns: something made by `inputRequired`, or written out as the protocol has it. */
export function isQuestion(returned: unknown): returned is InputRequired | InputRequiredResult {
  if (typeof returned !== 'object' || returned === null) return false;
  return returned instanceof InputRequired || (returned as JsonObject).resultType === 'input_required';
}

function questionsByHand(returned: unknown): InputRequired | undefined {
  if (!isQuestion(returned)) return undefined;
  if (returned instanceof InputRequired) return returned;
  return new InputRequired(returned.inputRequests ?? {}, returned.requestState);
}

/**
 * Runs the handler of a prompt or resource: its result, or the questions it leaves open.
 *
 * @throws McpError: what the handler threw, as far as a client may see it
 */
export async function answer(
  host: MethodHost,
  ctx: CallContext,
  [method, subject]: readonly [method: string, subject: string],
  run: () => Promise<unknown>,
  toResult: (returned: unknown) => Result,
): Promise<Result> {
  let returned: unknown;
  let failure: { readonly error: unknown } | undefined;
  try {
    returned = await run();
  } catch (error) {
    failure = { error };
  }
  ctx.finish();
  try {
    const asked = await questions(host, ctx, returned);
    if (asked !== undefined) return asked;
    if (failure !== undefined) throw failure.error;
    return stamped(toResult(returned), host.stamp);
  } catch (error) {
    throw refusal(host, ctx, error, method, subject);
  }
}

function refusal(host: MethodHost, ctx: CallContext, error: unknown, method: string, subject: string): McpError {
  if (error instanceof McpError) return outward(host, error, method, subject);
  if (error instanceof InputDeclinedError) return invalidParams(error.message);
  if (!ctx.signal.aborted) host.reports.error(error, method, subject);
  return internal(error);
}

/**
 * An McpError on its way out: its hidden cause is reported, and a code that only older revisions know, or that the protocol
 * keeps for itself (basic, "Error Codes"), is replaced.
 */
export function outward(host: MethodHost, error: McpError, method: string, subject: string): McpError {
  if (error.code === ErrorCode.InternalError && error.cause !== undefined)
    host.reports.error(error.cause, method, subject);
  const { code } = error;
  if (code === ErrorCode.LegacyResourceNotFound || code === ErrorCode.LegacyUrlElicitationRequired) {
    const sent = code === ErrorCode.LegacyResourceNotFound ? ErrorCode.InvalidParams : ErrorCode.InternalError;
    return replaced(
      host,
      error,
      sent,
      'LEGACY_ERROR_CODE',
      `${method} ${JSON.stringify(subject)} threw ${code}, which no longer exists`,
    );
  }
  if (!isReserved(code)) return error;
  return replaced(
    host,
    error,
    ErrorCode.InternalError,
    'RESERVED_ERROR_CODE',
    `${method} ${JSON.stringify(subject)} threw ${code}, which the protocol keeps for itself; codes of your own lie outside -32768 to -32000`,
  );
}

/** -32020 and the 79 codes below it belong to the protocol, whatever it has given out of them. */
function isReserved(code: number): boolean {
  const below = ErrorCode.HeaderMismatch - code;
  return below >= 0 && below < 80 && errorName(code) === undefined;
}

function replaced(host: MethodHost, error: McpError, code: number, warning: WarningCode, what: string): McpError {
  host.reports.warning(warning, `${what}; ${code} was sent`);
  return new McpError(code, error.message, { data: error.data, cause: error });
}

/** -32603, telling the client nothing of the cause. */
export const internal = (cause: unknown): McpError =>
  new McpError(ErrorCode.InternalError, 'Internal error', { cause: cause ?? new Error(`${cause} was thrown`) });

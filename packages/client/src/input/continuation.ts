import {
  DragomanError,
  type ElicitRequestFormParams,
  type InputRequest,
  type InputRequests,
  type InputRequiredResult,
  type InputResponse,
  type InputResponses,
  type JsonObject,
  methodRow,
  type Request,
  type RequestParams,
  show,
} from '@dragoman/protocol';
import { momentary } from '../momentary.ts';
import { loadSchemaEngine } from '../schema-engine.ts';
import { checkAnswer } from './answers.ts';
import { checkContent, readForm } from './form-check.ts';

/**
 * All that is needed to go on with a call that waits for input, as plain JSON: it can be kept, and resumed later and from
 * another process. Holds the call's parameters as they were, so treat it like them.
 */
export interface Continuation {
  /** The method of the call that waits. */
  readonly method: string;
  /** As they were given, without answers. */
  readonly params: JsonObject;
  /** Opaque; goes back as it came. */
  readonly requestState?: string | undefined;
  /** What the server asks, by its own keys. */
  readonly inputRequests?: InputRequests | undefined;
  /** The identity of the server that asks, as its wire names it. No other gets the answers. */
  readonly server: string;
}

/** What a call returns with `onInputRequired: 'return'` where the server asks for input: its own result, and how to go on. */
export type InputRequired = InputRequiredResult & { readonly continuation: Continuation };

/** Whether a call returned questions in place of its result. */
export function isInputRequired(result: { readonly resultType?: string | undefined }): result is InputRequired {
  return result.resultType === 'input_required';
}

/** The call as it was before any answers. */
export function withoutInput(request: Request): Request {
  if (request.params.inputResponses === undefined && request.params.requestState === undefined) return request;
  const { inputResponses: _, requestState: __, ...params } = request.params;
  return { method: request.method, params };
}

/** The call with the answers of this round alone, and the state that came with its questions, if any (basic/patterns/mrtr, "Client Requirements"). */
export function withInput(request: Request, responses: InputResponses | undefined, state: string | undefined): Request {
  const params: RequestParams = { ...request.params };
  if (responses !== undefined) params.inputResponses = responses;
  if (state !== undefined) params.requestState = state;
  return { method: request.method, params };
}

/**
 * The next request of a call that waits for input, with the answers held against the questions.
 *
 * @throws DragomanError `INVALID_ARGUMENT` where the continuation is another server's, or an answer is missing, strange or wrong.
 */
export async function resumed(continuation: Continuation, given: InputResponses, server: string): Promise<Request> {
  const broken = continuationProblem(continuation);
  if (broken !== undefined) throw new DragomanError('INVALID_ARGUMENT', `The continuation cannot be used: ${broken}`);
  if (continuation.server !== server) {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `The continuation belongs to ${continuation.server}, and this client is connected to ${server}; no other server may get the answers`,
    );
  }
  if (!isObject(given)) {
    throw new DragomanError('INVALID_ARGUMENT', `The inputResponses must be an object, not ${show(given)}`);
  }
  const asked = continuation.inputRequests ?? {};
  const keys = Object.keys(asked);
  const missing = keys.filter((key) => !Object.hasOwn(given, key));
  const strange = Object.keys(given).filter((key) => !Object.hasOwn(asked, key));
  if (missing.length > 0 || strange.length > 0) {
    const what = missing.length > 0 ? `do not answer ${list(missing)}` : `answer ${list(strange)}, which was not asked`;
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `The inputResponses ${what}; the questions are: ${list(keys) || 'none'}`,
      {
        details: { missing, strange },
      },
    );
  }
  const responses: [string, InputResponse][] = [];
  for (const key of keys) {
    const question = asked[key] as InputRequest;
    const response = checkAnswer(key, question, given[key]);
    if ('action' in response && response.content !== undefined) {
      const form = await readForm(
        (question.params as ElicitRequestFormParams | null | undefined)?.requestedSchema,
        loadSchemaEngine,
      );
      checkContent(key, form, response.content);
    }
    responses.push([key, response]);
  }
  return withInput(
    { method: continuation.method, params: continuation.params as RequestParams },
    keys.length === 0 ? undefined : Object.fromEntries(responses),
    continuation.requestState,
  );
}

/** What is wrong with a continuation, which was kept somewhere and may have been changed there. */
function continuationProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `it is ${show(value)}, not an object`;
  if (typeof value.method !== 'string' || methodRow(value.method)?.mayRequireInput !== true) {
    return `its "method" is ${show(value.method)}, which asks for no input`;
  }
  if (!isObject(value.params)) return `its "params" are ${show(value.params)}, not an object`;
  return askedProblem(value);
}

const list = (keys: readonly string[]): string => keys.map(show).join(', ');

/** What stands in a continuation for a call that was given up on. */
export function continuationOf(request: Request, asked: Asked, server: string): Continuation {
  const { _meta, ...params } = request.params;
  const meta = Object.entries(_meta ?? {}).filter(([name]) => !momentary.has(name));
  return {
    method: request.method,
    params: meta.length === 0 ? params : { ...params, _meta: Object.fromEntries(meta) },
    ...(asked.state === undefined ? undefined : { requestState: asked.state }),
    ...(asked.keys.length === 0 ? undefined : { inputRequests: asked.requests }),
    server,
  };
}

/** The questions of one round, read. */
export interface Asked {
  readonly requests: InputRequests;
  readonly keys: readonly string[];
  readonly state: string | undefined;
}

/**
 * Reads an `input_required` result.
 *
 * @throws DragomanError `PROTOCOL_VIOLATION` where it has neither questions nor a state, or they are of the wrong kind.
 */
export function readAsked(result: JsonObject, method: string): Asked {
  const problem = askedProblem(result);
  if (problem !== undefined) throw violation(method, problem);
  const state = (result.requestState ?? undefined) as string | undefined;
  const requests = (result.inputRequests ?? undefined) as InputRequests | undefined;
  if (requests !== undefined) return { requests, keys: Object.keys(requests), state };
  if (state === undefined) throw violation(method, 'it has neither "inputRequests" nor "requestState"');
  return { requests: {}, keys: [], state };
}

/** What is wrong with questions and the state that came with them. */
function askedProblem({ inputRequests, requestState }: JsonObject): string | undefined {
  const state = requestState ?? undefined;
  if (state !== undefined && typeof state !== 'string') return `its "requestState" is no string but ${typeof state}`;
  const requests: unknown = inputRequests ?? undefined;
  if (requests === undefined) return undefined;
  if (!isObject(requests)) return 'its "inputRequests" is no object';
  for (const key of Object.keys(requests)) {
    const question = requests[key];
    if (!isObject(question) || typeof question.method !== 'string') return `its question ${show(key)} has no method`;
    if (question.params !== undefined && question.params !== null && !isObject(question.params)) {
      return `the params of its question ${show(key)} are no object`;
    }
    if (
      question.method === 'sampling/createMessage' &&
      !Array.isArray((question.params as JsonObject | null | undefined)?.messages)
    ) {
      return `its question ${show(key)} has no messages to sample from`;
    }
  }
  return undefined;
}

const violation = (method: string, what: string): DragomanError =>
  new DragomanError('PROTOCOL_VIOLATION', `The server's input_required to ${method} cannot be answered: ${what}`, {
    details: { method },
  });

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import type { DragomanError, ElicitResult, JsonObject, Result } from '@dragoman/protocol';
import { type CallOptions, Client, type ClientOptions, type InputHandlers, type Warning } from '../../src/index.ts';
import { type Answering, ScriptedWire } from './scripted-wire.ts';

/** A result that asks for input. */
export const ask = (inputRequests?: unknown, requestState?: unknown, more?: JsonObject): Result => ({
  resultType: 'input_required',
  ...(inputRequests === undefined ? undefined : { inputRequests }),
  ...(requestState === undefined ? undefined : { requestState }),
  ...more,
});

/** A question with a form. */
export const form = (
  schema: unknown = { type: 'object', properties: { name: { type: 'string' } } },
  mode?: string,
) => ({
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: schema, ...(mode === undefined ? undefined : { mode }) },
});
/** A question with a URL. */
export const url = { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'https://a.test/x' } };
/** A question for a model. */
export const sampling = (params?: JsonObject) => ({
  method: 'sampling/createMessage',
  params: { messages: [], maxTokens: 5, ...params },
});
/** A question for the roots. */
export const roots = { method: 'roots/list' };
/** A model's message. */
export const message = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } } as const;

/** A client of a server that gives one answer after another, the last again and again. */
export function setUp(answers: (Result | Answering)[], handlers: InputHandlers = {}, options?: ClientOptions) {
  const warnings: Warning[] = [];
  const wire = new ScriptedWire((request, io) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return typeof answer === 'function' ? answer(request, io) : (answer as Result);
  });
  const client = new Client(wire, {
    era: 'modern',
    handlers,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  return { wire, client, warnings, call: (more?: CallOptions) => client.callTool('book', { city: 'Rome' }, more) };
}

/** What a call rejects with. */
export const failureOf = (call: Promise<unknown>): Promise<DragomanError> =>
  call.then(
    () => {
      throw new Error('it did not fail');
    },
    (reason: unknown) => reason as DragomanError,
  );

/** A form that was filled in. */
export const accept = (content: ElicitResult['content']): ElicitResult => ({ action: 'accept', content });

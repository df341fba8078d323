import type { ClientCapabilities } from '@dragoman/protocol';
import {
  type CreateMessageRequestParams,
  type CreateMessageResult,
  DragomanError,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type ElicitValue,
  type InputRequest,
  type InputResponse,
  type JsonObject,
  type ListRootsResult,
  show,
} from '@dragoman/protocol';
import { formDefaults, isElicitValue } from './form.ts';
import type { InputContext, InputHandlers } from './handlers.ts';

/** What kind of question it is; undefined for a method or mode that this revision does not know. */
export type InputKind = 'form' | 'url' | 'sampling' | 'roots';

/** The kind of a question. A missing mode reads as form (client/elicitation, "Elicitation Requests"). */
export function kindOf(request: InputRequest): InputKind | undefined {
  switch (request.method as string) {
    case 'elicitation/create': {
      const mode = (request.params as { mode?: unknown } | undefined)?.mode ?? 'form';
      return mode === 'form' || mode === 'url' ? mode : undefined;
    }
    case 'sampling/createMessage':
      return 'sampling';
    case 'roots/list':
      return 'roots';
    default:
      return undefined;
  }
}

/** Says why nobody here can answer a question, or undefined where somebody can. */
export function unanswerable(
  request: InputRequest,
  handlers: InputHandlers,
  capabilities: ClientCapabilities,
): string | undefined {
  switch (kindOf(request)) {
    case 'form':
      return handlers.elicitForm === undefined ? 'asks for a form; give handlers.elicitForm to show it' : undefined;
    case 'url':
      return handlers.elicitUrl === undefined ? 'asks to open a URL; give handlers.elicitUrl to show it' : undefined;
    case 'sampling': {
      if (handlers.sample === undefined) return 'asks for sampling; give handlers.sample to do it';
      // What has no messages was refused when it was read.
      const { tools, toolChoice } = request.params as CreateMessageRequestParams;
      const withTools = (tools ?? undefined) !== undefined || (toolChoice ?? undefined) !== undefined;
      // What was not declared must not be asked (client/sampling, "Tools in Sampling").
      return withTools && capabilities.sampling?.tools === undefined
        ? 'asks for sampling with tools; declare capabilities.sampling.tools if handlers.sample can do that'
        : undefined;
    }
    case 'roots':
      return handlers.roots === undefined ? 'asks for roots; give handlers.roots to name them' : undefined;
    case undefined:
      return `asks ${show(request.method)} in a way that this revision does not know`;
  }
}

/** Has a question answered by its handler, and holds the answer against the protocol before it is sent. */
export async function answer(
  request: InputRequest,
  handlers: InputHandlers,
  context: InputContext,
): Promise<InputResponse> {
  const params = request.params ?? {};
  let given: unknown;
  switch (kindOf(request)) {
    case 'form':
      given = await handlers.elicitForm?.(params as ElicitRequestFormParams, context);
      break;
    case 'url':
      given = await handlers.elicitUrl?.(params as ElicitRequestURLParams, context);
      break;
    case 'sampling':
      given = await handlers.sample?.(params as CreateMessageRequestParams, context);
      break;
    case 'roots':
    case undefined: {
      const roots = typeof handlers.roots === 'function' ? await handlers.roots(context) : handlers.roots;
      given = { roots };
      break;
    }
  }
  return checkAnswer(context.key, request, given);
}

/**
 * Holds an answer against the shape that its question wants, and returns it as it is sent: `content` only with an
 * accepted form (client/elicitation, "Response Actions").
 *
 * @throws DragomanError `INVALID_ARGUMENT` that names the key and what is wrong.
 */
export function checkAnswer(key: string, request: InputRequest, given: unknown): InputResponse {
  if (!isObject(given)) throw wrongAnswer(key, 'it is no object');
  switch (kindOf(request)) {
    case 'form':
    case 'url':
      return checkElicitResult(key, request, given);
    case 'sampling': {
      if (given.role !== 'user' && given.role !== 'assistant')
        throw wrongAnswer(key, '"role" must be "assistant" or "user"');
      if (typeof given.model !== 'string') throw wrongAnswer(key, '"model" must name the model');
      if (typeof given.content !== 'object' || given.content === null) {
        throw wrongAnswer(key, '"content" must be a content block or an array of them');
      }
      return given as unknown as CreateMessageResult;
    }
    case 'roots': {
      if (!Array.isArray(given.roots)) throw wrongAnswer(key, '"roots" must be an array');
      for (const root of given.roots as readonly unknown[]) {
        if (!isObject(root) || typeof root.uri !== 'string' || !root.uri.startsWith('file://')) {
          throw wrongAnswer(key, `every root needs a "uri" that begins with file://, not ${show(root)}`);
        }
      }
      return given as unknown as ListRootsResult;
    }
    case undefined:
      return given as unknown as InputResponse;
  }
}

function checkElicitResult(key: string, request: InputRequest, given: JsonObject): ElicitResult {
  const { action, content } = given;
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') {
    throw wrongAnswer(key, `"action" must be "accept", "decline" or "cancel", not ${show(action)}`);
  }
  if (action !== 'accept' || kindOf(request) === 'url') return { action };
  if (content === undefined || content === null) {
    return { action, content: formDefaults((request.params as ElicitRequestFormParams | undefined)?.requestedSchema) };
  }
  if (!isObject(content)) throw wrongAnswer(key, '"content" must be an object with the form\'s fields');
  const fields = Object.keys(content).filter((name) => content[name] !== undefined);
  for (const name of fields) {
    if (!isElicitValue(content[name])) {
      throw wrongAnswer(key, `the field ${show(name)} must be a string, number, boolean or array of strings`);
    }
  }
  // What is undefined is not there once it is JSON, and must not be there when it is checked.
  return { action, content: Object.fromEntries(fields.map((name) => [name, content[name] as ElicitValue])) };
}

/** An answer from this side that may not be sent. */
export const wrongAnswer = (key: string, what: string): DragomanError =>
  new DragomanError('INVALID_ARGUMENT', `The answer to the server's question ${show(key)} is wrong: ${what}`, {
    details: { key },
  });

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, join, resolve as resolvePath } from 'node:path';
import type { CallOptions, Continuation, InputContext } from '@dragoman/client';
import {
  type CreateMessageRequestParams,
  DragomanError,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type InputRequest,
  type InputRequests,
  type InputResponse,
  type InputResponses,
  type JsonObject,
  type Result,
} from '@dragoman/protocol';
import { readJsonObject } from '../arguments/json.ts';
import { isObject } from '../arguments/schema-document.ts';
import type { Answers } from '../input/sources.ts';
import { writeAtomic } from '../state/atomic-file.ts';
import { directoriesOf } from '../state/directories.ts';
import { quoteWord } from './quote-word.ts';
import type { Session } from './session.ts';

/** One request that may have to be answered in rounds. */
export interface Asking {
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read';
  /** The tool, prompt or URI. */
  readonly name: string;
  readonly send: (options: CallOptions) => Promise<Result>;
}

/** A call that stopped for want of answers, as it is saved; a superset of the protocol's own parameters of the retry. */
interface SavedCall extends Continuation {
  /** What was answered before the questions that nobody answered. */
  readonly inputResponses?: InputResponses;
}

/**
 * Sends a request, or goes on with one that stopped, and saves it where a question stays without an answer: the error then
 * says how to go on.
 */
export async function sendOrResume(session: Session, asking: Asking): Promise<Result> {
  const { options, sources } = session;
  const given =
    options.continuation === undefined
      ? undefined
      : await readJsonObject(options.continuation, '--continuation', sources);
  let result: Result;
  try {
    result = given === undefined ? await asking.send(session.callOptions()) : await resume(session, asking, given);
  } catch (reason) {
    const saved = saveUnanswered(session, asking, reason);
    if (saved !== reason) forget(session);
    throw saved;
  }
  forget(session);
  return result;
}

/** A saved call that was gone on with is done with, or saved anew. Files that somebody else keeps stay. */
function forget({ options, invocation }: Session): void {
  const name = options.continuation;
  if (name === undefined || !name.startsWith('@')) return;
  const path = resolvePath(invocation.terminal.cwd, name.slice(1));
  if (dirname(path) === inboxOf(invocation.terminal.env)) rmSync(path, { force: true });
}

const inboxOf = (env: NodeJS.ProcessEnv): string => join(directoriesOf(env).state, 'inbox');

async function resume(session: Session, asking: Asking, given: JsonObject): Promise<Result> {
  checkContinuation(given, asking);
  const asked = isObject(given.inputRequests) ? (given.inputRequests as unknown as InputRequests) : {};
  const responses = await answerAll(session, asking, given, asked);
  session.facts.resumed(asked, responses, session.answers.origin);
  const options = session.callOptions();
  if (isSaved(given)) {
    const { inputResponses: _, ...continuation } = given;
    return (await session.client.resume(continuation, responses, options)) as Result;
  }
  const state = given.requestState;
  return asking.send({
    ...options,
    ...(Object.keys(responses).length === 0 ? undefined : { inputResponses: responses }),
    ...(typeof state === 'string' ? { requestState: state } : undefined),
  });
}

const isSaved = (given: JsonObject): given is JsonObject & SavedCall =>
  typeof given.method === 'string' && isObject(given.params) && typeof given.server === 'string';

function checkContinuation(given: JsonObject, asking: Asking): void {
  const wrong = (message: string): DragomanError => new DragomanError('INVALID_ARGUMENT', `--continuation: ${message}`);
  if (isSaved(given)) {
    const name = given.params.name ?? given.params.uri;
    if (given.method !== asking.method || name !== asking.name) {
      throw wrong(
        `it goes on with ${given.method} ${JSON.stringify(name)}, not with ${asking.method} ${JSON.stringify(asking.name)}`,
      );
    }
  } else if (
    given.requestState === undefined &&
    given.inputResponses === undefined &&
    given.inputRequests === undefined
  ) {
    throw wrong('expected what dragoman saved, or an object with requestState, inputRequests or inputResponses');
  }
  if (given.requestState !== undefined && typeof given.requestState !== 'string')
    throw wrong('requestState is not a string');
  if (given.inputResponses !== undefined && !isObject(given.inputResponses))
    throw wrong('inputResponses is not an object');
}

/** The answers that came with it, and those of the usual sources to what is left. */
async function answerAll(
  session: Session,
  asking: Asking,
  given: JsonObject,
  asked: InputRequests,
): Promise<InputResponses> {
  const known = isObject(given.inputResponses) ? (given.inputResponses as unknown as InputResponses) : {};
  const responses = new Map<string, InputResponse>(Object.entries(known));
  for (const [key, question] of Object.entries(asked)) {
    if (responses.has(key)) continue;
    try {
      responses.set(key, await answerOne(session, asking, key, question));
    } catch (reason) {
      if (!(reason instanceof DragomanError) || reason.code !== 'INPUT_REQUIRED') throw reason;
      const continuation = { ...given, inputResponses: Object.fromEntries(responses) };
      throw new DragomanError(reason.code, reason.message, {
        cause: reason,
        details: { ...reason.details, continuation },
      });
    }
  }
  return Object.fromEntries(responses);
}

async function answerOne(
  session: Session,
  asking: Asking,
  key: string,
  question: InputRequest,
): Promise<InputResponse> {
  const { client, answers, signal } = session;
  const context: InputContext = {
    key,
    method: asking.method,
    name: asking.name,
    round: 0,
    server: client.info.target,
    serverInfo: client.info.serverInfo,
    signal,
  };
  const { handlers } = answers;
  const params: unknown = question.params ?? {};
  if (question.method === 'elicitation/create') {
    return isObject(params) && params.mode === 'url'
      ? handlers.elicitUrl!(params as unknown as ElicitRequestURLParams, context)
      : handlers.elicitForm!(params as unknown as ElicitRequestFormParams, context);
  }
  if (question.method === 'sampling/createMessage' && handlers.sample !== undefined) {
    return handlers.sample(params as CreateMessageRequestParams, context);
  }
  if (question.method === 'roots/list' && typeof handlers.roots === 'function') {
    return { roots: [...(await handlers.roots(context))] };
  }
  throw new DragomanError(
    'INPUT_REQUIRED',
    `${context.server} asks ${question.method} (${JSON.stringify(key)}), and nobody answers`,
    {
      details: { key },
    },
  );
}

/** Saves what is needed to go on, and says how. Anything else is handed on as it is. */
function saveUnanswered(session: Session, asking: Asking, reason: unknown): unknown {
  if (!(reason instanceof DragomanError) || reason.code !== 'INPUT_REQUIRED') return reason;
  const continuation = reason.details?.continuation;
  if (!isObject(continuation)) return reason;
  const saved = withAnswers(continuation, session.answers);
  const id = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}-${randomBytes(3).toString('hex')}`;
  const path = join(inboxOf(session.invocation.terminal.env), `${id}.json`);
  try {
    writeAtomic(path, `${JSON.stringify(saved, null, 2)}\n`);
  } catch (cause) {
    session.reporter.warn(`the call could not be saved: ${(cause as Error).message}`);
    return reason;
  }
  const hint = `the call is saved in ${path}; go on with it by\n${howToGoOn(session, asking, saved, path)}`;
  const key = reason.details?.key;
  return new DragomanError('INPUT_REQUIRED', reason.message, {
    cause: reason,
    details: { hint, saved: path, continuation: saved, ...(key === undefined ? undefined : { key }) },
  });
}

/** Together with what was answered in the same round, which nobody should have to answer again. */
function withAnswers(continuation: JsonObject, answers: Answers): JsonObject {
  const asked = isObject(continuation.inputRequests) ? continuation.inputRequests : {};
  const before = isObject(continuation.inputResponses) ? continuation.inputResponses : {};
  const given = [...answers.given()].filter(([key]) => Object.hasOwn(asked, key));
  const responses = { ...before, ...Object.fromEntries(given) };
  return Object.keys(responses).length === 0 ? continuation : { ...continuation, inputResponses: responses };
}

function howToGoOn(session: Session, asking: Asking, saved: JsonObject, path: string): string {
  const { invocation, serverWords } = session;
  const asked = isObject(saved.inputRequests) ? saved.inputRequests : {};
  const answered = isObject(saved.inputResponses) ? saved.inputResponses : {};
  const open = Object.entries(asked).filter(([key]) => !Object.hasOwn(answered, key));
  const words = open.map(([key, question]) => `--answer ${quoteWord(`${key}=${sketch(question)}`)}`);
  const behind = serverWords.startsWith('-- ');
  const server = behind ? '' : `${serverWords} `;
  const line = `dragoman ${invocation.command.name} ${server}${quoteWord(asking.name)} --continuation ${quoteWord(`@${path}`)} ${words.join(' ')}`;
  return behind ? `${line.trimEnd()} ${serverWords}` : line.trimEnd();
}

/** What an answer looks like. */
function sketch(question: unknown): string {
  const params = isObject(question) && isObject(question.params) ? question.params : {};
  if (isObject(question) && question.method === 'sampling/createMessage') {
    return '{"role": "assistant", "model": "...", "content": {"type": "text", "text": "..."}}';
  }
  if (isObject(question) && question.method === 'roots/list') return '{"roots": []}';
  if (params.mode === 'url') return '{"action": "accept"}';
  const schema = isObject(params.requestedSchema) ? params.requestedSchema : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const shown = required.length > 0 ? names.filter((name) => required.includes(name)) : names;
  return `{${shown.map((name) => `${JSON.stringify(name)}: ...`).join(', ')}}`;
}

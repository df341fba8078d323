import type { InputContext, InputHandlers } from '@dragoman/client';
import {
  type CreateMessageRequestParams,
  type CreateMessageResult,
  DragomanError,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type InputResponse,
  type JsonObject,
  type Root,
} from '@dragoman/protocol';
import { parseJson, readJson, readJsonObject } from '../arguments/json.ts';
import type { Sources } from '../arguments/read-source.ts';
import { isObject } from '../arguments/schema-document.ts';
import type { Options } from '../invocation.ts';
import { rootsOf } from './roots.ts';
import { runCommand } from './run-command.ts';

/** Where answers come from, in the order in which they are tried. */
export interface AnswerOptions {
  readonly options: Options;
  readonly sources: Sources;
  readonly cwd: string;
  /** Undefined where nobody can be asked. */
  readonly person?: Person | undefined;
}

/** Somebody who can be asked. */
interface Person {
  askForm(params: ElicitRequestFormParams, context: InputContext): Promise<ElicitResult>;
  askUrl(params: ElicitRequestURLParams, context: InputContext): Promise<ElicitResult>;
}

/** Answers, and what became of them. */
export interface Answers {
  readonly handlers: InputHandlers;
  /** Where the answer to a question of a round came from. */
  readonly origin: (round: number, key: string) => string | undefined;
  /** What was answered so far in the last round. */
  readonly given: () => ReadonlyMap<string, InputResponse>;
  /** Keys of `--answer` and `--answers` that nobody asked for. */
  readonly unused: () => readonly string[];
}

/** A question that nobody answers: the call ends here, and can be gone on with. */
const unanswered = (context: InputContext, what: string): DragomanError =>
  new DragomanError(
    'INPUT_REQUIRED',
    `${context.server} asks ${what} (${JSON.stringify(context.key)}), and nobody answers`,
    {
      details: { key: context.key },
    },
  );

/** Reads the answers that a command line gives, and makes the handlers that use them. Throws INVALID_ARGUMENT. */
export async function prepareAnswers(given: AnswerOptions): Promise<Answers> {
  const { options, sources } = given;
  const byKey = await answersByKey(options, sources);
  const forms = await Promise.all((options.elicit ?? []).map((text) => readJsonObject(text, '--elicit', sources)));
  const used = new Set<number>();
  const origins = new Map<string, string>();
  let round = 0;
  let answered = new Map<string, InputResponse>();

  const note = <R extends InputResponse>(context: InputContext, by: string, response: R): R => {
    if (context.round !== round) answered = new Map();
    round = context.round;
    answered.set(context.key, response);
    origins.set(`${context.round} ${context.key}`, by);
    return response;
  };
  const take = (context: InputContext): unknown => {
    const value = byKey.get(context.key);
    byKey.delete(context.key);
    return value;
  };

  const elicitForm = async (params: ElicitRequestFormParams, context: InputContext): Promise<ElicitResult> => {
    const keyed = take(context);
    if (keyed !== undefined) return note(context, '--answer', elicitResult(keyed));
    const at = pickForm(forms, used, params);
    if (at !== undefined) {
      used.add(at);
      return note(context, '--elicit', formAnswer(forms[at]!, params));
    }
    if (options.elicitExec !== undefined) {
      return note(
        context,
        '--elicit-exec',
        await askCommand(options.elicitExec, 'elicitation/create', params, context),
      );
    }
    if (given.person === undefined) throw unanswered(context, `for ${fieldsOf(params)}`);
    return note(context, 'terminal', await given.person.askForm(params, context));
  };

  const elicitUrl = async (params: ElicitRequestURLParams, context: InputContext): Promise<ElicitResult> => {
    const keyed = take(context);
    if (keyed !== undefined) return note(context, '--answer', elicitResult(keyed));
    if (options.elicitExec !== undefined) {
      return note(
        context,
        '--elicit-exec',
        await askCommand(options.elicitExec, 'elicitation/create', params, context),
      );
    }
    if (given.person === undefined) throw unanswered(context, `to visit ${params.url}`);
    return note(context, 'terminal', await given.person.askUrl(params, context));
  };

  const text = options.sampling === undefined ? undefined : await samplingText(options.sampling, sources);
  const sample = async (params: CreateMessageRequestParams, context: InputContext): Promise<CreateMessageResult> => {
    const keyed = take(context);
    if (keyed !== undefined) return note(context, '--answer', samplingResult(keyed));
    if (text !== undefined) return note(context, '--sampling', samplingResult(text));
    if (options.samplingExec === undefined) throw unanswered(context, 'for a message from a model');
    const { stdout, status } = await execute(options.samplingExec, 'sampling/createMessage', params, context);
    if (status !== 0) throw failedCommand('--sampling-exec', status, context);
    return note(context, '--sampling-exec', samplingResult(jsonOrText(stdout)));
  };

  const roots = (options.root ?? []).length === 0 ? undefined : rootsOf(options.root ?? [], given.cwd);
  const listRoots = (context: InputContext): readonly Root[] => {
    const keyed = take(context);
    const found = isObject(keyed) && Array.isArray(keyed.roots) ? (keyed.roots as Root[]) : roots;
    if (found === undefined) throw unanswered(context, 'for roots');
    note(context, found === roots ? '--root' : '--answer', { roots: [...found] });
    return found;
  };

  const answers = [...byKey.values()];
  const samples = text !== undefined || options.samplingExec !== undefined || answers.some(isSamplingResult);
  const hasRoots = roots !== undefined || answers.some((value) => isObject(value) && Array.isArray(value.roots));
  return {
    handlers: {
      // What nobody answers now can be answered later, from the saved call: so forms and pages are always declared.
      elicitForm,
      elicitUrl,
      ...(samples ? { sample } : undefined),
      ...(hasRoots ? { roots: listRoots } : undefined),
    },
    origin: (inRound, key) => origins.get(`${inRound} ${key}`),
    given: () => answered,
    unused: () => [...byKey.keys()],
  };
}

async function answersByKey(options: Options, sources: Sources): Promise<Map<string, unknown>> {
  const byKey = new Map<string, unknown>();
  if (options.answers !== undefined) {
    const file = parseJson(await sources.text(options.answers.replace(/^@/, ''), '--answers'), '--answers');
    if (!isObject(file))
      throw new DragomanError('INVALID_ARGUMENT', '--answers: expected a JSON object with answers by key');
    for (const [key, value] of Object.entries(file)) byKey.set(key, value);
  }
  for (const [key, json] of options.answer ?? []) byKey.set(key, await readJson(json, `--answer ${key}`, sources));
  return byKey;
}

/** An answer to an elicitation: the protocol's own, or only the fields. */
function elicitResult(value: unknown): ElicitResult {
  if (isObject(value) && typeof value.action === 'string' && ['accept', 'decline', 'cancel'].includes(value.action)) {
    return value as unknown as ElicitResult;
  }
  if (isObject(value)) return { action: 'accept', content: value as NonNullable<ElicitResult['content']> };
  const shown = JSON.stringify(value);
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `an answer to a form is an object with its fields, or {"action": "decline"}; got ${shown}`,
  );
}

const isAction = (form: JsonObject): boolean =>
  typeof form.action === 'string' && /^(?:accept|decline|cancel)$/.test(form.action);

/** The first `--elicit` that fits the form and was not used yet; else the first that fits. */
function pickForm(
  forms: readonly JsonObject[],
  used: ReadonlySet<number>,
  params: ElicitRequestFormParams,
): number | undefined {
  const required = params.requestedSchema?.required ?? [];
  const fits = forms
    .map((form, at) => ({ form, at }))
    .filter(({ form }) => isAction(form) || required.every((name) => Object.hasOwn(form, name)));
  return (fits.find(({ at }) => !used.has(at)) ?? fits[0])?.at;
}

/** The fields that the form has: one object may answer several forms. */
function formAnswer(form: JsonObject, params: ElicitRequestFormParams): ElicitResult {
  if (isAction(form)) return elicitResult(form);
  const known = Object.keys(params.requestedSchema?.properties ?? {});
  const entries = Object.entries(form).filter(([name]) => known.includes(name));
  return { action: 'accept', content: Object.fromEntries(entries) as NonNullable<ElicitResult['content']> };
}

const fieldsOf = (params: ElicitRequestFormParams): string =>
  Object.keys(params.requestedSchema?.properties ?? {}).join(', ') || 'consent';

async function askCommand(
  command: string,
  method: string,
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  context: InputContext,
): Promise<ElicitResult> {
  const { stdout, status } = await execute(command, method, params, context);
  if (status !== 0) throw failedCommand('--elicit-exec', status, context);
  return elicitResult(parseJson(stdout, '--elicit-exec'));
}

const execute = (command: string, method: string, params: object, context: InputContext) =>
  runCommand(
    command,
    `${JSON.stringify({ method, params })}\n`,
    { DRAGOMAN_KEY: context.key, DRAGOMAN_SERVER: context.server },
    context.signal,
  );

const failedCommand = (option: string, status: number | string, context: InputContext): DragomanError =>
  new DragomanError(
    'INPUT_REQUIRED',
    `${option} ended with ${status} and did not answer ${JSON.stringify(context.key)}`,
    {
      details: { key: context.key },
    },
  );

async function samplingText(text: string, sources: Sources): Promise<unknown> {
  return text.startsWith('@') ? jsonOrText(await sources.text(text.slice(1), '--sampling')) : text;
}

function jsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isSamplingResult(value) ? value : text.trimEnd();
  } catch {
    return text.trimEnd();
  }
}

const isSamplingResult = (value: unknown): boolean =>
  isObject(value) && typeof value.role === 'string' && value.content !== undefined;

function samplingResult(value: unknown): CreateMessageResult {
  if (isSamplingResult(value)) return { model: 'unknown', ...(value as JsonObject) } as unknown as CreateMessageResult;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { role: 'assistant', model: 'dragoman', stopReason: 'endTurn', content: { type: 'text', text } };
}

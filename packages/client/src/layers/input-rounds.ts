import {
  type ClientCapabilities,
  DragomanError,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type Exchange,
  type Implementation,
  type InputRequest,
  type InputResponse,
  type InputResponses,
  methodRow,
  type Request,
  type Result,
  type SchemaEngine,
  show,
} from '@dragoman/protocol';
import { listenAbort, unlistenAbort } from '../abort.ts';
import type { Clock } from '../clock.ts';
import type { Warning } from '../events.ts';
import { answer, kindOf, unanswerable } from '../input/answers.ts';
import {
  type Asked,
  continuationOf,
  type InputRequired,
  readAsked,
  withInput,
  withoutInput,
} from '../input/continuation.ts';
import { checkContent, readForm } from '../input/form-check.ts';
import type { InputContext, InputHandlers } from '../input/handlers.ts';
import { type ClientIO, never } from '../io.ts';
import type { ClientLimits } from '../options.ts';
import { abortedError, nameOf } from './deadline.ts';

/** One round of questions, for display and logs: what kind they were and what came of them, never what they held. */
export interface RoundReport {
  /** From 1. */
  readonly round: number;
  /** The call's method. */
  readonly method: string;
  /** Empty where the server only handed over a new `requestState`. */
  readonly inputs: readonly InputReport[];
  /** Whether a `requestState` came with it. */
  readonly requestState: boolean;
  /** Until everything was answered, in milliseconds. */
  readonly durationMs: number;
}

/** One question of a round. */
export interface InputReport {
  /** The server's own name for it. */
  readonly key: string;
  /** What is asked, such as `elicitation/create`. */
  readonly method: string;
  /** Of an elicitation. */
  readonly mode?: 'form' | 'url' | undefined;
  /** What the user did, or `answered` for what no user was asked. */
  readonly outcome: 'accept' | 'decline' | 'cancel' | 'answered';
}

/** What the input rounds layer is told once. */
export interface InputRoundsSettings {
  readonly handlers: InputHandlers;
  /** As they are declared to the server. */
  readonly capabilities: ClientCapabilities;
  readonly limits: ClientLimits;
  readonly resultTypes: ReadonlySet<string>;
  readonly clock: Clock;
  readonly target: string;
  readonly identity: string;
  readonly serverInfo: () => Implementation | undefined;
  /** Aborts with a DragomanError when the connection has ended: nothing can come of an answer then. */
  readonly ended: AbortSignal;
  readonly warn: (warning: Warning) => void;
  /** Calls a function of the user's; one that throws does not end the call. */
  readonly callBack: (name: string, call: () => unknown) => void;
  readonly engine: () => Promise<SchemaEngine>;
}

const answered = new WeakSet<Result>();

/** Whether a result came after questions were answered: such a one may not be kept (server/utilities/caching, "Cache Key"). */
export const cameAfterInput = (result: Result): boolean => answered.has(result);

/**
 * Reads `resultType` before anything else of a result (basic, "resultType"), has the server's questions answered, and
 * sends the call again with the answers until there is a result (basic/patterns/mrtr).
 */
export function inputRounds(next: Exchange, settings: InputRoundsSettings): Exchange {
  let warned = false;

  const isFinal = (request: Request, result: Result): boolean => {
    const type: unknown = result.resultType;
    if (type === 'complete') return true;
    if (type === 'input_required') {
      if (methodRow(request.method)?.mayRequireInput === true) return false;
      throw new DragomanError(
        'PROTOCOL_VIOLATION',
        `The server asks for input in answer to ${request.method}, which only tools/call, prompts/get and resources/read may`,
        { details: { method: request.method } },
      );
    }
    if (type === undefined || type === null) {
      if (!warned) {
        warned = true;
        settings.warn({
          kind: 'result-type',
          message: `A result of ${request.method} has no "resultType" and was read as complete; every server of 2026-07-28 sends it`,
        });
      }
      return true;
    }
    if (typeof type === 'string' && settings.resultTypes.has(type)) return true;
    throw new DragomanError(
      'PROTOCOL_VIOLATION',
      `The server answered ${request.method} with the unknown resultType ${show(type)}; if it belongs to an extension that you declare, name it in "resultTypes"`,
      { details: { method: request.method, resultType: type } },
    );
  };

  return async (request, io: ClientIO) => {
    const result = await next(request, io);
    if (isFinal(request, result)) return result;
    const plain = withoutInput(request);
    let asking = result;
    let idle = 0;
    for (let round = 1; ; round++) {
      const asked = readAsked(asking, nameOf(request));
      const continuation = () => continuationOf(plain, asked, settings.identity);
      if (io.options?.onInputRequired === 'return') {
        return { ...asking, continuation: continuation() } as InputRequired;
      }
      idle = asked.keys.length === 0 ? idle + 1 : 0;
      if (round > settings.limits.rounds || idle >= settings.limits.idleRounds) {
        const what =
          idle >= settings.limits.idleRounds
            ? `${idle} times in a row without asking anything`
            : `more than ${settings.limits.rounds} times`;
        throw new DragomanError('INPUT_LOOP', `The server answered ${nameOf(request)} with input_required ${what}`, {
          details: { rounds: round - 1, continuation: continuation() },
        });
      }
      refuseUnanswerable(plain, asked, settings, continuation);

      const started = settings.clock.monotonic();
      let answers: InputResponses | undefined;
      try {
        if (asked.keys.length > 0) answers = await new Round(plain, io, asked, round, settings).answers();
      } catch (reason) {
        throw leftUnanswered(reason, continuation);
      }
      const report = reportOf(plain, asked, answers ?? {}, round, settings.clock.monotonic() - started);
      io.report?.rounds.push(report);
      if (io.options?.onRound !== undefined) settings.callBack('onRound', () => io.options?.onRound?.(report));
      asking = await next(withInput(plain, answers, asked.state), io);
      if (isFinal(request, asking)) {
        answered.add(asking);
        return asking;
      }
    }
  };
}

/** Before anyone is bothered with a question: nobody should fill in a form for a call that cannot go on. */
function refuseUnanswerable(
  request: Request,
  asked: Asked,
  settings: InputRoundsSettings,
  continuation: () => unknown,
): void {
  const problems: string[] = [];
  for (const key of asked.keys) {
    const problem = unanswerable(asked.requests[key] as InputRequest, settings.handlers, settings.capabilities);
    if (problem !== undefined) problems.push(`${show(key)} ${problem}`);
  }
  if (problems.length === 0) return;
  throw new DragomanError(
    'INPUT_REQUIRED',
    `${nameOf(request)} needs input that nobody here gives: ${problems.join('; ')}. Or go on by hand with client.resume() and the continuation in this error's details`,
    { details: { continuation: continuation() } },
  );
}

/** A handler that has no answer says so with `INPUT_REQUIRED`: the call can be gone on with from its continuation. */
function leftUnanswered(reason: unknown, continuation: () => unknown): unknown {
  if (!(reason instanceof DragomanError) || reason.code !== 'INPUT_REQUIRED') return reason;
  return new DragomanError(reason.code, reason.message, {
    cause: reason,
    details: { ...reason.details, continuation: continuation() },
  });
}

/** The questions of one round while they are being answered. */
class Round {
  readonly #request: Request;
  readonly #io: ClientIO;
  readonly #asked: Asked;
  readonly #round: number;
  readonly #settings: InputRoundsSettings;
  readonly #controller = new AbortController();

  constructor(request: Request, io: ClientIO, asked: Asked, round: number, settings: InputRoundsSettings) {
    this.#request = request;
    this.#io = io;
    this.#asked = asked;
    this.#round = round;
    this.#settings = settings;
  }

  /** Settles as soon as all are answered, one fails, or the call is given up; then the other handlers are told to stop. */
  answers(): Promise<InputResponses> {
    const { signal } = this.#io;
    const { ended } = this.#settings;
    return new Promise((resolve, reject) => {
      const done = (): void => {
        unlistenAbort(signal, onAbort);
        unlistenAbort(ended, onEnd);
      };
      const fail = (reason: unknown): void => {
        done();
        reject(reason);
        this.#controller.abort(reason);
      };
      const onAbort = (): void => fail(abortedError(this.#request, signal));
      const onEnd = (): void => fail(abortedError(this.#request, ended));
      if (signal.aborted || ended.aborted) {
        if (signal.aborted) onAbort();
        else onEnd();
        return;
      }
      if (signal !== never) listenAbort(signal, onAbort);
      listenAbort(ended, onEnd);
      this.#askAll().then((answers) => {
        done();
        resolve(answers);
      }, fail);
    });
  }

  async #askAll(): Promise<InputResponses> {
    // There is one user: the two kinds of elicitation take turns. Models and roots need not wait for that.
    let turn: Promise<unknown> = Promise.resolve();
    const answers = this.#asked.keys.map((key) => {
      const kind = kindOf(this.#asked.requests[key] as InputRequest);
      if (kind !== 'form' && kind !== 'url') return this.#ask(key);
      const mine = turn.then(() => this.#ask(key));
      turn = mine;
      return mine;
    });
    const given = await Promise.all(answers);
    // Not by assignment: a key may be __proto__.
    return Object.fromEntries(this.#asked.keys.map((key, at) => [key, given[at] as InputResponse]));
  }

  async #ask(key: string): Promise<InputResponse> {
    // A turn that comes after another one failed is not taken any more.
    this.#controller.signal.throwIfAborted();
    const question = this.#asked.requests[key] as InputRequest;
    const kind = kindOf(question);
    if (kind === 'form') return this.#askForm(key, question.params as ElicitRequestFormParams);
    if (kind === 'url') {
      const { url } = question.params as Partial<ElicitRequestURLParams>;
      if (typeof url !== 'string' || !URL.canParse(url)) return this.#cancel(key, `${show(url)} is no URL`);
      // Whoever opens it hands it to the system, which would run what others lead to.
      const { protocol } = new URL(url);
      if (protocol !== 'https:' && protocol !== 'http:') return this.#cancel(key, `${show(url)} is no web address`);
    }
    return answer(question, this.#settings.handlers, this.#context(key));
  }

  async #askForm(key: string, given: Partial<ElicitRequestFormParams> | undefined): Promise<InputResponse> {
    const form = await readForm(given?.requestedSchema, this.#settings.engine);
    if ('problem' in form) return this.#cancel(key, form.problem);
    const params = { ...given, requestedSchema: form.schema } as ElicitRequestFormParams;
    const question: InputRequest = { method: 'elicitation/create', params };
    const response = (await answer(question, this.#settings.handlers, this.#context(key))) as ElicitResult;
    if (response.action === 'accept') checkContent(key, form, response.content);
    return response;
  }

  /** What nobody can be shown is answered for them, where a person can see why. */
  #cancel(key: string, problem: string): ElicitResult {
    this.#settings.warn({
      kind: 'elicitation',
      message: `The question ${show(key)} of ${nameOf(this.#request)} cannot be shown: ${problem}. It was answered with "cancel"`,
      details: { key, problem },
    });
    return { action: 'cancel' };
  }

  #context(key: string): InputContext {
    const { name, uri } = this.#request.params;
    return {
      key,
      method: this.#request.method,
      name: typeof name === 'string' ? name : typeof uri === 'string' ? uri : undefined,
      round: this.#round,
      server: this.#settings.target,
      serverInfo: this.#settings.serverInfo(),
      signal: this.#controller.signal,
    };
  }
}

function reportOf(
  request: Request,
  asked: Asked,
  answers: InputResponses,
  round: number,
  durationMs: number,
): RoundReport {
  const inputs = asked.keys.map((key): InputReport => {
    const question = asked.requests[key] as InputRequest;
    const kind = kindOf(question);
    if (kind !== 'form' && kind !== 'url') return { key, method: question.method, outcome: 'answered' };
    return { key, method: question.method, mode: kind, outcome: (answers[key] as ElicitResult).action };
  });
  return { round, method: request.method, inputs, requestState: asked.state !== undefined, durationMs };
}

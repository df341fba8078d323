import {
  type ClientCapabilities,
  DragomanError,
  ErrorCode,
  type InputRequest,
  type InputRequests,
  type InputRequiredResult,
  invalidParams,
  McpError,
  missingCapability,
  type Request,
} from '@dragoman/protocol';
import { missingCapabilities } from '../capabilities.ts';
import type { Reports } from '../reports.ts';
import { checkAnswer } from './answers.ts';
import { canonicalJson } from './canonical.ts';
import { capabilitiesFor } from './gates.ts';
import { Unanswered } from './input-required.ts';
import { checkQuestion, warnOfRisks } from './question.ts';
import type { StateSeal } from './seal.ts';

/** What travels inside `requestState`. Lists of pairs, because a key may be any string. */
interface Carried {
  /** Answers of earlier rounds: key, fingerprint of the question, answer. */
  a?: [string, string, unknown][];
  /** What was asked in the last round: key, fingerprint, method. */
  q?: [string, string, InputRequest['method']][];
  /** Kept values of `ctx.step`; a pair without a value holds undefined. */
  s?: [string, unknown?][];
  /** State given by hand. */
  u?: unknown;
}

/** What a round needs of its surroundings. */
export interface RoundHost {
  readonly seal: StateSeal;
  readonly reports: Reports;
}

/**
 * One try of a call that may ask: the answers that came with it and those of earlier tries, and what it asks in turn
 * (basic/patterns/mrtr). Everything that outlives the try travels in `requestState`.
 */
export class InputRound {
  readonly #host: RoundHost;
  readonly #request: Request;
  readonly #principal: string | undefined;
  readonly #capabilities: ClientCapabilities;
  /** The client's answers of this try, unchecked. */
  readonly responses: { readonly [key: string]: unknown };
  /** Fingerprints of what the last try asked; undefined where no state came along to say so. */
  #asked: ReadonlyMap<string, string> | undefined;
  readonly #earlier = new Map<string, { readonly print: string; readonly answer: unknown }>();
  readonly #steps = new Map<string, unknown>();
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #used = new Set<string>();
  readonly #requests = new Map<string, { readonly request: InputRequest; readonly print: string }>();
  /** State given by hand on the last try. */
  state: unknown;
  /** The first thing that was wrong with an answer: it ends the call, whatever the handler makes of it. */
  fault: McpError | undefined;

  /**
   * A round for a call that came without answers and state.
   *
   * @param principal who asks, where that is known
   */
  constructor(host: RoundHost, request: Request, principal: string | undefined, capabilities: ClientCapabilities) {
    this.#host = host;
    this.#request = request;
    this.#principal = principal;
    this.#capabilities = capabilities;
    this.responses = (request.params.inputResponses ?? {}) as InputRound['responses'];
  }

  /** Takes in what came with the call. @throws McpError -32602 for a state that is not this caller's and call's, or has expired */
  async open(): Promise<void> {
    const { requestState } = this.#request.params;
    if (requestState !== undefined && requestState !== null) await this.#restore(requestState as string);
  }

  async #restore(requestState: string): Promise<void> {
    const opened = await this.#host.seal.open(requestState, bindingOf(this.#request, this.#principal));
    if ('fault' in opened) {
      throw invalidParams(
        opened.fault === 'expired'
          ? 'requestState has expired; call again without it'
          : 'requestState is not valid for this caller and this request; call again without it',
      );
    }
    const carried = opened.state as Carried;
    this.#asked = new Map(carried.q?.map(([key, print]) => [key, print]));
    for (const [key, , method] of carried.q ?? []) {
      const answer = Object.hasOwn(this.responses, key) ? this.responses[key] : undefined;
      if (answer === undefined || answer === null) continue;
      const problem = checkAnswer(method, answer);
      if (problem !== undefined) throw this.refuse(key, problem);
    }
    for (const [key, print, answer] of carried.a ?? []) this.#earlier.set(key, { print, answer });
    for (const [key, value] of carried.s ?? []) this.#steps.set(key, value);
    this.state = carried.u;
  }

  /** The answers of this try for a handler that asks by hand: to what was asked, where the state says what that was. */
  given(): { readonly [key: string]: unknown } {
    const given: [string, unknown][] = [];
    for (const key of this.#asked?.keys() ?? Object.keys(this.responses)) {
      const answer = Object.hasOwn(this.responses, key) ? this.responses[key] : undefined;
      if (answer === undefined || answer === null) continue;
      if (typeof answer !== 'object' || Array.isArray(answer)) throw this.refuse(key, 'must be an object');
      given.push([key, answer]);
    }
    return Object.fromEntries(given);
  }

  /** Whether the try has to end with questions. */
  get asking(): boolean {
    return this.#requests.size > 0;
  }

  /**
   * The answer to a question, its shape checked. Without one, notes the question and throws {@link Unanswered}.
   *
   * @param print fingerprint of the question: an answer counts only for the very question that was asked
   * @throws McpError -32021 where the client cannot be asked, -32602 for a malformed answer
   */
  answer(key: string, request: InputRequest, print: string): unknown {
    this.#claim(key);
    const answer = this.#find(key, print);
    if (answer === undefined) {
      this.#note(key, request, print);
      throw new Unanswered(key);
    }
    const problem = checkAnswer(request.method, answer);
    if (problem !== undefined) throw this.refuse(key, problem);
    this.#earlier.set(key, { print, answer });
    return answer;
  }

  /**
   * Notes a question that was put by hand.
   *
   * @throws McpError -32021 where the client cannot be asked; DragomanError for what is no question
   */
  put(key: string, request: InputRequest): void {
    this.#claim(key);
    checkQuestion(key, request);
    this.#note(key, request, '');
  }

  #note(key: string, request: InputRequest, print: string): void {
    this.#gate(request);
    warnOfRisks(request, this.#host.reports);
    this.#requests.set(key, { request, print });
  }

  /** Makes the error for an answer that cannot be used, and remembers it. */
  refuse(key: string, problem: string): McpError {
    const error = new McpError(
      ErrorCode.InvalidParams,
      `Invalid params: inputResponses[${JSON.stringify(key)}]: ${problem}`,
    );
    this.fault ??= error;
    return error;
  }

  #claim(key: string): void {
    if (typeof key !== 'string' || key === '') {
      throw new DragomanError(
        'INVALID_ARGUMENT',
        `A question needs a key, a non-empty string; got ${JSON.stringify(key)}`,
      );
    }
    if (this.#used.has(key)) {
      throw new DragomanError(
        'INVALID_ARGUMENT',
        `The key ${JSON.stringify(key)} was used for a question before; each question of a call needs its own`,
      );
    }
    this.#used.add(key);
  }

  #find(key: string, print: string): unknown {
    const earlier = this.#earlier.get(key);
    const given = Object.hasOwn(this.responses, key) ? this.responses[key] : undefined;
    const asked = this.#asked?.get(key);
    // With a state that names what was asked, an answer to anything else is none that was wanted.
    const answer = given !== null && (this.#asked === undefined || asked !== undefined) ? given : undefined;
    if (answer !== undefined && (asked === undefined || asked === print)) return answer;
    if (earlier?.print === print) return earlier.answer;
    if (answer !== undefined || earlier !== undefined) {
      this.#earlier.delete(key);
      this.#host.reports.warning(
        'QUESTION_CHANGED',
        `The question ${JSON.stringify(key)} is not the one that was answered, so it is asked again. Keep what varies between tries with ctx.step`,
      );
    }
    return undefined;
  }

  #gate(request: InputRequest): void {
    const missing = missingCapabilities(capabilitiesFor(request), this.#capabilities);
    if (missing !== undefined) throw missingCapability(`The client cannot be asked: ${request.method}`, missing);
  }

  /** Keeps the value of a step over the tries of a call. */
  step<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    if (this.#steps.has(key)) return Promise.resolve(this.#steps.get(key) as T);
    let running = this.#running.get(key) as Promise<T> | undefined;
    if (running === undefined) {
      running = this.#compute(key, compute);
      this.#running.set(key, running);
    }
    return running;
  }

  async #compute<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    const value = await compute();
    this.#steps.set(key, value);
    return value;
  }

  /**
   * The result that asks what was noted. It always has a `requestState`: besides what is kept it says what was asked, so
   * that an answer given to one question is never taken for another's.
   *
   * @param state given by hand
   * @throws McpError -32603 where the state would be longer than allowed
   */
  async result(state: unknown): Promise<InputRequiredResult> {
    const inputRequests: InputRequests = {};
    const carried: Carried = {};
    if (this.#requests.size > 0) carried.q = [];
    for (const [key, { request, print }] of this.#requests) {
      Object.defineProperty(inputRequests, key, {
        value: request,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      carried.q?.push([key, print, request.method]);
    }
    this.#keepUnread();
    if (this.#earlier.size > 0) carried.a = [...this.#earlier].map(([key, { print, answer }]) => [key, print, answer]);
    if (this.#steps.size > 0)
      carried.s = [...this.#steps].map(([key, value]) => (value === undefined ? [key] : [key, value]));
    if (state !== undefined) carried.u = state;
    const requestState = await this.#seal(carried);
    if (requestState.length > this.#host.seal.maxLength) {
      throw new McpError(
        ErrorCode.InternalError,
        `requestState would be ${requestState.length} characters long, over the limit of ${this.#host.seal.maxLength}; keep less in ctx.step, or raise requestState.maxLength`,
      );
    }
    return this.#requests.size > 0
      ? { resultType: 'input_required', inputRequests, requestState }
      : { resultType: 'input_required', requestState };
  }

  async #seal(carried: Carried): Promise<string> {
    const binding = bindingOf(this.#request, this.#principal);
    try {
      return await this.#host.seal.seal(carried, binding);
    } catch (error) {
      throw error instanceof RangeError && carried.a !== undefined
        ? tooDeep('an answer in params.inputResponses')
        : error;
    }
  }

  /** Answers to what was asked that this try did not come to read. */
  #keepUnread(): void {
    for (const [key, print] of this.#asked ?? []) {
      if (this.#used.has(key) || !Object.hasOwn(this.responses, key)) continue;
      const answer = this.responses[key];
      if (answer !== undefined && answer !== null) this.#earlier.set(key, { print, answer });
    }
  }
}

/**
 * What a state belongs to: the caller, the method, and whatever the call is about.
 *
 * @throws McpError -32602 for arguments that nest too deeply to be written down
 */
function bindingOf(request: Request, principal: string | undefined): string {
  const { name, uri, arguments: args } = request.params;
  try {
    return canonicalJson([principal ?? null, request.method, name ?? uri, args ?? {}]);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep('params.arguments') : error;
  }
}

/** How deep a value of its own goes is the client's doing, not a fault of the server. */
const tooDeep = (what: string): McpError => invalidParams(`Invalid params: ${what} nests too deeply to be kept`);

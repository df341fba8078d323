import {
  type AuthInfo,
  type ClientCapabilities,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  DragomanError,
  type ElicitResult,
  type ExchangeIO,
  type Implementation,
  type InputRequest,
  type InputRequiredResult,
  type InputResponse,
  type ListRootsResult,
  type LoggingLevel,
  loggingLevels,
  MetaKey,
  type Notification,
  type Request,
  type RequestMeta,
  type Root,
} from '@dragoman/protocol';
import { missingCapabilities } from './capabilities.ts';
import { canonicalJson, fingerprint } from './input/canonical.ts';
import type { Forms } from './input/form.ts';
import { InputDeclinedError } from './input/input-required.ts';
import { checkMessage } from './input/question.ts';
import { InputRound, type RoundHost } from './input/round.ts';
import { checkSampling } from './input/sampling.ts';
import { checkUrl } from './input/url.ts';
import { type AnySchema, describeIssues, type OutputOf } from './schema/check.ts';

/** What the client says of itself in this very request. */
export interface ClientView {
  /** Its software. Self-reported: for display and logs, never for decisions. */
  readonly info: Implementation | undefined;
  /** What it can be asked; {@link Context.can} reads it. */
  readonly capabilities: ClientCapabilities;
  /** The revision the request is written in. */
  readonly version: string;
}

/** Something a client may or may not be able to be asked. */
export type Askable = 'form' | 'url' | 'sampling' | 'sampling.tools' | 'sampling.context' | 'roots';

/** What a handler knows and can do while it answers one request. Useless once the request is answered. */
export interface Context {
  /** Aborts when the client gave up, or the server shuts down. */
  readonly signal: AbortSignal;
  /** Who asks, where the transport's authentication could find out. */
  readonly auth: AuthInfo | undefined;
  /** What the client says of itself in this request. */
  readonly client: ClientView;
  /** `_meta` of the request. */
  readonly meta: RequestMeta;

  /**
   * Tells the client how far the work is, where it asked to be told (basic/patterns/progress).
   *
   * @param progress must grow with every call; one that does not is dropped with a warning
   * @param total what `progress` will be in the end, where that is known
   * @param message for people
   */
  progress(progress: number, total?: number, message?: string): void;

  /**
   * Sends a log message, where the client asked for messages of this severity (server/utilities/logging). Nothing is
   * sent otherwise, nor with the server option `logging: false`.
   *
   * @param data any JSON value
   * @param logger which logger it comes from
   * @deprecated with logging, since 2026-07-28; still served. Write to stderr, or use OpenTelemetry.
   */
  log(level: LoggingLevel, data: unknown, logger?: string): void;

  /** Whether the client declared, with this request, that it can be asked. `elicitation: {}` means forms only. */
  can(what: Askable): boolean;

  /**
   * Asks the user to fill in a form. Without an answer yet, it leaves the handler: the client is asked, and the handler
   * runs again from the top with the answer at hand. Several questions may be asked at once, with `Promise.all`: promises
   * that are made of questions and awaited one after the other are rejected while nobody handles them.
   *
   * The answer counts only for this very message and schema: where they vary from run to run, the question is asked
   * again. Keep what varies with {@link step}.
   *
   * @param key names the question within the call
   * @param question `schema`: one level of text, number, yes-or-no and choice fields (client/elicitation, "Requested Schema")
   * @returns the content as the schema makes it
   * @throws InputDeclinedError where the user says no; McpError -32021 where the client cannot be asked; DragomanError
   * `INVALID_SCHEMA` for a schema that is no form
   */
  elicit<const S extends AnySchema>(key: string, question: { message: string; schema: S }): Promise<OutputOf<S>>;

  /**
   * Asks the user to visit a page, such as a login elsewhere. Resolves once the user agreed to go, which says nothing of
   * what happened there: find that out by other means, and ask again under another key where it did not
   * (client/elicitation, "URL Mode").
   *
   * @throws InputDeclinedError, McpError and DragomanError as {@link elicit} does
   */
  elicitUrl(key: string, question: { message: string; url: string }): Promise<void>;

  /**
   * Asks the client for a message of a model (client/sampling). @deprecated since 2026-07-28; still served.
   *
   * @throws McpError -32021 where the client cannot be asked, or not with tools or context
   */
  sample(key: string, params: CreateMessageRequestParams): Promise<CreateMessageResult>;

  /** Asks the client for its roots (client/roots). @deprecated since 2026-07-28; still served. @throws McpError -32021 */
  roots(key?: string): Promise<readonly Root[]>;

  /**
   * Does something once in all runs of the handler, and keeps its outcome: work before a question is not done twice, and
   * a value that varies stays the same. The value travels through the client, sealed, so keep it small; JSON only. A step
   * that is still going on when a question ends the run is not kept.
   */
  step<T>(key: string, compute: () => T | Promise<T>): Promise<T>;

  /** For questions by hand, see `inputRequired`: the client's answers to the last ones, by key. */
  readonly inputResponses: { readonly [key: string]: InputResponse };
  /** For questions by hand: the state that was given with the last ones. */
  readonly state: unknown;
}

/** What the contexts of one server share. */
export interface ContextHost extends RoundHost {
  readonly logging: boolean;
  readonly forms: Forms;
}

const askables: { readonly [A in Askable]: ClientCapabilities } = {
  form: { elicitation: { form: {} } },
  url: { elicitation: { url: {} } },
  sampling: { sampling: {} },
  'sampling.tools': { sampling: { tools: {} } },
  'sampling.context': { sampling: { context: {} } },
  roots: { roots: {} },
};

/** The context of one call. Nothing in it is made before it is asked for. */
export class CallContext implements Context {
  readonly #host: ContextHost;
  readonly #request: Request;
  readonly #io: ExchangeIO;
  #round: InputRound | undefined;
  #client: ClientView | undefined;
  #progress = Number.NEGATIVE_INFINITY;
  #done = false;

  constructor(host: ContextHost, request: Request, io: ExchangeIO) {
    this.#host = host;
    this.#request = request;
    this.#io = io;
  }

  /** Opens what the client sent along with another try of its call. @throws McpError -32602 */
  async open(): Promise<void> {
    await this.#rounds().open();
  }

  /** What was asked and answered so far; undefined where nothing was. */
  get round(): InputRound | undefined {
    return this.#round;
  }

  /** The request is answered: nothing more goes out for it. */
  finish(): void {
    this.#done = true;
  }

  get signal(): AbortSignal {
    return this.#io.signal;
  }

  get auth(): AuthInfo | undefined {
    return this.#io.auth;
  }

  get meta(): RequestMeta {
    return this.#request.params._meta ?? {};
  }

  get client(): ClientView {
    const { meta } = this;
    const info: unknown = meta[MetaKey.clientInfo];
    this.#client ??= {
      info: typeof info === 'object' && info !== null ? (info as Implementation) : undefined,
      capabilities: meta[MetaKey.clientCapabilities] ?? {},
      version: meta[MetaKey.protocolVersion] ?? '',
    };
    return this.#client;
  }

  progress(progress: number, total?: number, message?: string): void {
    const token: unknown = this.#request.params._meta?.progressToken;
    if (this.#done || (typeof token !== 'string' && !Number.isFinite(token))) return;
    if (typeof progress !== 'number' || !(progress > this.#progress) || progress === Number.POSITIVE_INFINITY) {
      this.#host.reports.warning(
        'PROGRESS_ORDER',
        `${this.#request.method} ${JSON.stringify(this.#subject)} reported progress ${String(progress)} after ${this.#progress}; it has to grow, so it was not sent`,
      );
      return;
    }
    this.#progress = progress;
    const params: { [member: string]: unknown } = { progressToken: token, progress };
    if (total !== undefined) params.total = total;
    if (message !== undefined) params.message = message;
    this.#tell({ method: 'notifications/progress', params });
  }

  log(level: LoggingLevel, data: unknown, logger?: string): void {
    const threshold: LoggingLevel | null | undefined = this.#request.params._meta?.[MetaKey.logLevel];
    if (this.#done || !this.#host.logging || threshold === undefined || threshold === null) return;
    const severity = loggingLevels.indexOf(level);
    if (severity < 0) {
      throw new DragomanError(
        'INVALID_ARGUMENT',
        `Unknown log level ${JSON.stringify(level)}; use one of ${loggingLevels.join(', ')}`,
      );
    }
    if (severity < loggingLevels.indexOf(threshold)) return;
    // The message is nothing without `data` (schema, `LoggingMessageNotificationParams`).
    const told = data === undefined ? null : data;
    this.#tell({
      method: 'notifications/message',
      params: logger === undefined ? { level, data: told } : { level, logger, data: told },
    });
  }

  get #subject(): string | undefined {
    return (this.#request.params.name ?? this.#request.params.uri) as string | undefined;
  }

  /** What cannot be told is reported: a call must not fail because its client asked to be told of it. */
  #tell(notification: Notification): void {
    try {
      this.#io.notify(notification);
    } catch (error) {
      this.#host.reports.error(error, this.#request.method, this.#subject);
    }
  }

  can(what: Askable): boolean {
    return missingCapabilities(askables[what], this.client.capabilities) === undefined;
  }

  elicit<const S extends AnySchema>(key: string, question: { message: string; schema: S }): Promise<OutputOf<S>> {
    return handled(this.#elicit(key, question)) as Promise<OutputOf<S>>;
  }

  async #elicit(key: string, { message, schema }: { message: string; schema: AnySchema }): Promise<unknown> {
    checkMessage(message);
    const form = this.#host.forms.of(schema);
    const { requestedSchema } = form;
    const request: InputRequest = { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
    const print = fingerprint(canonicalJson([message, requestedSchema]));
    const answer = this.#ask(key, request, print) as ElicitResult;
    if (answer.action !== 'accept') throw new InputDeclinedError(key, answer.action, message);
    const checked = await form.check.check(answer.content ?? {});
    if (checked.issues !== undefined) throw this.#rounds().refuse(key, describeIssues(checked.issues));
    return checked.value;
  }

  elicitUrl(key: string, question: { message: string; url: string }): Promise<void> {
    return handled(this.#elicitUrl(key, question));
  }

  async #elicitUrl(key: string, { message, url }: { message: string; url: string }): Promise<void> {
    checkMessage(message);
    checkUrl(url);
    // The address may carry something that is new with every run; what the user agrees to is the message.
    const print = fingerprint(message);
    const answer = this.#ask(
      key,
      { method: 'elicitation/create', params: { mode: 'url', message, url } },
      print,
    ) as ElicitResult;
    if (answer.action !== 'accept') throw new InputDeclinedError(key, answer.action, message);
  }

  sample(key: string, params: CreateMessageRequestParams): Promise<CreateMessageResult> {
    return handled(this.#sample(key, params));
  }

  async #sample(key: string, params: CreateMessageRequestParams): Promise<CreateMessageResult> {
    checkSampling(params);
    return this.#ask(key, { method: 'sampling/createMessage', params }, '') as CreateMessageResult;
  }

  roots(key = 'roots'): Promise<readonly Root[]> {
    return handled(this.#roots(key));
  }

  async #roots(key: string): Promise<readonly Root[]> {
    return (this.#ask(key, { method: 'roots/list' }, '') as ListRootsResult).roots;
  }

  step<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    return handled(this.#rounds().step(key, compute));
  }

  get inputResponses(): { readonly [key: string]: InputResponse } {
    return (this.#round?.given() ?? {}) as { readonly [key: string]: InputResponse };
  }

  get state(): unknown {
    return this.#round?.state;
  }

  #ask(key: string, request: InputRequest, print: string): unknown {
    if (this.#done) {
      throw new DragomanError(
        'ABORTED',
        `The question ${JSON.stringify(key)} comes too late: the handler has returned. Await what asks before it does`,
      );
    }
    return this.#rounds().answer(key, request, print);
  }

  #rounds(): InputRound {
    this.#round ??= new InputRound(this.#host, this.#request, this.#io.auth?.principal, this.client.capabilities);
    return this.#round;
  }

  /** Questions put by hand, beside those asked with the methods above. @throws McpError -32021 */
  put(requests: { readonly [key: string]: InputRequest }): void {
    const round = this.#rounds();
    for (const key of Object.keys(requests)) round.put(key, requests[key] as InputRequest);
  }

  /** The result that asks. @throws McpError -32603 */
  questions(state?: unknown): Promise<InputRequiredResult> {
    return this.#rounds().result(state);
  }
}

/** A question that nobody waits for is asked all the same: its promise must not bring the process down. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(nothing);
  return promise;
}

const nothing = (): void => {};

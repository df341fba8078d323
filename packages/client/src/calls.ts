import {
  DragomanError,
  type Exchange,
  type LoggingMessageNotificationParams,
  type Middleware,
  type Notification,
  type Progress,
  type Request,
  type RequestParams,
  type Result,
  show,
} from '@dragoman/protocol';
import { untilAborted } from './abort.ts';
import { checkDuration, checkSignal, checkWait } from './check-options.ts';
import type { Clock } from './clock.ts';
import type { Hub } from './hub.ts';
import { type ClientIO, ignore, type MutableReplyInfo, never } from './io.ts';
import { abortedError, type Leg, nameOf } from './layers/deadline.ts';
import { withinMaxTime } from './layers/max-time.ts';
import type { CallOptions } from './options.ts';

/** What the calls of a client have in common. */
export interface CallsSettings {
  readonly core: Exchange;
  readonly middleware: readonly Middleware[] | undefined;
  readonly clock: Clock;
  /** Default of `CallOptions.maxTime`. */
  readonly maxTime: number;
  readonly onLog: ((message: LoggingMessageNotificationParams) => void) | undefined;
  readonly hub: Hub;
  /** Requests that are on their way. */
  readonly legs: Leg[];
  readonly target: string;
}

/** Sends requests through everything that is wrapped around a wire, and tells their callers what happens meanwhile. */
export class Calls {
  readonly #settings: CallsSettings;
  #middleware: readonly Middleware[];
  readonly #plain: ClientIO;
  #exchange: Exchange;
  #closed = false;

  constructor(settings: CallsSettings) {
    this.#settings = settings;
    this.#middleware = [...(settings.middleware ?? [])];
    this.#exchange = this.#wrap(this.#middleware);
    const { onLog } = settings;
    const notify =
      onLog === undefined ? ignore : (notification: Notification) => this.#route(notification, undefined, onLog);
    this.#plain = Object.freeze({ signal: never, notify });
  }

  /** Everything as one exchange, middleware included. */
  readonly exchange: Exchange = (request, io) => {
    if (this.#closed) return Promise.reject(this.#closedError(request));
    return this.#exchange(request, io);
  };

  use(middleware: Middleware): () => void {
    if (typeof middleware !== 'function') {
      throw new DragomanError('INVALID_ARGUMENT', `A middleware must be a function, not ${show(middleware)}`);
    }
    const own: Middleware = (exchange) => middleware(exchange);
    this.#wear([...this.#middleware, own]);
    return () => this.#wear(this.#middleware.filter((each) => each !== own));
  }

  /** One that cannot be wrapped around the others leaves them as they are. */
  #wear(middleware: readonly Middleware[]): void {
    this.#exchange = this.#wrap(middleware);
    this.#middleware = middleware;
  }

  send(request: Request, options: CallOptions | undefined): Promise<Result> {
    if (this.#closed) return Promise.reject(this.#closedError(request));
    if (options === undefined && this.#settings.maxTime === 0) return this.#exchange(request, this.#plain);
    return this.#sendWith(request, options ?? {});
  }

  /** Ends what is under way and refuses what comes after. */
  close(): void {
    this.#closed = true;
    for (const leg of [...this.#settings.legs]) leg.end(this.#closedError(leg.request));
  }

  #closedError(request: Request): DragomanError {
    return new DragomanError(
      'CONNECTION_CLOSED',
      `${nameOf(request)} cannot be answered: the connection to ${this.#settings.target} was closed by this side; connect again`,
    );
  }

  /** The first middleware is the outermost. */
  #wrap(middleware: readonly Middleware[]): Exchange {
    const { core } = this.#settings;
    if (middleware.length === 0) return core;
    const outermost = middleware.reduceRight((exchange, each) => {
      const wrapped: unknown = each(exchange);
      if (typeof wrapped === 'function') return wrapped as Exchange;
      throw new DragomanError('INVALID_ARGUMENT', `A middleware must return a function, not ${show(wrapped)}`);
    }, core);
    return (request, io) => {
      try {
        // One that is not async may return, or throw, before there is a promise.
        return Promise.resolve(outermost(request, io));
      } catch (reason) {
        return Promise.reject(reason);
      }
    };
  }

  async #sendWith(request: Request, options: CallOptions): Promise<Result> {
    checkDuration('timeout', options.timeout);
    checkWait('maxTime', options.maxTime);
    const signal = options.signal ?? never;
    checkSignal(signal);
    const { clock, hub } = this.#settings;
    const started = clock.monotonic();
    const { onProgress, onReply } = options;
    const onLog = options.onLog ?? this.#settings.onLog;
    const report: MutableReplyInfo | undefined =
      onReply === undefined ? undefined : { durationMs: 0, requests: 0, rounds: [] };
    const io: ClientIO = {
      signal,
      notify:
        onProgress === undefined && onLog === undefined
          ? ignore
          : (notification) => this.#route(notification, onProgress, onLog),
      options,
      report,
    };
    const whole = withOptions(request, options);
    const maxTime = options.maxTime ?? this.#settings.maxTime;
    if (signal.aborted) throw abortedError(whole, signal);
    let result: Result;
    if (maxTime > 0 && maxTime !== Number.POSITIVE_INFINITY) {
      result = await withinMaxTime(this.#exchange, whole, io, maxTime, clock);
    } else if (signal === never) {
      result = await this.#exchange(whole, io);
    } else {
      result = await untilAborted(this.#exchange(whole, io), signal, () => abortedError(whole, signal));
    }
    if (report !== undefined) {
      report.durationMs = clock.monotonic() - started;
      hub.callBack('onReply', () => onReply?.(report));
    }
    return result;
  }

  #route(
    notification: Notification,
    onProgress: ((progress: Progress) => void) | undefined,
    onLog: ((message: LoggingMessageNotificationParams) => void) | undefined,
  ): void {
    const params: unknown = notification.params;
    if (typeof params !== 'object' || params === null) return;
    if (notification.method === 'notifications/progress') {
      const { progress, total, message } = params as Partial<Progress>;
      if (onProgress === undefined || typeof progress !== 'number') return;
      const heard: Progress = { progress };
      if (typeof total === 'number') heard.total = total;
      if (typeof message === 'string') heard.message = message;
      this.#settings.hub.callBack('onProgress', () => onProgress(heard));
    } else if (notification.method === 'notifications/message' && onLog !== undefined) {
      this.#settings.hub.callBack('onLog', () => onLog(params as LoggingMessageNotificationParams));
    }
  }
}

/** The request with what the options put into its parameters. */
function withOptions(request: Request, options: CallOptions): Request {
  const { meta, inputResponses, requestState } = options;
  if (meta === undefined && inputResponses === undefined && requestState === undefined) return request;
  const params: RequestParams = { ...request.params };
  if (inputResponses !== undefined) params.inputResponses = inputResponses;
  if (requestState !== undefined) params.requestState = requestState;
  if (meta !== undefined) params._meta = { ...params._meta, ...meta };
  return { method: request.method, params };
}

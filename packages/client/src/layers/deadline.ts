import { DragomanError, type Exchange, type Notification, type Request, type Result } from '@dragoman/protocol';
import { listenAbort, unlistenAbort } from '../abort.ts';
import type { Clock } from '../clock.ts';
import { type ClientIO, ignore, never } from '../io.ts';
import type { Cancellable, WireIO } from '../wires/wire.ts';

/** What the deadline layer is told once. */
export interface DeadlineSettings {
  readonly clock: Clock;
  /** Default of `CallOptions.timeout`, in milliseconds. */
  readonly timeout: number;
  /** For messages. */
  readonly target: string;
  /**
   * Requests that are on their way, in no order, so that closing can end them all. An array: a set that they come into and
   * leave keeps them from the young generation's collector.
   */
  readonly legs: Leg[];
}

/**
 * Bounds the wait for each request's answer and settles it exactly once: by the answer, the timeout, the caller's signal,
 * or {@link Leg.end}. Whatever ends it early also cancels the call at the wire, and that at the server
 * (basic/patterns/cancellation, "Timeouts").
 */
export function deadline(next: Exchange, settings: DeadlineSettings): Exchange {
  return (request, io: ClientIO) => {
    if (io.signal.aborted) return Promise.reject(abortedError(request, io.signal));
    return new Leg(request, io, settings).run(next);
  };
}

/** One request on its way to the server, and what its wire is called with. */
export class Leg implements WireIO {
  /** What is waited for. */
  readonly request: Request;
  /** An own member, so that it works taken apart from its object too. */
  readonly notify: (notification: Notification) => void;
  readonly #io: ClientIO;
  readonly #settings: DeadlineSettings;
  readonly #timeout: number;
  /** The call at the wire, where the wire hands it over. */
  #call: Cancellable | undefined;
  /** Made only for a wire that looks at the signal. */
  #controller: AbortController | undefined;
  #timer: unknown;
  /** When the wait began, or began anew. */
  #since = 0;
  #settled = false;
  /** Where it stands among the others that are on their way. */
  #place = 0;
  /** What ended it before its time. */
  #error: DragomanError | undefined;
  #reject: (reason: unknown) => void = ignore;

  constructor(request: Request, io: ClientIO, settings: DeadlineSettings) {
    this.request = request;
    this.#io = io;
    this.#settings = settings;
    // A subscription is meant to last (basic/patterns/subscriptions).
    const usual = request.method === 'subscriptions/listen' ? Number.POSITIVE_INFINITY : settings.timeout;
    this.#timeout = io.options?.timeout ?? usual;
    this.notify = (notification) => this.#notify(notification);
  }

  get auth(): ClientIO['auth'] {
    return this.#io.auth;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#error !== undefined) this.#controller.abort(this.#error);
    }
    return this.#controller.signal;
  }

  onCancel(call: Cancellable): void {
    this.#call = call;
  }

  run(next: Exchange): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#place = this.#settings.legs.push(this) - 1;
      if (this.#io.report !== undefined) this.#io.report.requests += 1;
      if (this.#io.signal !== never) listenAbort(this.#io.signal, this.#onAbort);
      if (this.#timeout !== Number.POSITIVE_INFINITY) {
        this.#since = this.#settings.clock.monotonic();
        this.#timer = this.#settings.clock.setTimeout(this.#onTimer, this.#timeout);
      }
      let answer: Promise<Result>;
      try {
        answer = next(this.request, this);
      } catch (reason) {
        // A wire of the user's that throws before it is one.
        answer = Promise.reject(reason);
      }
      answer.then(
        (result) => {
          if (this.#settle()) resolve(result);
        },
        (reason: unknown) => {
          if (this.#settle()) reject(reason);
        },
      );
    });
  }

  /** Ends the wait with an error, and the call with it. Nothing where it is settled. */
  end(error: DragomanError): void {
    if (!this.#settle()) return;
    this.#error = error;
    this.#reject(error);
    this.#call?.cancel(error);
    this.#controller?.abort(error);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    const { legs } = this.#settings;
    const last = legs.pop() as Leg;
    if (last !== this) {
      legs[this.#place] = last;
      last.#place = this.#place;
    }
    if (this.#timer !== undefined) this.#settings.clock.clearTimeout(this.#timer);
    if (this.#io.signal !== never) unlistenAbort(this.#io.signal, this.#onAbort);
    return true;
  }

  #notify(notification: Notification): void {
    if (this.#settled) return;
    // Before anyone looks at it: whether somebody wants the progress has nothing to do with the clock.
    if (this.#timer !== undefined && notification.method === 'notifications/progress') {
      this.#since = this.#settings.clock.monotonic();
    }
    this.#io.notify(notification);
  }

  readonly #onAbort = (): void => this.end(abortedError(this.request, this.#io.signal));

  /** Progress only notes the time; the timer finds out when it fires, so that a thousand notifications cost one timer. */
  readonly #onTimer = (): void => {
    const left = this.#since + this.#timeout - this.#settings.clock.monotonic();
    if (left > 0) {
      this.#timer = this.#settings.clock.setTimeout(this.#onTimer, left);
      return;
    }
    this.end(
      new DragomanError(
        'TIMEOUT',
        `${nameOf(this.request)} got no answer from ${this.#settings.target} within ${this.#timeout} ms; allow more with "timeout"`,
        { details: { method: this.request.method, option: 'timeout', milliseconds: this.#timeout } },
      ),
    );
  };
}

/** A request, for messages: its method and what it names. */
export function nameOf(request: Request): string {
  const { name, uri } = request.params;
  const target = typeof name === 'string' ? name : uri;
  return typeof target === 'string' ? `${request.method} ${JSON.stringify(target)}` : request.method;
}

/** What a call rejects with when its signal aborted: the reason itself where it is an error of ours, such as `maxTime`'s. */
export function abortedError(request: Request, signal: AbortSignal): DragomanError {
  const reason: unknown = signal.reason;
  if (reason instanceof DragomanError) return reason;
  return new DragomanError('ABORTED', `${nameOf(request)} was aborted by its caller`, { cause: reason });
}

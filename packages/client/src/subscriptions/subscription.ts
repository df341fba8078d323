import {
  DragomanError,
  ErrorCode,
  type Exchange,
  McpError,
  type Notification,
  type SubscriptionFilter,
} from '@dragoman/protocol';
import { listenAbort, unlistenAbort } from '../abort.ts';
import { checkDuration, checkSignal, checkWait } from '../check-options.ts';
import type { Clock } from '../clock.ts';
import { Listeners } from '../events.ts';
import type { Hub } from '../hub.ts';
import type { ResponseCache } from '../layers/cache.ts';
import type { Wire } from '../wires/wire.ts';
import { eventOf, gapEvents, type SubscriptionEvent } from './event.ts';
import { EventQueue } from './event-queue.ts';
import { describeFilter, missingFrom } from './filter.ts';
import { ListenStream } from './listen-stream.ts';

/** What can be said about a subscription. Times are in milliseconds. */
export interface ListenOptions {
  /** Closes the subscription. */
  signal?: AbortSignal | undefined;
  /** Called for every event, besides whoever reads them. */
  onEvent?: ((event: SubscriptionEvent) => void) | undefined;
  /** Called when the stream broke off and will be opened again. */
  onDrop?: ((drop: { readonly reason: unknown; readonly retryInMs: number }) => void) | undefined;
  /** Longest wait for the server's acknowledgement. Default 10,000. `Infinity` waits for ever. */
  ackTimeout?: number | undefined;
  /** Whether a stream that broke off is opened again. Default true. One that the server ended in good order never is. */
  relisten?: boolean | undefined;
  /** The n-th try in a row comes after a random time of up to `base · 2ⁿ`, never more than `cap`. Default 500 and 30,000. */
  backoff?: { readonly base?: number | undefined; readonly cap?: number | undefined } | undefined;
  /** Changes of one thing within this time are one event. Default 100; 0 hands over every one at once. */
  coalesce?: number | undefined;
}

/** Why a subscription is closed: by `close()` or its signal, by the server in good order, or broken off for good. */
export type SubscriptionClosed = 'local' | 'graceful' | 'lost';

/** What a subscription works with. */
export interface SubscriptionSettings {
  readonly exchange: Exchange;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxBuffered: number;
  readonly maxBytes: number;
  readonly responses: ResponseCache | undefined;
  readonly hub: Hub;
}

/** A stream that lived this long after its acknowledgement was a good one, and the next try comes soon again. In milliseconds. */
const STABLE = 5_000;

/**
 * A stream of changes that opens again after it broke off (basic/patterns/subscriptions). Read it with `for await`, which
 * ends when the subscription does and closes it when left early, or give callbacks; both may be used. There is one queue:
 * two readers share the events between them.
 *
 * After a drop everything that was listened to is told as changed once, with `gap: true`: what happened meanwhile is not
 * sent again. What is told as changed is no longer in the client's cache.
 */
export class Subscription implements AsyncIterable<SubscriptionEvent> {
  /** Resolves when it is over. Never rejects. */
  readonly closed: Promise<SubscriptionClosed>;
  /** Resolves when the server first acknowledged it; rejects where that did not happen. `Client.listen` waits for it. */
  readonly opened: Promise<void>;
  readonly #settings: SubscriptionSettings;
  readonly #options: ListenOptions;
  readonly #listeners: Listeners<SubscriptionEvent>;
  readonly #queue: EventQueue;
  readonly #openings = new Set<ListenStream>();
  #stream: ListenStream | undefined;
  #asked: SubscriptionFilter;
  #honored: SubscriptionFilter = {};
  #missing: SubscriptionFilter = {};
  #openedAt = 0;
  #attempt = 0;
  #updating: Promise<void> = Promise.resolve();
  /** Settles when all that changed so far is forgotten and told. */
  #forgetting: Promise<void> = Promise.resolve();
  #wake: (() => void) | undefined;
  #over: SubscriptionClosed | undefined;
  #resolveClosed: (why: SubscriptionClosed) => void = () => {};

  /** Opens it at once. @throws DragomanError `INVALID_ARGUMENT` for an option that cannot be */
  constructor(filter: SubscriptionFilter, options: ListenOptions, settings: SubscriptionSettings) {
    checkDuration('ackTimeout', options.ackTimeout);
    checkDuration('backoff.base', options.backoff?.base);
    checkDuration('backoff.cap', options.backoff?.cap);
    checkWait('coalesce', options.coalesce);
    if (options.signal !== undefined) checkSignal(options.signal);
    this.#asked = filter;
    this.#options = options;
    this.#settings = settings;
    const { hub, clock, maxBuffered, maxBytes } = settings;
    this.#listeners = new Listeners((cause) =>
      hub.callBack('A listener of a subscription', () => {
        throw cause;
      }),
    );
    if (options.onEvent !== undefined) this.#listeners.add(options.onEvent);
    this.#queue = new EventQueue({
      clock,
      window: options.coalesce ?? 100,
      maxBuffered,
      maxBytes,
      onEvent: (event) => {
        this.#listeners.tell(event);
        return this.#listeners.size > 0;
      },
      onDropped: () =>
        this.#warn(
          `More than ${maxBuffered} events of a subscription, or ${maxBytes} bytes of them, wait to be read; the oldest are dropped`,
        ),
    });
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.opened = this.#start();
    if (options.signal !== undefined && this.#over === undefined) listenAbort(options.signal, this.#onAbort);
  }

  /** What the server sends, as it acknowledged it last. */
  get honored(): SubscriptionFilter {
    return this.#honored;
  }

  /** What was asked for and the server does not send. */
  get missing(): SubscriptionFilter {
    return this.#missing;
  }

  /** Calls a function for every event from now on; returns what stops that. */
  on(listener: (event: SubscriptionEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Listens to something else. The old filter stays in force until the server has acknowledged the new one, and where it
   * does not.
   */
  update(filter: SubscriptionFilter): Promise<void> {
    const update = this.#updating.then(() => this.#update(filter));
    this.#updating = update.catch(() => {});
    return update;
  }

  /** Ends it; the server is told. Idempotent; never rejects. */
  close(): Promise<void> {
    this.#finish('local');
    return Promise.resolve();
  }

  /** The wire below is of no use any more. Called by the client. */
  wireClosed(by: 'local' | 'peer'): void {
    this.#finish(by === 'local' ? 'local' : 'lost');
  }

  /** {@link close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The events in their order, until the subscription is closed. */
  [Symbol.asyncIterator](): AsyncIterator<SubscriptionEvent, undefined> {
    return {
      next: () => this.#queue.next(),
      return: async () => {
        await this.close();
        return { done: true, value: undefined };
      },
    };
  }

  async #start(): Promise<void> {
    if (this.#options.signal?.aborted === true) {
      this.#onAbort();
      throw abortedBySignal(this.#options.signal);
    }
    try {
      this.#adopt(await this.#open(this.#asked), this.#asked, false);
    } catch (reason) {
      this.#finish('lost');
      throw reason;
    }
  }

  async #update(filter: SubscriptionFilter): Promise<void> {
    if (this.#over !== undefined) throw this.#closedError();
    const opened = await this.#open(filter);
    // Where the old stream had broken off meanwhile, there was a gap.
    const old = this.#stream;
    this.#adopt(opened, filter, old === undefined);
    old?.close(this.#closedError());
  }

  /** A stream that is acknowledged. */
  async #open(filter: SubscriptionFilter): Promise<{ stream: ListenStream; honored: SubscriptionFilter }> {
    const { exchange, clock, wire } = this.#settings;
    const stream = new ListenStream(filter, {
      exchange,
      clock,
      target: wire.target,
      ackTimeout: this.#options.ackTimeout ?? 10_000,
      onNotification: (notification) => this.#received(notification),
      onEarly: () => this.#warn(`${wire.target} sent notifications of a subscription before it acknowledged it`),
    });
    this.#openings.add(stream);
    try {
      const honored = await stream.acknowledged;
      if (this.#over !== undefined) {
        const error = this.#closedError();
        stream.close(error);
        throw error;
      }
      return { stream, honored };
    } finally {
      this.#openings.delete(stream);
    }
  }

  #adopt(
    { stream, honored }: { stream: ListenStream; honored: SubscriptionFilter },
    asked: SubscriptionFilter,
    gap: boolean,
  ): void {
    this.#stream = stream;
    this.#asked = asked;
    this.#honored = honored;
    this.#missing = missingFrom(asked, honored);
    this.#openedAt = this.#settings.clock.monotonic();
    // A wait for the next try has become pointless.
    this.#wake?.();
    const missing = describeFilter(this.#missing);
    if (missing !== '') {
      this.#warn(`${this.#settings.wire.target} does not send all that a subscription asked for; missing: ${missing}`, {
        missing: this.#missing,
      });
    }
    void stream.ended.then((end) => {
      if (this.#stream !== stream || this.#over !== undefined) return;
      this.#stream = undefined;
      if (end.graceful) this.#finish('graceful');
      else this.#relisten(end.reason).catch((reason: unknown) => this.#giveUp(reason));
    });
    if (gap) for (const event of gapEvents(honored)) this.#changed(event);
  }

  /** Opens the stream again until that works, it is closed, or it is clear that it never will. */
  async #relisten(reason: unknown): Promise<void> {
    const { clock, random, hub, wire } = this.#settings;
    if (clock.monotonic() - this.#openedAt >= STABLE) this.#attempt = 0;
    const base = this.#options.backoff?.base ?? 500;
    const cap = this.#options.backoff?.cap ?? 30_000;
    let why = reason;
    this.#warn(`A subscription to ${wire.target} broke off: ${messageOf(reason)}`, { reason });
    while (this.#over === undefined && this.#stream === undefined) {
      if (this.#options.relisten === false || isFinal(why)) {
        this.#finish('lost');
        return;
      }
      const chance = random();
      // One that is no share of the whole would make for no pause at all.
      const share = chance >= 0 && chance <= 1 ? chance : 1;
      const retryInMs = share * Math.min(cap, base * 2 ** this.#attempt);
      this.#attempt = Math.min(this.#attempt + 1, 30);
      const drop = { reason: why, retryInMs };
      if (this.#options.onDrop !== undefined) hub.callBack('onDrop', () => this.#options.onDrop?.(drop));
      await this.#sleep(retryInMs);
      if (this.#over !== undefined || this.#stream !== undefined) return;
      try {
        const opened = await this.#open(this.#asked);
        // An update may have been faster.
        if (this.#stream === undefined) this.#adopt(opened, this.#asked, true);
        else opened.stream.close(this.#closedError());
      } catch (failure) {
        why = failure;
      }
    }
  }

  /** A clock or a source of chance that was given and fails. */
  #giveUp(reason: unknown): void {
    this.#warn(`A subscription to ${this.#settings.wire.target} cannot be opened again: ${messageOf(reason)}`, {
      reason,
    });
    this.#finish('lost');
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#settings.clock.setTimeout(() => this.#wake?.(), milliseconds);
      this.#wake = () => {
        this.#wake = undefined;
        this.#settings.clock.clearTimeout(timer);
        resolve();
      };
    });
  }

  #received(notification: Notification): void {
    const event = eventOf(notification);
    if (event !== undefined) this.#changed(event);
  }

  /** What is kept of it goes before anyone hears that it changed: whoever asks again then gets the new one. */
  #changed(event: SubscriptionEvent): void {
    const { responses } = this.#settings;
    const forgotten = responses === undefined ? undefined : forget(event, responses, this.#honored);
    if (forgotten === undefined) {
      this.#queue.add(event);
      return;
    }
    this.#forgetting = this.#forgetting.then(() => forgotten).then(() => this.#queue.add(event));
  }

  readonly #onAbort = (): void => {
    this.#finish('local', abortedBySignal(this.#options.signal));
  };

  #finish(why: SubscriptionClosed, error: DragomanError = this.#closedError()): void {
    if (this.#over !== undefined) return;
    this.#over = why;
    if (this.#options.signal !== undefined) unlistenAbort(this.#options.signal, this.#onAbort);
    this.#wake?.();
    this.#stream?.close(error);
    for (const stream of this.#openings) stream.close(error);
    if (why === 'local') {
      this.#queue.end(true);
      this.#resolveClosed(why);
      return;
    }
    // What came just before the end is still told.
    void this.#forgetting.then(() => {
      this.#queue.end(false);
      this.#resolveClosed(why);
    });
  }

  #closedError(): DragomanError {
    return new DragomanError('CONNECTION_CLOSED', `The subscription to ${this.#settings.wire.target} is closed`);
  }

  #warn(message: string, details?: { readonly [name: string]: unknown }): void {
    this.#settings.hub.warn(
      details === undefined ? { kind: 'subscription', message } : { kind: 'subscription', message, details },
    );
  }
}

function forget(
  event: SubscriptionEvent,
  responses: ResponseCache,
  honored: SubscriptionFilter,
): Promise<void> | undefined {
  switch (event.kind) {
    case 'tools':
      return responses.clear('tools/list');
    case 'prompts':
      return responses.clear('prompts/list');
    case 'resources':
      return Promise.all([responses.clear('resources/list'), responses.clear('resources/templates/list')]).then(
        () => {},
      );
    case 'resource':
      return responses.clearResource(event.uri, honored.resourceSubscriptions);
    case 'other':
      return undefined;
  }
}

/** Errors after which the same request cannot succeed: nothing that time heals. */
function isFinal(reason: unknown): boolean {
  if (reason instanceof McpError) {
    return (
      reason.code === ErrorCode.MethodNotFound ||
      reason.code === ErrorCode.InvalidParams ||
      reason.code === ErrorCode.MissingRequiredClientCapability
    );
  }
  return reason instanceof DragomanError && (reason.code === 'UNAUTHORIZED' || reason.code === 'VERSION_MISMATCH');
}

const abortedBySignal = (signal: AbortSignal | undefined): DragomanError =>
  new DragomanError('ABORTED', 'The subscription was given up by its signal', { cause: signal?.reason });

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

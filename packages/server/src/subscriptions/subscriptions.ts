import {
  ErrorCode,
  type ExchangeIO,
  invalidParams,
  McpError,
  type Notification,
  type Request,
  type Result,
  type ServerCapabilities,
  type SubscriptionFilter,
} from '@dragoman/protocol';
import { limitsOf } from '../limits.ts';
import { type Bus, type ChangeEvent, LocalBus } from './bus.ts';
import { honoredFilter } from './filter.ts';
import { type SubscriptionLimits, subscriptionLimits } from './limits.ts';

/** Options of {@link Subscriptions}. */
export interface SubscriptionsOptions {
  /** What the server declares at this moment: it decides what a filter is granted. */
  capabilities(): ServerCapabilities;
  /** Where changes come from and go to. Default: a {@link LocalBus} of its own. */
  bus?: Bus | undefined;
  limits?: Partial<SubscriptionLimits> | undefined;
  /**
   * Whether a change of `dir/file` also goes to whoever subscribed to `dir`: subscribed URIs then stand for everything
   * below them, by the slashes of the URI. Default false: URIs are compared as they are.
   */
  subResources?: boolean | undefined;
}

type ListKind = 'tools' | 'prompts' | 'resources';

/** An open listen stream. It is its own listener for the abort: there may be thousands, and each closure counts. */
class Listener implements EventListenerObject {
  readonly io: ExchangeIO;
  readonly honored: SubscriptionFilter;
  readonly #withdraw: (listener: Listener) => boolean;
  readonly #resolve: (result: Result | Promise<never>) => void;

  constructor(
    io: ExchangeIO,
    honored: SubscriptionFilter,
    withdraw: (listener: Listener) => boolean,
    resolve: (result: Result | Promise<never>) => void,
  ) {
    this.io = io;
    this.honored = honored;
    this.#withdraw = withdraw;
    this.#resolve = resolve;
    io.signal.addEventListener('abort', this);
  }

  handleEvent(): void {
    this.end(ended());
  }

  end(result: Result | Promise<never>): void {
    if (!this.#withdraw(this)) return;
    this.io.signal.removeEventListener('abort', this);
    this.#resolve(result);
  }
}

/** One object per kind for good: a wire writes it out once, however many streams it goes to. */
const listChanged: { readonly [K in ListKind]: Notification } = Object.freeze({
  tools: changed('notifications/tools/list_changed'),
  prompts: changed('notifications/prompts/list_changed'),
  resources: changed('notifications/resources/list_changed'),
});

function changed(method: string, params: { uri?: string } = {}): Notification {
  return Object.freeze({ method, params: Object.freeze(params) });
}

const ended = (): Result => ({ resultType: 'complete' });

/**
 * The `subscriptions/listen` streams of one server (basic/patterns/subscriptions).
 *
 * A stream is an exchange that is still going on: its first notification is the acknowledgement, its result the graceful
 * end, its signal the cancellation. Notifications carry no subscription id; the wire that knows the id adds it. A wire
 * whose peer reads slowly may keep one of several notifications that say the same (see `coalescingKey`).
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #limits: SubscriptionLimits;
  readonly #bus: Bus;
  readonly #lists: { readonly [K in ListKind]: Set<Listener> } = {
    tools: new Set(),
    prompts: new Set(),
    resources: new Set(),
  };
  readonly #resources = new Map<string, Set<Listener>>();
  readonly #all = new Set<Listener>();
  readonly #perPrincipal = new Map<string, number>();
  #unsubscribe: (() => void) | undefined;
  #closed = false;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#bus = options.bus ?? new LocalBus();
    this.#limits = limitsOf(subscriptionLimits, options.limits);
  }

  /** Open streams. */
  get size(): number {
    return this.#all.size;
  }

  /** Tells every stream that asked for it, in every process that shares the bus. */
  publish(event: ChangeEvent): void {
    this.#bus.publish(event);
  }

  /**
   * Answers a `subscriptions/listen` request. Settles when the stream ends: at once where nothing of the filter is
   * honoured, else at {@link close} or when the signal aborts, always with a result.
   *
   * @throws McpError -32603 with `data.limit` over a cap on streams, -32602 over the cap on URIs.
   */
  listen(request: Request, io: ExchangeIO): Promise<Result> {
    // Not an async function: what that keeps for as long as it waits would be kept by every open stream.
    try {
      return this.#listen(request, io);
    } catch (reason) {
      return Promise.reject(reason);
    }
  }

  #listen(request: Request, io: ExchangeIO): Promise<Result> {
    const filter = request.params?.notifications as SubscriptionFilter | undefined;
    if (typeof filter !== 'object' || filter === null) throw invalidParams('params.notifications must be an object');
    const uris = filter.resourceSubscriptions?.length ?? 0;
    if (uris > this.#limits.maxUrisPerStream) {
      throw invalidParams(
        `Too many resource subscriptions: ${uris}; one stream may name ${this.#limits.maxUrisPerStream}`,
        { limit: 'maxUrisPerStream', value: this.#limits.maxUrisPerStream },
      );
    }
    const honored = honoredFilter(filter, this.#options.capabilities());
    const principal = io.auth?.principal;
    const empty = isEmpty(honored);
    if (!empty) this.#checkCaps(principal);
    io.notify({ method: 'notifications/subscriptions/acknowledged', params: { notifications: honored } });
    if (empty || io.signal.aborted) return Promise.resolve(ended());
    this.#unsubscribe ??= this.#bus.subscribe((event) => this.#deliver(event));
    return new Promise((resolve) => this.#enter(new Listener(io, honored, this.#withdraw, resolve)));
  }

  #checkCaps(principal: string | undefined): void {
    if (this.#closed) {
      throw new McpError(ErrorCode.InternalError, 'The server is shutting down', { httpStatus: 503 });
    }
    const { maxStreams, maxStreamsPerPrincipal } = this.#limits;
    if (this.#all.size >= maxStreams) throw overCap('maxStreams', maxStreams, 503);
    if (principal !== undefined && (this.#perPrincipal.get(principal) ?? 0) >= maxStreamsPerPrincipal) {
      throw overCap('maxStreamsPerPrincipal', maxStreamsPerPrincipal, 429);
    }
  }

  #enter(listener: Listener): void {
    const { honored } = listener;
    const principal = listener.io.auth?.principal;
    this.#all.add(listener);
    if (principal !== undefined) this.#perPrincipal.set(principal, (this.#perPrincipal.get(principal) ?? 0) + 1);
    if (honored.toolsListChanged) this.#lists.tools.add(listener);
    if (honored.promptsListChanged) this.#lists.prompts.add(listener);
    if (honored.resourcesListChanged) this.#lists.resources.add(listener);
    for (const uri of honored.resourceSubscriptions ?? []) {
      const subscribed = this.#resources.get(uri);
      if (subscribed === undefined) this.#resources.set(uri, new Set([listener]));
      else subscribed.add(listener);
    }
  }

  /** Returns whether the stream was still open. */
  readonly #withdraw = (listener: Listener): boolean => {
    if (!this.#all.delete(listener)) return false;
    this.#lists.tools.delete(listener);
    this.#lists.prompts.delete(listener);
    this.#lists.resources.delete(listener);
    for (const uri of listener.honored.resourceSubscriptions ?? []) {
      const subscribed = this.#resources.get(uri);
      if (subscribed?.delete(listener) && subscribed.size === 0) this.#resources.delete(uri);
    }
    const principal = listener.io.auth?.principal;
    if (principal === undefined) return true;
    const left = (this.#perPrincipal.get(principal) ?? 1) - 1;
    if (left === 0) this.#perPrincipal.delete(principal);
    else this.#perPrincipal.set(principal, left);
    return true;
  };

  #deliver(event: ChangeEvent): void {
    if (event.kind !== 'resource') {
      send(this.#lists[event.kind], listChanged[event.kind]);
      return;
    }
    const { uri } = event;
    const notification = changed('notifications/resources/updated', { uri });
    const exact = this.#resources.get(uri);
    if (exact !== undefined) send(exact, notification);
    if (this.#options.subResources === true) send(this.#above(uri, exact), notification);
  }

  /** Who subscribed to something that the URI lies in, each once and without those of the URI itself. */
  #above(uri: string, exact: ReadonlySet<Listener> | undefined): ReadonlySet<Listener> {
    const found = new Set<Listener>();
    for (let slash = uri.lastIndexOf('/'); slash > 0; slash = uri.lastIndexOf('/', slash - 1)) {
      for (const end of [slash, slash + 1]) {
        if (end === uri.length) continue;
        for (const listener of this.#resources.get(uri.slice(0, end)) ?? []) {
          if (exact?.has(listener) !== true) found.add(listener);
        }
      }
    }
    return found;
  }

  /** Ends every stream with a result and refuses new ones. */
  close(): void {
    this.#closed = true;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    for (const listener of this.#all) listener.end(ended());
  }
}

function send(listeners: ReadonlySet<Listener>, notification: Notification): void {
  for (const listener of listeners) {
    try {
      listener.io.notify(notification);
    } catch (reason) {
      // A stream that cannot be told ends with the reason; the others are told all the same.
      listener.end(Promise.reject(reason));
    }
  }
}

function overCap(limit: keyof SubscriptionLimits, value: number, httpStatus: number): McpError {
  return new McpError(
    ErrorCode.InternalError,
    `Too many listen streams: ${limit} is ${value}; close one before opening another`,
    { data: { limit, value }, httpStatus },
  );
}

function isEmpty(filter: SubscriptionFilter): boolean {
  for (const _ in filter) return false;
  return true;
}

import type { Clock } from '../clock.ts';
import { keyOf, type SubscriptionEvent, weightOf } from './event.ts';

/** How events are handed over. */
export interface EventQueueSettings {
  readonly clock: Clock;
  /** For how long events are gathered before they are handed over, in milliseconds; 0 for not at all. */
  readonly window: number;
  /** Events that wait to be read, at most. */
  readonly maxBuffered: number;
  /** What they may weigh together, in bytes. */
  readonly maxBytes: number;
  /** Called for every event that is handed over. Says whether there was anybody to hear it. */
  readonly onEvent: (event: SubscriptionEvent) => boolean;
  /** The oldest event was dropped, and nobody has read or heard it. Called once. */
  readonly onDropped: () => void;
}

/**
 * Gathers events for a moment, so that a storm of changes of one thing becomes one event, and hands them to callbacks and
 * to whoever reads them. An event that nobody has read yet stands for all later ones of its kind.
 */
export class EventQueue {
  readonly #settings: EventQueueSettings;
  readonly #gathered = new Map<string, SubscriptionEvent>();
  readonly #unread = new Map<string | symbol, SubscriptionEvent>();
  #bytes = 0;
  /** Whether anybody has begun to read: whoever only listens loses nothing when unread events are dropped. */
  #read = false;
  readonly #readers: ((result: IteratorResult<SubscriptionEvent, undefined>) => void)[] = [];
  #timer: unknown;
  #ended = false;
  #dropped = false;

  constructor(settings: EventQueueSettings) {
    this.#settings = settings;
  }

  add(event: SubscriptionEvent): void {
    if (this.#ended) return;
    const key = keyOf(event);
    if (key === undefined || this.#settings.window === 0) {
      this.#handOver(event, key);
      return;
    }
    const before = this.#gathered.get(key);
    if (before === undefined || (event.gap && !before.gap)) this.#gathered.set(key, event);
    this.#timer ??= this.#settings.clock.setTimeout(() => this.flush(), this.#settings.window);
  }

  /** Hands over what was gathered. */
  flush(): void {
    if (this.#timer !== undefined) this.#settings.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = [...this.#gathered];
    this.#gathered.clear();
    for (const [key, event] of events) this.#handOver(event, key);
  }

  /** No more events. What was handed over can still be read; what was only gathered is handed over first, unless `discard`. */
  end(discard: boolean): void {
    if (this.#ended) return;
    if (discard) this.#gathered.clear();
    this.flush();
    this.#ended = true;
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  /** The next event, when there is one; the end, when there is none any more. */
  next(): Promise<IteratorResult<SubscriptionEvent, undefined>> {
    this.#read = true;
    const first = this.#unread.entries().next();
    if (first.done !== true) {
      const [key, event] = first.value;
      this.#drop(key);
      return Promise.resolve({ done: false, value: event });
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  #handOver(event: SubscriptionEvent, key: string | undefined): void {
    const heard = this.#settings.onEvent(event);
    const reader = this.#readers.shift();
    if (reader !== undefined) {
      reader({ done: false, value: event });
      return;
    }
    const place = key ?? Symbol('event');
    const before = this.#unread.get(place);
    if (before === undefined) this.#bytes += weightOf(event);
    this.#unread.set(place, before?.gap === true ? before : event);
    const { maxBuffered, maxBytes } = this.#settings;
    for (const oldest of this.#unread.keys()) {
      if (this.#unread.size <= maxBuffered && this.#bytes <= maxBytes) return;
      this.#drop(oldest);
      if (heard && !this.#read) continue;
      if (!this.#dropped) this.#settings.onDropped();
      this.#dropped = true;
    }
  }

  #drop(key: string | symbol): void {
    const event = this.#unread.get(key);
    if (event === undefined) return;
    this.#unread.delete(key);
    this.#bytes -= weightOf(event);
  }
}

import {
  type Notification,
  SSE_KEEP_ALIVE,
  serializeNotification,
  serializeSubscribed,
  sseEvent,
} from '@dragoman/protocol';
import { WaitingNotifications } from '../wires/coalescing.ts';
import type { HttpLimits } from './limits.ts';

/** Where a stream's text goes. */
export interface EventSink {
  /** Takes text and calls the stream's `drained` once, when it has left. */
  write(text: string): void;
  /** The reader takes nothing: break off. */
  cut(): void;
}

/**
 * The body of one `text/event-stream` answer. One write is under way at a time; what comes up meanwhile leaves together
 * with the next, so that a flood of progress costs few writes and a slow reader finds no more than the limits allow.
 */
export class EventStream {
  readonly #sink: EventSink;
  readonly #limits: HttpLimits;
  /** The id that tags each notification, as JSON; undefined on the stream of an ordinary request. */
  readonly #subscription: string | undefined;
  #pending = '';
  #writing = false;
  #waiting: WaitingNotifications | undefined;
  #quietBeats = 0;
  #unwritable = 0;

  constructor(sink: EventSink, limits: HttpLimits, subscription: string | undefined) {
    this.#sink = sink;
    this.#limits = limits;
    this.#subscription = subscription;
  }

  /** Notifications that a slow reader cost. */
  get dropped(): number {
    return (this.#waiting?.dropped ?? 0) + this.#unwritable;
  }

  notify(notification: Notification): void {
    // A change on a listen stream says nothing that a second one would not say: it waits rather than pile up.
    const full = this.#subscription !== undefined || this.#pending.length > this.#limits.maxBufferedLength;
    if (this.#writing && full) {
      this.#waiting ??= new WaitingNotifications(this.#limits.maxWaitingNotifications);
      this.#waiting.add(notification);
    } else {
      this.#send(this.#event(notification));
    }
  }

  /** What is left to send, with the last message behind it. The stream takes nothing after that. */
  finish(message: string): string {
    const left = this.#takeAll();
    return left + sseEvent(message);
  }

  /** The write that was under way has left. */
  drained(): void {
    this.#writing = false;
    this.#quietBeats = 0;
    const text = this.#takeAll();
    if (text !== '') this.#send(text);
  }

  /** The keep-alive timer has come round. */
  beat(): void {
    if (!this.#writing) {
      this.#send(SSE_KEEP_ALIVE);
      return;
    }
    const { keepAliveInterval, stallTimeout } = this.#limits;
    if (stallTimeout > 0 && ++this.#quietBeats * keepAliveInterval >= stallTimeout) this.#sink.cut();
  }

  #send(text: string): void {
    if (this.#writing) {
      this.#pending += text;
    } else {
      this.#writing = true;
      this.#sink.write(text);
    }
  }

  #takeAll(): string {
    let text = this.#pending;
    this.#pending = '';
    if (this.#waiting !== undefined && this.#waiting.size > 0) {
      for (const notification of this.#waiting.take()) text += this.#waited(notification);
    }
    return text;
  }

  /** Whoever handed it over has gone on: what cannot be written as JSON cannot be reported to them any more. */
  #waited(notification: Notification): string {
    try {
      return this.#event(notification);
    } catch {
      this.#unwritable++;
      return '';
    }
  }

  #event(notification: Notification): string {
    return sseEvent(
      this.#subscription === undefined
        ? serializeNotification(notification)
        : serializeSubscribed(notification, this.#subscription),
    );
  }
}

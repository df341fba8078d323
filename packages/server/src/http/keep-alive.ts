import { delayOf } from '../limits.ts';
import type { EventStream } from './event-stream.ts';

/** Keeps the open streams of one endpoint alive with one timer, which runs only while there are any. */
export class KeepAlive {
  readonly #interval: number;
  readonly #streams = new Set<EventStream>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param interval milliseconds; 0 never beats */
  constructor(interval: number) {
    this.#interval = interval;
  }

  add(stream: EventStream): void {
    if (this.#interval <= 0) return;
    this.#streams.add(stream);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => {
      for (const open of this.#streams) open.beat();
    }, delayOf(this.#interval));
    // A timer of Node must not keep the process; elsewhere timers are numbers.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  delete(stream: EventStream): void {
    if (!this.#streams.delete(stream) || this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

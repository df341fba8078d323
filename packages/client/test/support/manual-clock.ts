import type { Clock } from '../../src/index.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #epoch = 1_800_000_000_000;
  readonly #timers = new Set<Timer>();
  /** Timers that were ever set. */
  set = 0;

  now(): number {
    return this.#epoch + this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  /** Timers that are still to fire. */
  get pending(): number {
    return this.#timers.size;
  }

  setTimeout(callback: () => void, milliseconds: number): Timer {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    this.set++;
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as Timer);
  }

  /** Lets time pass, and everything that waits for it happen in order. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
      await settled();
    }
    this.#now = end;
    await settled();
  }
}

/** Lets every promise that can settle do so. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

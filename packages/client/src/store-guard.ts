import type { Clock } from './clock.ts';
import type { Warning } from './events.ts';

/** What a guard is told once. */
export interface StoreGuardSettings {
  readonly kind: 'cache-store' | 'verdict-store';
  /** What the store is called in warnings. */
  readonly name: string;
  readonly clock: Clock;
  /** Longest wait for one answer, in milliseconds. */
  readonly timeout: number;
  readonly warn: (warning: Warning) => void;
}

/** Uses a store of the user's. One that throws, rejects or hangs costs a warning, and nothing waits for it but the timeout. */
export class StoreGuard {
  readonly #settings: StoreGuardSettings;
  /** Uses that have been given up on and still hang: as long as there are any, the store is not asked anything else. */
  #hanging = 0;

  constructor(settings: StoreGuardSettings) {
    this.#settings = settings;
  }

  /** What the store says; `otherwise` where it says nothing, or in no time. */
  async use<T>(use: () => T | Promise<T>, otherwise: T): Promise<T> {
    if (this.#hanging > 0) return otherwise;
    try {
      return await this.#inTime(use());
    } catch (cause) {
      this.failed(cause);
      return otherwise;
    }
  }

  /** Warns of a failure. */
  failed(cause: unknown): void {
    const { kind, name, warn } = this.#settings;
    warn({
      kind,
      message: `${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      details: { cause },
    });
  }

  #inTime<T>(given: T | Promise<T>): T | Promise<T> {
    if (typeof (given as { then?: unknown } | null | undefined)?.then !== 'function') return given;
    const { clock, timeout } = this.#settings;
    if (timeout === Number.POSITIVE_INFINITY) return given;
    return new Promise((resolve, reject) => {
      let late = false;
      const timer = clock.setTimeout(() => {
        late = true;
        this.#hanging += 1;
        reject(new Error(`it gave no answer within ${timeout} ms; allow more with "storeTimeout"`));
      }, timeout);
      const over = (): void => {
        clock.clearTimeout(timer);
        if (late) this.#hanging -= 1;
      };
      Promise.resolve(given).then(resolve, reject).finally(over);
    });
  }
}

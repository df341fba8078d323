import { DragomanError } from '@dragoman/protocol';
import { listenAbort, unlistenAbort } from './abort.ts';
import type { Clock } from './clock.ts';
import { never } from './io.ts';
import type { Wire } from './wires/wire.ts';

/**
 * Bounds the wait for a server's first sign of life, which may have to be downloaded first. As long as it writes to stderr
 * it is alive, and the wait begins anew.
 */
export class Starting {
  readonly #controller = new AbortController();
  readonly #wire: Wire;
  readonly #clock: Clock;
  readonly #timeout: number;
  readonly #caller: AbortSignal;
  readonly #stopObserving: (() => void) | undefined;
  #timer: unknown;
  #since: number;

  constructor(wire: Wire, clock: Clock, timeout: number, caller: AbortSignal) {
    this.#wire = wire;
    this.#clock = clock;
    this.#timeout = timeout;
    this.#caller = caller;
    this.#since = clock.monotonic();
    if (timeout !== Number.POSITIVE_INFINITY) this.#timer = clock.setTimeout(this.#onTimer, timeout);
    this.#stopObserving = wire.observe?.({
      stderr: () => {
        this.#since = clock.monotonic();
      },
    });
    if (caller.aborted) this.#onAbort();
    else if (caller !== never) listenAbort(caller, this.#onAbort);
  }

  /** Aborts when the caller gave up, or with `TIMEOUT` when the wait was too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The wait is over, whatever came of it. */
  over(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#stopObserving?.();
    if (this.#caller !== never) unlistenAbort(this.#caller, this.#onAbort);
  }

  readonly #onAbort = (): void => this.#controller.abort(this.#caller.reason);

  readonly #onTimer = (): void => {
    const left = this.#since + this.#timeout - this.#clock.monotonic();
    if (left > 0) {
      this.#timer = this.#clock.setTimeout(this.#onTimer, left);
      return;
    }
    this.#controller.abort(
      new DragomanError(
        'TIMEOUT',
        `${this.#wire.target} gave no sign of life within ${this.#timeout} ms; allow more with "startTimeout"`,
        { details: { method: 'server/discover', option: 'startTimeout', milliseconds: this.#timeout } },
      ),
    );
  };
}

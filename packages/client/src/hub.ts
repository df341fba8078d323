import { DragomanError } from '@dragoman/protocol';
import type { Clock } from './clock.ts';
import { attempt, type ClientEvents, Listeners, type TraceEvent, type Warning } from './events.ts';
import { maskTrace } from './layers/trace.ts';
import type { CloseReason, Wire, WireTrace } from './wires/wire.ts';

/** A wire of the user's whose `closed` rejects, which none may. */
const brokenWord = ({ target }: Wire, cause: unknown): CloseReason => ({
  by: 'peer',
  error: new DragomanError('CONNECTION_CLOSED', `The connection to ${target} ended in an unknown way`, { cause }),
});

/** Tells whoever listens what happens on one client besides answers. */
export class Hub {
  /** Resolves when the wire is closed and everybody was told. */
  readonly closed: Promise<CloseReason>;
  readonly #wire: Wire;
  readonly #clock: Clock;
  // A listener of warnings that throws has nobody left to be told; the platform reports it as any other promise that failed.
  readonly #warnings = new Listeners<Warning>((cause) => void Promise.reject(cause));
  readonly #traces = new Listeners<TraceEvent>((cause) => this.#failed('A listener of traces', cause));
  readonly #stderr = new Listeners<string>((cause) => this.#failed('A listener of stderr', cause));
  readonly #closes = new Listeners<CloseReason>((cause) => this.#failed('A listener of close', cause));
  #stopTracing: (() => void) | undefined;

  constructor(wire: Wire, clock: Clock) {
    this.#wire = wire;
    this.#clock = clock;
    const told = (reason: CloseReason): CloseReason => {
      this.#closes.tell(reason);
      return reason;
    };
    this.closed = wire.closed.then(told, (cause: unknown) => told(brokenWord(wire, cause)));
  }

  /** Begins to listen to the wire. After the first listeners are there: what the wire has held back comes at once. */
  start(): void {
    const stop = this.#wire.observe?.({
      warning: ({ kind, message, count }) => this.warn({ kind, message, details: { count } }),
      stderr: (text) => this.#stderr.tell(text),
    });
    void this.closed.then(() => {
      stop?.();
      this.#stopTracing?.();
    });
  }

  on<E extends keyof ClientEvents>(event: E, listener: (event: ClientEvents[E]) => void): () => void {
    switch (event) {
      case 'warning':
        return this.#warnings.add(listener as (event: Warning) => void);
      case 'stderr':
        return this.#stderr.add(listener as (event: string) => void);
      case 'close':
        return this.#closes.add(listener as (event: CloseReason) => void);
      default:
        return this.#onTrace(listener as (event: TraceEvent) => void);
    }
  }

  /** An own member, so that it can be handed on. */
  readonly warn = (warning: Warning): void => this.#warnings.tell(warning);

  /** Calls a function of the user's. One that throws, or is async and rejects, costs a warning and nothing else. */
  readonly callBack = (name: string, call: () => unknown): void => attempt(call, (cause) => this.#failed(name, cause));

  /** Whether anybody listens to traces. */
  get tracing(): boolean {
    return this.#traces.size > 0;
  }

  /** Tells of something that passed over the wire, secrets masked. */
  trace(event: WireTrace): void {
    this.#traces.tell({ ...maskTrace(event), at: this.#clock.now() });
  }

  #failed(name: string, cause: unknown): void {
    const message = `${name} threw: ${cause instanceof Error ? cause.message : String(cause)}`;
    this.warn({ kind: 'callback-failed', message, details: { cause } });
  }

  #onTrace(listener: (event: TraceEvent) => void): () => void {
    const remove = this.#traces.add(listener);
    this.#stopTracing ??= this.#wire.observe?.({ trace: (event) => this.trace(event) });
    return () => {
      remove();
      if (this.#traces.size > 0) return;
      this.#stopTracing?.();
      this.#stopTracing = undefined;
    };
  }
}

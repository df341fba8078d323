import { DragomanError, type Exchange, type McpError, type Request, type Result } from '@dragoman/protocol';
import { Observers } from './observers.ts';
import { abortError, closedHere } from './outcomes.ts';
import type { StdioWire } from './stdio.ts';
import type { Cancellable, CloseReason, WireIO, WireObserver } from './wire.ts';

/** How often a process may be started again. */
export interface RestartLimits {
  /** Within any `window`. */
  readonly restarts: number;
  /** In milliseconds. */
  readonly window: number;
}

/**
 * A wire to a process that is started again, with the next call, when it ended by itself (basic/transports/stdio,
 * "Unexpected Termination"). What was pending is lost, because the server may have acted on it; subscriptions are opened
 * again by whoever holds them. A process that keeps ending is given up on.
 *
 * @param first the process, as it runs
 * @param start starts another
 */
export function restartingWire(first: StdioWire, start: () => Promise<StdioWire>, limits: RestartLimits): StdioWire {
  return new RestartingWire(first, start, limits);
}

class RestartingWire implements StdioWire {
  readonly kind = 'stdio';
  readonly target: string;
  readonly identity: string;
  readonly closed: Promise<CloseReason>;
  readonly #start: () => Promise<StdioWire>;
  readonly #limits: RestartLimits;
  readonly #own = new Observers();
  readonly #observers = new Map<WireObserver, () => void>();
  /** The process that was started last, alive or not. */
  #last: StdioWire;
  #alive = true;
  #starting: Promise<StdioWire> | undefined;
  /** When processes were started again. */
  #restarts: number[] = [];
  /** Why no call is taken any more. */
  #over: DragomanError | undefined;
  #closing: Promise<void> | undefined;
  #resolveClosed!: (reason: CloseReason) => void;

  constructor(first: StdioWire, start: () => Promise<StdioWire>, limits: RestartLimits) {
    this.target = first.target;
    this.identity = first.identity;
    this.#start = start;
    this.#limits = limits;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#last = first;
    this.#watch(first);
  }

  get pid(): number {
    return this.#last.pid;
  }

  stderrTail(): string {
    return this.#last.stderrTail();
  }

  readonly exchange: Exchange = (request, io) => {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    if (this.#alive) return this.#last.exchange(request, io);
    return new Promise((resolve, reject) => {
      void new WaitingCall(request, io, resolve, reject).run(this.#started());
    });
  };

  /** A process that runs: started once, however many calls wait for it. */
  #started(): Promise<StdioWire> {
    this.#starting ??= this.#restart().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #restart(): Promise<StdioWire> {
    this.#restarts.push(performance.now());
    let wire: StdioWire;
    try {
      wire = await this.#start();
    } catch (reason) {
      this.#endedBecause(DragomanError.from(reason) as DragomanError);
      throw reason;
    }
    if (this.#over !== undefined) {
      await wire.close();
      throw this.#over;
    }
    this.#last = wire;
    this.#alive = true;
    for (const observer of this.#observers.keys()) this.#attach(observer);
    this.#watch(wire);
    return wire;
  }

  #watch(wire: StdioWire): void {
    void wire.closed.then(({ error }) => {
      this.#alive = false;
      if (this.#over !== undefined) return;
      const why = error ?? new DragomanError('CONNECTION_CLOSED', `The server process ended (${this.target})`);
      if (this.#endedBecause(why)) return;
      this.#own.warn('restart', `${why.message} It is started again with the next call`);
    });
  }

  /** Whether that was once too often. */
  #endedBecause(error: DragomanError): boolean {
    const since = performance.now() - this.#limits.window;
    this.#restarts = this.#restarts.filter((at) => at > since);
    if (this.#over !== undefined || this.#restarts.length < this.#limits.restarts) return false;
    this.#over = error;
    this.#resolveClosed({ by: 'peer', error });
    return true;
  }

  observe(observer: WireObserver): () => void {
    const stop = this.#own.add(observer);
    this.#attach(observer);
    return () => {
      stop();
      this.#observers.get(observer)?.();
      this.#observers.delete(observer);
    };
  }

  #attach(observer: WireObserver): void {
    this.#observers.set(observer, this.#last.observe?.(observer) ?? (() => {}));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#over ??= closedHere(this.target);
    // One that is only just being started closes itself as soon as it runs.
    await Promise.all([this.#last.close(), this.#starting?.catch(() => undefined)]);
    this.#resolveClosed({ by: 'local' });
  }
}

/** A call that waits for a process to run, and is that process's from then on. */
class WaitingCall implements Cancellable {
  readonly #request: Request;
  readonly #io: WireIO;
  readonly #resolve: (result: Result) => void;
  readonly #reject: (error: unknown) => void;
  #taken: Cancellable | undefined;
  #given = false;

  constructor(request: Request, io: WireIO, resolve: (result: Result) => void, reject: (error: unknown) => void) {
    this.#request = request;
    this.#io = io;
    this.#resolve = resolve;
    this.#reject = reject;
    if (io.onCancel !== undefined) io.onCancel(this);
    else if (io.signal.aborted) this.handleEvent();
    else io.signal.addEventListener('abort', this);
  }

  async run(started: Promise<StdioWire>): Promise<void> {
    try {
      const wire = await started;
      this.#stopListening();
      if (this.#given) return;
      this.#resolve(await wire.exchange(this.#request, this.#handedOn()));
    } catch (reason) {
      this.#stopListening();
      this.#reject(reason);
    }
  }

  #handedOn(): WireIO {
    const io = this.#io;
    if (io.onCancel === undefined) return io;
    return {
      signal: io.signal,
      auth: io.auth,
      notify: (notification) => io.notify(notification),
      onCancel: (call) => {
        this.#taken = call;
      },
    };
  }

  /** The caller's signal aborted. */
  handleEvent(): void {
    this.cancel(abortError(this.#io.signal));
  }

  cancel(error: DragomanError | McpError): void {
    if (this.#taken !== undefined) {
      this.#taken.cancel(error);
      return;
    }
    this.#given = true;
    this.#reject(error);
  }

  #stopListening(): void {
    if (this.#io.onCancel === undefined) this.#io.signal.removeEventListener('abort', this);
  }
}

import type { Dispatcher } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import type { OpenSockets } from './open-sockets.ts';

/** A request that a pool is given: told which connection carries it, and asked whether it still has to go out. */
export interface Pooled extends Dispatcher.DispatchOptions, Dispatcher.DispatchHandler {
  /** Whether anybody still waits for the answer. */
  readonly wanted: boolean;
  client: Client | undefined;
  /** Whether the connection was there already. */
  kept: boolean;
}

/** Requests that wait before those that nobody wants any more are looked for. */
const SWEEP = 1024;

/**
 * Connections to one origin, one request on each at a time.
 *
 * undici's own pool takes a connection for busy until the event loop has turned, so that the second of two calls in a row
 * opens a connection of its own, with all its round trips. Here a connection is free as soon as its answer is complete.
 */
export class ClientPool {
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #max: number;
  readonly #sockets: OpenSockets;
  readonly #clients: Client[] = [];
  /** The one that was used last comes first: its connection is the least likely to be closed by now. */
  readonly #idle: Client[] = [];
  #waiting: Pooled[] = [];
  #sweepAt = SWEEP;
  /** Whether the server is one that closes connections without a word. */
  #wary = false;

  /** @param sockets what the options' connector opens */
  constructor(origin: string, maxConnections: number, sockets: OpenSockets, options: Client.Options) {
    this.#origin = origin;
    this.#max = maxConnections;
    this.#sockets = sockets;
    this.#options = options;
  }

  dispatch(request: Pooled): void {
    const idle = this.#idle.pop();
    const client = idle ?? (this.#clients.length < this.#max ? this.#open() : undefined);
    if (client === undefined) {
      this.#waiting.push(request);
      if (this.#waiting.length >= this.#sweepAt) this.#sweep();
      return;
    }
    request.client = client;
    request.kept = idle !== undefined;
    client.dispatch(request, request);
  }

  #open(): Client {
    const client = new Client(this.#origin, this.#options);
    this.#clients.push(client);
    return client;
  }

  /**
   * A request is over, in whatever way.
   *
   * @param stale its connection had been kept, and was closed
   */
  release(request: Pooled, stale = false): void {
    const { client } = request;
    if (client === undefined) return;
    request.client = undefined;
    if (stale) this.#wary = true;
    // That a connection is at its end is seen only when the event loop has looked at it once more.
    if (this.#wary) setImmediate(() => setImmediate(() => this.#free(client)));
    else this.#free(client);
  }

  #free(client: Client): void {
    this.#idle.push(client);
    // undici is in the middle of something here and takes nothing new yet.
    if (this.#waiting.length > 0) queueMicrotask(this.#next);
  }

  /** While subscriptions hold all connections, calls come and are given up: what is left of them must not pile up. */
  #sweep(): void {
    this.#waiting = this.#waiting.filter((request) => request.wanted);
    this.#sweepAt = Math.max(SWEEP, 2 * this.#waiting.length);
  }

  readonly #next = (): void => {
    while (this.#idle.length > 0) {
      const request = this.#waiting.shift();
      if (request === undefined) return;
      if (request.wanted) this.dispatch(request);
    }
  };

  async destroy(): Promise<void> {
    this.#waiting.length = 0;
    const destroyed = this.#clients.map((client) => client.destroy());
    this.#sockets.destroy();
    await Promise.all(destroyed);
  }
}

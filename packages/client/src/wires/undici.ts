import type { Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import { ClientPool, type Pooled } from './client-pool.ts';
import { isBreak } from './http-errors.ts';
import type { HttpPort, HttpReceiver, HttpSending, ResponseHeaders } from './http-port.ts';
import { OpenSockets } from './open-sockets.ts';
import { proxyFor } from './proxy.ts';

/** PEM text or DER bytes. */
export type Pem = string | Uint8Array;

/** How connections are made in Node. */
export interface ConnectionOptions {
  /** How long opening a connection may take, in milliseconds. Default 10 000; 0 for no limit. */
  readonly connectTimeout?: number | undefined;
  /** The most connections that are open at a time; calls beyond wait. An open subscription holds one. Default 256. */
  readonly maxConnections?: number | undefined;
  /**
   * Address of a proxy, or false for none. Default: `HTTPS_PROXY`, `HTTP_PROXY` and `ALL_PROXY`, unless `NO_PROXY` names
   * the host. Without this option loopback is always reached directly.
   */
  readonly proxy?: string | URL | false | undefined;
  /** Certificate authorities to trust instead of the system's. */
  readonly ca?: Pem | readonly Pem[] | undefined;
  /** A client certificate, and its key. */
  readonly cert?: Pem | undefined;
  /** The private key of `cert`. */
  readonly key?: Pem | undefined;
  /** Does not check certificates. Whoever is in between can read and change everything. Default false. */
  readonly insecure?: boolean | undefined;
  /** An undici 7 dispatcher to use as it is, instead of all the above. It is not closed with the wire. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Where proxy variables are looked up. Default `process.env`. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
}

/** Where requests go. */
interface Carrier {
  dispatch(request: UndiciSending): void;
  release?(request: UndiciSending, stale?: boolean): void;
  destroy(): Promise<void>;
}

/** Sends by undici: its connections, without its request objects, streams and timeouts, which a call does not need. */
export async function undiciPort(
  url: URL,
  options: ConnectionOptions,
  onBadProxy: (message: string) => void,
): Promise<HttpPort> {
  const { dispatcher } = options;
  if (dispatcher === undefined) return new UndiciPort(await makeCarrier(url, options, onBadProxy));
  return new UndiciPort({
    dispatch: (request) => void dispatcher.dispatch(request, request),
    destroy: () => Promise.resolve(),
  });
}

async function makeCarrier(
  url: URL,
  options: ConnectionOptions,
  onBadProxy: (message: string) => void,
): Promise<Carrier> {
  const tls: { [name: string]: unknown } = {};
  if (options.ca !== undefined) tls.ca = options.ca;
  if (options.cert !== undefined) tls.cert = options.cert;
  if (options.key !== undefined) tls.key = options.key;
  if (options.insecure === true) tls.rejectUnauthorized = false;
  const { connectTimeout = 10_000, maxConnections: connections = 256 } = options;
  const connect = { ...tls, timeout: connectTimeout === Number.POSITIVE_INFINITY ? 0 : connectTimeout };
  const sockets = new OpenSockets();
  const proxy =
    options.proxy === false ? undefined : proxyFor(url, options.proxy, options.env ?? process.env, onBadProxy);
  if (proxy === undefined) {
    return new ClientPool(url.origin, connections, sockets, {
      // Deadlines belong to the client, which knows of progress; these would cut a quiet subscription off.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: sockets.remember(buildConnector(connect)),
    });
  }
  const { proxyDispatcher } = await import('./proxy-carrier.ts');
  const agent = proxyDispatcher({ proxy, connect, connections, sockets });
  return {
    dispatch: (request) => void agent.dispatch(request, request),
    async destroy() {
      const destroyed = agent.destroy();
      sockets.destroy();
      await destroyed;
    },
  };
}

class UndiciPort implements HttpPort {
  readonly headers = ['accept-encoding', 'identity', 'user-agent', 'dragoman'];
  readonly decodes = false;
  readonly #carrier: Carrier;

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
  }

  post(url: URL, headers: string[], body: string, receiver: HttpReceiver): HttpSending {
    const sending = new UndiciSending(this.#carrier, receiver, url, headers, body);
    this.#carrier.dispatch(sending);
    return sending;
  }

  close(): Promise<void> {
    return this.#carrier.destroy().catch(() => undefined);
  }
}

/** One request: undici's options and undici's handler in one object. */
class UndiciSending implements Pooled, HttpSending {
  readonly origin: string;
  readonly path: string;
  readonly method = 'POST';
  readonly headers: string[];
  readonly body: string;
  readonly headersTimeout = 0;
  readonly bodyTimeout = 0;
  client: Pooled['client'];
  kept = false;
  readonly #carrier: Carrier;
  #receiver: HttpReceiver | undefined;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(carrier: Carrier, receiver: HttpReceiver, url: URL, headers: string[], body: string) {
    this.#carrier = carrier;
    this.#receiver = receiver;
    this.origin = url.origin;
    this.path = url.pathname + url.search;
    this.headers = headers;
    this.body = body;
  }

  get wanted(): boolean {
    return this.#receiver !== undefined;
  }

  abort(): void {
    this.#receiver = undefined;
    this.#controller?.abort(new Error('aborted'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#receiver === undefined) controller.abort(new Error('aborted'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status >= 200) this.#receiver?.head(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#receiver?.data(chunk);
  }

  onResponseEnd(): void {
    this.#carrier.release?.(this);
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    const reach = this.#controller === undefined ? 'unsent' : this.kept ? 'kept' : 'sent';
    this.#carrier.release?.(this, receiver !== undefined && reach === 'kept' && isBreak(error));
    receiver?.failed(error, reach);
  }
}

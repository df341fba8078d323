import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { HttpPort, HttpReceiver, HttpSending, ResponseHeaders } from './http-port.ts';
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
  readonly key?: Pem | undefined;
  /** Does not check certificates. Whoever is in between can read and change everything. Default false. */
  readonly insecure?: boolean | undefined;
  /** An undici 7 dispatcher to use as it is, instead of all the above. It is not closed with the wire. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Where proxy variables are looked up. Default `process.env`. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
}

/** Sends by undici: its connection pool, without its request objects, streams and timeouts, which a call does not need. */
export async function undiciPort(
  url: URL,
  options: ConnectionOptions,
  onBadProxy: (message: string) => void,
): Promise<HttpPort> {
  const dispatcher = options.dispatcher ?? (await makeDispatcher(url, options, onBadProxy));
  return new UndiciPort(dispatcher, options.dispatcher === undefined);
}

async function makeDispatcher(
  url: URL,
  options: ConnectionOptions,
  onBadProxy: (message: string) => void,
): Promise<Dispatcher> {
  const tls: { [name: string]: unknown } = {};
  if (options.ca !== undefined) tls.ca = options.ca;
  if (options.cert !== undefined) tls.cert = options.cert;
  if (options.key !== undefined) tls.key = options.key;
  if (options.insecure === true) tls.rejectUnauthorized = false;
  const connect = { ...tls, timeout: options.connectTimeout ?? 10_000 };
  // Deadlines belong to the client, which knows of progress; these would cut a quiet subscription off.
  const pool = { connections: options.maxConnections ?? 256, headersTimeout: 0, bodyTimeout: 0 };
  const proxy =
    options.proxy === false ? undefined : proxyFor(url, options.proxy, options.env ?? process.env, onBadProxy);
  if (proxy === undefined) return new Pool(url.origin, { ...pool, connect });
  const { default: ProxyAgent } = await import('undici/lib/dispatcher/proxy-agent.js');
  return new ProxyAgent({ ...pool, uri: proxy.href, requestTls: connect, proxyTls: connect });
}

class UndiciPort implements HttpPort {
  readonly headers = ['accept-encoding', 'identity', 'user-agent', 'dragoman'];
  readonly decodes = false;
  readonly #dispatcher: Dispatcher;
  readonly #owned: boolean;

  constructor(dispatcher: Dispatcher, owned: boolean) {
    this.#dispatcher = dispatcher;
    this.#owned = owned;
  }

  post(url: URL, headers: string[], body: string, receiver: HttpReceiver): HttpSending {
    const sending = new UndiciSending(receiver);
    this.#dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers,
        body,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      sending,
    );
    return sending;
  }

  async close(): Promise<void> {
    if (!this.#owned) return;
    await this.#dispatcher.destroy().catch(() => undefined);
  }
}

class UndiciSending implements Dispatcher.DispatchHandler, HttpSending {
  #receiver: HttpReceiver | undefined;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(receiver: HttpReceiver) {
    this.#receiver = receiver;
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
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.failed(error);
  }
}

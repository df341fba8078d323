import { DragomanError, type Exchange, type HeaderIndex, mirroredHeaders, type Request } from '@dragoman/protocol';
import { checkCount, checkWait } from '../check-options.ts';
import { type Fetch, fetchPort, platformFetch, refuseConnectionOptions } from './fetch.ts';
import { HttpCall } from './http-call.ts';
import type { HttpPort, ResponseHeaders } from './http-port.ts';
import type { HttpCallSurroundings, HttpChallenge } from './http-surroundings.ts';
import { MAX_MESSAGE_BYTES } from './line-wire.ts';
import { fingerprint, maskHeader, maskUrl } from './mask.ts';
import { Observers } from './observers.ts';
import { closedHere } from './outcomes.ts';
import { MAX_REDIRECTS } from './redirect.ts';
import type { ConnectionOptions } from './undici.ts';
import { type HeadersInput, readUserHeaders } from './user-headers.ts';
import type { CloseReason, Wire, WireObserver } from './wire.ts';

/** Options of an HTTP wire. */
export interface HttpOptions extends ConnectionOptions {
  /** Sent with every request. What belongs to the protocol (`Accept`, `Content-Type`, `Mcp-*`, …) is left out with a warning. */
  readonly headers?: HeadersInput | undefined;
  /**
   * Sends requests. Default: undici in Node, the platform's `fetch` elsewhere. Where a `fetch` sends, the connection
   * options above have no place and are refused.
   */
  readonly fetch?: Fetch | undefined;
  /** The header index of a tool, where its schema is known: arguments it names are mirrored in `Mcp-Param-*`. */
  readonly headerIndex?: ((tool: string) => HeaderIndex | undefined) | undefined;
  /**
   * Asked after a 401 or 403: headers that let us in, or undefined. The request is sent once more with them, and so is
   * every later one. One question at a time, however many requests wait for the answer.
   */
  readonly authorize?:
    | ((challenge: HttpChallenge) => Promise<{ readonly [name: string]: string } | undefined>)
    | undefined;
  /** The longest answer or event that is read, in bytes. Default 64 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** How much of the body of a failure is read, in bytes. Default 1 MiB. */
  readonly maxErrorBytes?: number | undefined;
  /** How many redirections in a row are followed. Default 5; 0 for none. */
  readonly maxRedirects?: number | undefined;
}

/**
 * A wire to an HTTP endpoint (basic/transports/streamable-http). Connections are made when they are needed and kept while
 * they serve; there is no session.
 *
 * @throws DragomanError `INVALID_ARGUMENT` for an address that is not http or https, for headers that cannot be sent, and
 * for connection options where a `fetch` sends.
 */
export function httpWire(url: string | URL, options: HttpOptions = {}): Wire {
  return new HttpWire(url, options);
}

class HttpWire implements Wire, HttpCallSurroundings {
  readonly kind = 'http';
  readonly target: string;
  readonly identity: string;
  readonly closed: Promise<CloseReason>;
  readonly observers = new Observers();
  readonly active: HttpCall[] = [];
  readonly maxMessageBytes: number;
  readonly maxErrorBytes: number;
  readonly maxRedirects: number;
  readonly endpoint: URL;
  url: URL;
  credentials = 0;
  readonly #options: HttpOptions;
  readonly #fetch: Fetch | undefined;
  /** Sent with every request, name and value in turn. */
  #fixed: string[];
  #authorization: string[] = [];
  #authorizing: Promise<boolean> | undefined;
  #port: HttpPort | Promise<HttpPort> | undefined;
  #nextId = 1;
  #exchanges = 0;
  #closedError: DragomanError | undefined;
  #closing: Promise<void> | undefined;
  #resolveClosed!: (reason: CloseReason) => void;

  constructor(url: string | URL, options: HttpOptions) {
    checkWait('connectTimeout', options.connectTimeout);
    checkCount('maxConnections', options.maxConnections, 1);
    checkCount('maxMessageBytes', options.maxMessageBytes, 1);
    checkCount('maxErrorBytes', options.maxErrorBytes, 0);
    checkCount('maxRedirects', options.maxRedirects, 0);
    this.url = readUrl(url);
    this.#options = options;
    this.target = maskUrl(this.url);
    this.identity = maskUrl(this.url, fingerprint);
    this.maxMessageBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES;
    this.maxErrorBytes = options.maxErrorBytes ?? 1024 * 1024;
    this.maxRedirects = options.maxRedirects ?? MAX_REDIRECTS;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#fetch = options.fetch ?? platformFetch();
    if (this.#fetch !== undefined) refuseConnectionOptions(options);
    if (options.insecure === true) {
      this.observers.warn(
        'insecure',
        `The certificate of ${this.url.host} is not checked: whoever is in between can read and change everything`,
      );
    }
    this.#fixed = [
      'content-type',
      'application/json',
      'accept',
      'application/json, text/event-stream',
      ...this.#userHeaders(options.headers),
    ];
    this.endpoint = this.#takeUserinfo();
  }

  #userHeaders(input: HeadersInput | undefined): string[] {
    const ignored: string[] = [];
    const headers = readUserHeaders(input, (name) => ignored.push(name));
    if (ignored.length > 0) {
      const what =
        ignored.length === 1 ? `The header ${ignored[0]} belongs` : `The headers ${ignored.join(', ')} belong`;
      this.observers.warn('header-ignored', `${what} to the protocol; the value given is not sent`);
    }
    return headers;
  }

  /** A user name and password in the address are HTTP's own credentials; no address that is sent anywhere keeps them. */
  #takeUserinfo(): URL {
    const { username, password } = this.url;
    if (username === '' && password === '') return this.url;
    this.url.username = '';
    this.url.password = '';
    if (this.#fixed.includes('authorization')) return this.url;
    const bytes = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
    this.#fixed.push('authorization', `Basic ${btoa(String.fromCharCode(...bytes))}`);
    return this.url;
  }

  readonly exchange: Exchange = (request, io) =>
    this.#closedError === undefined
      ? new Promise((resolve, reject) => {
          this.#port ??= this.#openPort();
          new HttpCall(this, this.nextId(), request, io, resolve, reject).start(this.#port);
        })
      : Promise.reject(this.#closedError);

  nextId(): number {
    return this.#nextId++;
  }

  async #openPort(): Promise<HttpPort> {
    try {
      const port = await this.#makePort();
      if (this.#closedError === undefined) this.#port = port;
      this.#fixed.unshift(...without(port.headers, this.#fixed));
      return port;
    } catch (error) {
      this.#port = undefined;
      throw error;
    }
  }

  async #makePort(): Promise<HttpPort> {
    if (this.#fetch !== undefined) return fetchPort(this.#fetch);
    const { undiciPort } = await import('#undici');
    return undiciPort(this.url, this.#options, (message) => this.observers.warn('proxy-ignored', message));
  }

  headers(request: Request): string[] {
    const headers = this.#authorization.length === 0 ? this.#fixed.slice() : this.#fixed.concat(this.#authorization);
    const tool = request.method === 'tools/call' ? request.params.name : undefined;
    const index = typeof tool === 'string' ? this.#options.headerIndex?.(tool) : undefined;
    for (const [name, value] of mirroredHeaders(request, index)) headers.push(name, value);
    return headers;
  }

  authorize(challenge: HttpChallenge, credentials: number): Promise<boolean> {
    // Others may have got new ones since this request was sent.
    if (credentials !== this.credentials) return Promise.resolve(true);
    this.#authorizing ??= this.#authorize(challenge).finally(() => {
      this.#authorizing = undefined;
    });
    return this.#authorizing;
  }

  async #authorize(challenge: HttpChallenge): Promise<boolean> {
    // A caller without types may say null for nothing.
    const given = (await this.#options.authorize?.(challenge)) ?? undefined;
    if (given === undefined) return false;
    const headers = this.#userHeaders(given);
    // What is replaced must not be sent twice.
    this.#fixed = without(this.#fixed, headers);
    this.#authorization = headers;
    this.credentials++;
    return true;
  }

  traceRequest(url: URL, headers: readonly string[]): number {
    const exchange = ++this.#exchanges;
    const pairs: [string, string][] = [];
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = headers[at] as string;
      pairs.push([name, maskHeader(name, headers[at + 1] as string)]);
    }
    this.observers.trace({ type: 'http-request', exchange, method: 'POST', url: maskUrl(url), headers: pairs });
    return exchange;
  }

  traceResponse(exchange: number, status: number, headers: ResponseHeaders): void {
    const pairs: [string, string][] = [];
    for (const [name, value] of Object.entries(headers)) {
      for (const each of Array.isArray(value) ? value : [value ?? '']) pairs.push([name, maskHeader(name, each)]);
    }
    this.observers.trace({ type: 'http-response', exchange, status, headers: pairs });
  }

  observe(observer: WireObserver): () => void {
    return this.observers.add(observer);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const error = closedHere(this.target);
    this.#closedError = error;
    for (const call of [...this.active]) call.cancel(error);
    const port = await Promise.resolve(this.#port).catch(() => undefined);
    await port?.close();
    this.#resolveClosed({ by: 'local' });
  }
}

/** A part of an address without its escapes. What only looks like an escape stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readUrl(url: string | URL): URL {
  if (!URL.canParse(url)) {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `${JSON.stringify(String(url))} is no address; expected something like https://host/mcp`,
    );
  }
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    // `localhost:3000/mcp` is the scheme `localhost:` to whoever reads URLs.
    const whole = `http://${String(url)}`;
    const meant = /^[^/]+:(?!\/\/)/.test(String(url)) && URL.canParse(whole) ? new URL(whole) : undefined;
    const message =
      meant === undefined
        ? `${maskUrl(parsed)} is neither an http nor an https address`
        : `An address begins with http:// or https://, as in ${maskUrl(meant)}`;
    throw new DragomanError('INVALID_ARGUMENT', message);
  }
  parsed.hash = '';
  return parsed;
}

/** Headers without those that `others` names. */
function without(headers: readonly string[], others: readonly string[]): string[] {
  const names = new Set<string>();
  for (let at = 0; at < others.length; at += 2) names.add(others[at] as string);
  const left: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (!names.has(headers[at] as string)) left.push(headers[at] as string, headers[at + 1] as string);
  }
  return left;
}

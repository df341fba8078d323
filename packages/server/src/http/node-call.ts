import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Pieces } from '@dragoman/protocol';
import { delayOf } from '../limits.ts';
import { HttpCall } from './call.ts';
import type { HeaderPairs } from './cors.ts';
import type { HttpEndpoint } from './endpoint.ts';
import { isLoopbackAddress } from './host.ts';
import type { LoopbackPort } from './host-guard.ts';

/** Milliseconds for which, and bytes up to which, a body that was refused is still read: the client is to see the refusal. */
const LINGER = { milliseconds: 1_000, bytes: 16 * 1024 * 1024 };

const theCall = Symbol('call');

type Carrier = { [theCall]?: NodeCall };

const queued = Symbol('queued');

/** Calls of a connection whose answers wait for those before them, by HTTP pipelining. */
type QueueCarrier = { [queued]?: Set<NodeCall> };

// One function each for all requests: the emitter is `this`, and it knows its call.
function onData(this: IncomingMessage & Carrier, chunk: Buffer): void {
  this[theCall]?.receive(chunk);
}
function onEnd(this: IncomingMessage & Carrier): void {
  this[theCall]?.received();
}
function onClose(this: ServerResponse & Carrier): void {
  this[theCall]?.closed();
}
function onSocketClose(this: Socket & QueueCarrier): void {
  for (const call of this[queued] ?? []) call.closed();
}

/** A call over node:http: the bytes go from socket to handler and back without objects of the Fetch standard. */
export class NodeCall extends HttpCall {
  readonly #request: IncomingMessage & Carrier;
  readonly #response: ServerResponse & Carrier;
  readonly #listener: LoopbackPort | 'unknown';
  /** What has come of the body: mostly all of it at once. */
  #body: Buffer | Pieces | undefined = undefined;
  #size = 0;
  #parsed: unknown;
  #expectsContinue = false;
  /** The connection's time limit is set for this answer. */
  #watching = false;
  #written: (() => void) | undefined = undefined;
  #lingering: ReturnType<typeof setTimeout> | undefined = undefined;

  /**
   * @param listener the loopback port of the listener, undefined for one that is not on loopback; `unknown` looks at the
   *   socket
   * @param parsed the body, where a framework has read it
   */
  constructor(
    endpoint: HttpEndpoint,
    request: IncomingMessage,
    response: ServerResponse,
    listener: LoopbackPort | 'unknown',
    parsed?: unknown,
  ) {
    super(endpoint);
    this.#request = request;
    this.#response = response;
    this.#listener = listener;
    this.#parsed = parsed;
    this.#response[theCall] = this;
    response.on('close', onClose);
    if (response.socket === null) this.#queue();
  }

  /** Node tells a response whose turn has not come nothing of the end of its connection, so the connection is asked. */
  #queue(): void {
    const socket: Socket & QueueCarrier = this.#request.socket;
    if (socket[queued] === undefined) {
      socket[queued] = new Set();
      socket.on('close', onSocketClose);
    }
    socket[queued].add(this);
    this.#response.on('socket', () => socket[queued]?.delete(this));
  }

  get method(): string {
    return this.#request.method as string;
  }

  get target(): string {
    return this.#request.url as string;
  }

  header(name: string): string | undefined {
    const { headers } = this.#request;
    // HTTP/2 has the host in a field of its own (RFC 9113 §8.3.1).
    const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
    return typeof value === 'string' || value === undefined ? value : value.join(', ');
  }

  protected override loopbackPort(): LoopbackPort {
    if (this.#listener !== 'unknown') return this.#listener;
    const { localAddress, localPort } = this.#request.socket;
    return localAddress !== undefined && isLoopbackAddress(localAddress) ? localPort : undefined;
  }

  /** The client waits for leave to send the body. */
  expectContinue(): void {
    this.#expectsContinue = true;
  }

  protected override readBody(): void {
    if (this.#parsed !== undefined) {
      this.#takeFromFramework(this.#parsed);
      return;
    }
    const request = this.#request;
    if (request.readableEnded) {
      this.broken(
        new TypeError('Something else has read the body of this request; hand it over as the third argument'),
      );
      return;
    }
    if (this.#expectsContinue) this.#response.writeContinue();
    request[theCall] = this;
    request.on('data', onData);
    request.on('end', onEnd);
  }

  #takeFromFramework(body: unknown): void {
    if (typeof body === 'string') this.take(body);
    else if (body instanceof Uint8Array) this.#decode(bufferOf(body));
    else this.takeParsed(body);
  }

  receive(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#lingering !== undefined) {
      if (this.#size > this.endpoint.limits.maxBodyBytes + LINGER.bytes) this.#request.destroy();
      return;
    }
    const refused = this.hold(this.#size);
    if (refused !== undefined) {
      this.#body = undefined;
      this.refuseBody(refused);
    } else if (this.#body === undefined) {
      this.#body = chunk;
    } else {
      if (!(this.#body instanceof Pieces)) {
        const first = this.#body;
        this.#body = new Pieces();
        this.#body.add(first);
      }
      this.#body.add(chunk);
    }
  }

  received(): void {
    if (this.#lingering !== undefined) {
      this.#response.end();
      return;
    }
    const body = this.#body;
    this.#body = undefined;
    if (body === undefined) this.take('');
    else this.#decode(body instanceof Pieces ? bufferOf(body.whole()) : body);
  }

  #decode(body: Buffer): void {
    const text = body.toString('utf8');
    // The decoder puts U+FFFD for what is not UTF-8; a text may also hold one of its own.
    if (text.includes('\ufffd') && !isUtf8Text(body)) this.refuseBody(400);
    else this.take(text);
  }

  protected override refuseBody(status: 413 | 503 | 400): void {
    if (status !== 400) this.#linger();
    super.refuseBody(status);
  }

  /**
   * Closing a connection with unread bytes in it resets it, and the client may never see why. So the answer is sent, what
   * still comes is passed over for a while, and only then the connection ends.
   */
  #linger(): void {
    this.#lingering = setTimeout(() => this.#request.destroy(), LINGER.milliseconds);
    this.#lingering.unref();
    if (this.#request.listenerCount('data') > 0) return;
    this.#request[theCall] = this;
    this.#request.on('data', onData);
    this.#request.on('end', onEnd);
  }

  protected override respond(status: number, type: string | undefined, body: string, headers: HeaderPairs): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    if (headers.length === 0 && type !== undefined) {
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    } else {
      const all: { [name: string]: string | number } = Object.fromEntries(headers);
      if (type !== undefined) all['content-type'] = type;
      // HTTP/2 knows no such field (RFC 9113 §8.2.2).
      if (this.#request.httpVersionMajor > 1) delete all.connection;
      if (status !== 204) all['content-length'] = Buffer.byteLength(body);
      response.writeHead(status, all);
    }
    if (this.#lingering === undefined || this.#request.complete) response.end(body);
    else response.write(body);
    this.#watchReader();
  }

  /** An answer that is not taken must not be kept for ever: the call counts as open until it has left. */
  #watchReader(): void {
    const { stallTimeout } = this.endpoint.limits;
    // Null where other answers come first, undefined where a stream of HTTP/2 has ended.
    const { socket } = this.#response as { readonly socket: Socket | null | undefined };
    if (stallTimeout <= 0 || (socket !== null && !((socket?.writableLength ?? 0) > 0))) return;
    this.#watching = true;
    this.#response.setTimeout(delayOf(stallTimeout), () => this.cut());
  }

  protected override begin(headers: HeaderPairs): void {
    this.#written = () => this.drained();
    if (this.#response.destroyed || this.#response.headersSent) return;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream', ...Object.fromEntries(headers) });
  }

  /** What limited this answer is not for the next one, unless Node has put its own limit in place of it. */
  #unwatchReader(): void {
    const { socket } = this.#request;
    if (socket.timeout === delayOf(this.endpoint.limits.stallTimeout)) socket.setTimeout(0);
  }

  override write(text: string): void {
    if (this.#isOpen()) this.#response.write(text, this.#written);
  }

  protected override end(text: string): void {
    if (!this.#isOpen()) return;
    this.#response.end(text);
    this.#watchReader();
  }

  /** A framework may have ended the response by itself, as one that limits the time of an answer does. */
  #isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  protected override destroy(): void {
    this.#response.destroy();
  }

  closed(): void {
    if (this.#lingering !== undefined) clearTimeout(this.#lingering);
    if (this.#watching) this.#unwatchReader();
    this.left();
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const strict = new TextDecoder('utf-8', { fatal: true });

function isUtf8Text(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The port of a listener that is on loopback, for the host guard. */
export function loopbackPortOf(address: AddressInfo | string | null): LoopbackPort {
  return typeof address === 'object' && address !== null && isLoopbackAddress(address.address)
    ? address.port
    : undefined;
}

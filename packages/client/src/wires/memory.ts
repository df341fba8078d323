import {
  DragomanError,
  type Exchange,
  type ExchangeIO,
  isErrorResponse,
  isMalformed,
  type JsonRpcNotification,
  type JsonRpcRequest,
  McpError,
  MetaKey,
  type Notification,
  parseMessage,
  type Request,
  type Result,
  serializeError,
  serializeNotification,
  serializeRequest,
  serializeResult,
  serializeSubscribed,
  show,
} from '@dragoman/protocol';
import { Observers } from './observers.ts';
import { abortError, closedHere, deliver, LISTEN, peerError, unserialisable } from './outcomes.ts';
import type { Cancellable, CloseReason, Wire, WireIO, WireObserver } from './wire.ts';

/** Something of this process that answers requests: a server, or any other exchange. */
export interface ExchangeTarget {
  /** What answers. */
  readonly exchange: Exchange;
  /** What to call it in messages. Default `exchange N`. */
  readonly name?: string | undefined;
}

const numbers = new WeakMap<Exchange, number>();
let count = 0;

/**
 * A wire to an exchange of this process. Every message goes through JSON and back, so that nothing works here that would
 * fail over another wire: what is not JSON is lost, objects are never shared, and an error that is not an McpError comes
 * out as an internal error without its text.
 */
export function memoryWire(target: ExchangeTarget): Wire {
  return new MemoryWire(target);
}

class MemoryWire implements Wire {
  readonly kind = 'memory';
  readonly target: string;
  readonly identity: string;
  readonly closed: Promise<CloseReason>;
  readonly observers = new Observers();
  readonly #exchange: Exchange;
  readonly #active = new Set<MemoryCall>();
  #nextId = 1;
  #closedError: DragomanError | undefined;
  #resolveClosed!: (reason: CloseReason) => void;

  constructor(target: ExchangeTarget) {
    this.#exchange = target.exchange;
    const number = numbers.get(target.exchange) ?? ++count;
    numbers.set(target.exchange, number);
    this.target = target.name ?? `exchange ${number}`;
    this.identity = `memory:${number}`;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  readonly exchange: Exchange = (request, io: WireIO) => {
    if (this.#closedError !== undefined) return Promise.reject(this.#closedError);
    if (io.onCancel === undefined && io.signal.aborted) return Promise.reject(abortError(io.signal));
    const id = this.#nextId++;
    let text: string;
    try {
      text = serializeRequest(id, request);
    } catch (error) {
      return Promise.reject(unserialisable(request.method, error));
    }
    this.#trace('sent', text);
    return new Promise((resolve, reject) => {
      const call = new MemoryCall(this, id, request.method === LISTEN, io, resolve, reject);
      this.#active.add(call);
      void call.run(this.#exchange, text);
    });
  };

  done(call: MemoryCall): void {
    this.#active.delete(call);
  }

  received(text: string): void {
    this.#trace('received', text);
  }

  #trace(direction: 'sent' | 'received', text: string): void {
    if (this.observers.tracing) this.observers.trace({ type: 'message', direction, text });
  }

  observe(observer: WireObserver): () => void {
    return this.observers.add(observer);
  }

  close(): Promise<void> {
    if (this.#closedError === undefined) {
      const error = closedHere(this.target);
      this.#closedError = error;
      for (const call of [...this.#active]) call.cancel(error);
      this.#resolveClosed({ by: 'local' });
    }
    return Promise.resolve();
  }
}

/** One call, and what the other side sees of it. */
class MemoryCall implements ExchangeIO, Cancellable {
  readonly auth: ExchangeIO['auth'];
  readonly #wire: MemoryWire;
  readonly #id: number;
  readonly #listen: boolean;
  readonly #io: WireIO;
  readonly #resolve: (result: Result) => void;
  readonly #reject: (error: Error) => void;
  readonly #controller = new AbortController();
  #settled = false;

  constructor(
    wire: MemoryWire,
    id: number,
    listen: boolean,
    io: WireIO,
    resolve: (result: Result) => void,
    reject: (error: Error) => void,
  ) {
    this.#wire = wire;
    this.#id = id;
    this.#listen = listen;
    this.#io = io;
    this.auth = io.auth;
    this.#resolve = resolve;
    this.#reject = reject;
    if (io.onCancel === undefined) io.signal.addEventListener('abort', this);
    else io.onCancel(this);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async run(exchange: Exchange, text: string): Promise<void> {
    let answer: string;
    try {
      // No wire delivers anything before its caller has got hold of the call.
      await undefined;
      const { method, params } = JSON.parse(text) as JsonRpcRequest;
      const result: unknown = await exchange({ method, params } as Request, this);
      if (!isObject(result)) {
        if (this.#settle()) this.#reject(noAnswer(this.#wire.target, result));
        return;
      }
      answer = serializeResult(this.#id, this.#listen ? tagged(result, this.#id) : result);
    } catch (error) {
      answer = serializeError(this.#id, McpError.from(error));
    }
    if (this.#settled) return;
    this.#wire.received(answer);
    const message = parseMessage(answer);
    if (!this.#settle()) return;
    if (isMalformed(message) || 'method' in message) {
      this.#reject(noAnswer(this.#wire.target, answer));
    } else if (isErrorResponse(message)) this.#reject(peerError(message));
    else this.#resolve(message.result);
  }

  /** Called by the other side. */
  notify = (notification: Notification): void => {
    if (this.#settled) return;
    const text = this.#listen
      ? serializeSubscribed(notification, String(this.#id))
      : serializeNotification(notification);
    queueMicrotask(() => {
      if (this.#settled) return;
      this.#wire.received(text);
      deliver(this.#io, JSON.parse(text) as JsonRpcNotification, this.#wire.observers);
    });
  };

  /** The caller's signal aborted. */
  handleEvent(): void {
    this.cancel(abortError(this.#io.signal));
  }

  cancel(error: Error): void {
    if (!this.#settle()) return;
    this.#controller.abort(error);
    this.#reject(error);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    if (this.#io.onCancel === undefined) this.#io.signal.removeEventListener('abort', this);
    this.#wire.done(this);
    return true;
  }
}

const noAnswer = (target: string, given: unknown): DragomanError =>
  new DragomanError('PROTOCOL_VIOLATION', `${target} did not answer with a result object, but with ${show(given)}`);

const isObject = (value: unknown): value is Result =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The result of a listen request carries the subscription's id on every wire. */
function tagged(result: Result, id: number): Result {
  return { ...result, _meta: { ...result._meta, [MetaKey.subscriptionId]: id } };
}

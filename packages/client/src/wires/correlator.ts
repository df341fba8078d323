import {
  DragomanError,
  type Exchange,
  isErrorResponse,
  isMalformed,
  type JsonRpcErrorResponse,
  type JsonRpcNotification,
  type JsonRpcResponse,
  type Malformed,
  type McpError,
  MetaKey,
  parseMessage,
  type Request,
  type RequestId,
  type Result,
  serializeNotification,
  serializeRequest,
  show,
} from '@dragoman/protocol';
import type { Observers } from './observers.ts';
import { abortError, deliver, gracefulEnd, LISTEN, peerError, unserialisable } from './outcomes.ts';
import type { Cancellable, WireIO } from './wire.ts';

/** A line that waits to be written. */
export interface Outgoing {
  /** Undefined once it is written, or when nobody wants it written any more. */
  line: string | undefined;
}

const BRACE = 0x7b;
const BRACKET = 0x5b;
const SPACE = 0x20;

/** Ids of cancelled calls and ended subscriptions that are remembered, so that what still comes for them is known for what it is. */
const REMEMBERED = 1024;

/**
 * Joins what comes over one byte stream to the calls that it belongs to (basic/transports/stdio, "Receiving Messages"):
 * answers by id, progress by token, changes by subscription id, log messages to the calls that asked for logs. Whatever
 * belongs to nobody is a warning and never a reason to disconnect.
 */
export class Correlator {
  readonly #observers: Observers;
  readonly #send: (item: Outgoing) => void;
  readonly #pending = new Map<RequestId, Call>();
  readonly #tokens = new Map<RequestId, Call>();
  readonly #logging = new Set<Call>();
  readonly #listening = new Set<Call>();
  readonly #done = new Set<RequestId>();
  #nextId = 1;
  #failure: DragomanError | undefined;

  constructor(observers: Observers, send: (item: Outgoing) => void) {
    this.#observers = observers;
    this.#send = send;
  }

  readonly exchange: Exchange = (request, io) =>
    this.#failure === undefined
      ? new Promise((resolve, reject) => this.#begin(request, io, resolve, reject))
      : Promise.reject(this.#failure);

  #begin(request: Request, io: WireIO, resolve: (result: Result) => void, reject: (error: Error) => void): void {
    if (io.onCancel === undefined && io.signal.aborted) {
      reject(abortError(io.signal));
      return;
    }
    const id = this.#nextId++;
    const call = new Call(this, id, io, resolve, reject);
    const meta = request.params._meta;
    const token = meta?.progressToken ?? undefined;
    let sent = request;
    if (token !== undefined) {
      call.token = token;
      call.wireToken = token;
      if (this.#tokens.has(token)) {
        call.wireToken = this.#freeToken(id);
        sent = {
          method: request.method,
          params: { ...request.params, _meta: { ...meta, progressToken: call.wireToken } },
        };
      }
    }
    try {
      call.line = serializeRequest(id, sent);
    } catch (error) {
      reject(unserialisable(request.method, error));
      return;
    }
    if (call.wireToken !== undefined) this.#tokens.set(call.wireToken, call);
    if (request.method === LISTEN) {
      call.listen = true;
      this.#listening.add(call);
    }
    if (typeof meta?.[MetaKey.logLevel] === 'string') this.#logging.add(call);
    this.#pending.set(id, call);
    if (io.onCancel === undefined) io.signal.addEventListener('abort', call);
    else io.onCancel(call);
    if (this.#observers.tracing) this.#observers.trace({ type: 'message', direction: 'sent', text: call.line });
    this.#send(call);
  }

  /** A token that no pending call of this wire uses. */
  #freeToken(id: number): string {
    let token = `progress-${id}`;
    while (this.#tokens.has(token)) token += '-';
    return token;
  }

  /** The caller gave up: tells the server, unless it has not heard of the call yet (basic/patterns/cancellation). */
  cancel(call: Call, error: DragomanError | McpError): void {
    if (this.#pending.get(call.id) !== call) return;
    this.#forget(call);
    if (call.line !== undefined) {
      call.line = undefined;
    } else {
      this.#remember(call.id);
      const line = serializeNotification({
        method: 'notifications/cancelled',
        params: { requestId: call.id, reason: error.message },
      });
      if (this.#observers.tracing) this.#observers.trace({ type: 'message', direction: 'sent', text: line });
      this.#send({ line });
    }
    call.reject(error);
  }

  /** Takes one line. */
  receive(line: string): void {
    if (this.#observers.tracing) this.#observers.trace({ type: 'message', direction: 'received', text: line });
    if (isNoise(line)) {
      this.#observers.warn('junk', 'The server wrote a line that is no message', line);
      return;
    }
    const message = parseMessage(line);
    if (isMalformed(message)) this.#malformed(message, line);
    else if (!('method' in message)) this.#answer(message);
    else if (!('id' in message)) this.#notification(message);
    else this.#observers.warn('server-request', `The server sent the request ${message.method}, which is not answered`);
  }

  #answer(message: JsonRpcResponse | JsonRpcErrorResponse): void {
    const { id } = message;
    const call = id === undefined || id === null ? undefined : this.#pending.get(id);
    if (call === undefined) {
      this.#stray(message);
      return;
    }
    this.#forget(call);
    // A subscription may end by this and by `notifications/cancelled`, in either order.
    if (call.listen) this.#remember(call.id);
    if (isErrorResponse(message)) call.reject(peerError(message));
    else call.resolve(message.result);
  }

  #stray(message: JsonRpcResponse | JsonRpcErrorResponse): void {
    const { id } = message;
    if (id === undefined || id === null) {
      this.#observers.warn('unmatched-answer', 'The server sent an error without an id', show(message));
      // It could not read the id; where only one call is pending, that is the one it means.
      if (isErrorResponse(message)) this.failOnly(peerError(message));
      return;
    }
    if (this.#done.has(id)) return;
    const issued = typeof id === 'number' && id >= 1 && id < this.#nextId;
    if (issued) this.#observers.warn('duplicate-answer', `The server answered the request ${id} more than once`);
    else this.#observers.warn('unmatched-answer', 'The server answered a request that was never sent', show(id));
  }

  #notification(message: JsonRpcNotification): void {
    const { method, params } = message;
    if (method === 'notifications/progress') {
      const token = params?.progressToken as RequestId;
      const call = this.#tokens.get(token);
      // Progress that crosses the answer on its way is no fault of the server's.
      if (call === undefined) return;
      if (params !== undefined && call.token !== token) params.progressToken = call.token;
      deliver(call.io, message, this.#observers);
      return;
    }
    if (method === 'notifications/cancelled') {
      this.#cancelled(params?.requestId as RequestId);
      return;
    }
    const subscription = (params?._meta as { [key: string]: unknown } | undefined)?.[MetaKey.subscriptionId] as
      | RequestId
      | null
      | undefined;
    if (subscription !== undefined && subscription !== null) {
      const call = this.#pending.get(subscription);
      if (call?.listen === true) deliver(call.io, message, this.#observers);
      else if (!this.#done.has(subscription)) this.#unmatched(method, `for the subscription ${show(subscription)}`);
      return;
    }
    if (method === 'notifications/message') {
      if (this.#logging.size === 0) this.#unmatched(method, 'although no pending request asks for logs');
      for (const call of this.#logging) deliver(call.io, message, this.#observers);
      return;
    }
    this.#unmatched(method, 'without a subscription id');
    if (this.#listening.size !== 1) return;
    for (const call of this.#listening) deliver(call.io, message, this.#observers);
  }

  #unmatched(method: string, why: string): void {
    this.#observers.warn('unmatched-notification', `The server sent ${why} the notification`, method);
  }

  /** The server ends a subscription; nothing else may it cancel (basic/patterns/cancellation). */
  #cancelled(id: RequestId): void {
    const call = this.#pending.get(id);
    if (call?.listen === true) {
      this.#forget(call);
      this.#remember(id);
      call.resolve(gracefulEnd(id));
    } else if (!this.#done.has(id)) {
      this.#observers.warn('server-cancelled', 'The server cancelled what is no subscription', show(id));
    }
  }

  #malformed(message: Malformed, line: string): void {
    if (message.error.code === -32700) {
      this.#observers.warn('junk', 'The server wrote a line that is not JSON', line);
      return;
    }
    this.#observers.warn(
      'malformed-message',
      `The server wrote JSON that is no message (${message.error.message})`,
      line,
    );
    const call = message.id === undefined ? undefined : this.#pending.get(message.id);
    // An answer that cannot be read is still the only one that the call will get; a request of the server's has its own ids.
    if (call === undefined || 'method' in (JSON.parse(line) as object)) return;
    this.#forget(call);
    call.reject(
      new DragomanError('PROTOCOL_VIOLATION', `The server's answer is no JSON-RPC response: ${message.error.message}`, {
        cause: message.error,
      }),
    );
  }

  /** Something came that cannot be joined to a call. Where only one is pending, it was its answer. */
  failOnly(error: DragomanError | McpError): void {
    let only: Call | undefined;
    for (const call of this.#pending.values()) {
      if (call.listen) continue;
      if (only !== undefined) return;
      only = call;
    }
    if (only === undefined) return;
    this.#forget(only);
    this.#remember(only.id);
    only.reject(error);
  }

  /** Rejects everything that is pending, and every call to come. */
  fail(error: DragomanError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    for (const call of [...this.#pending.values()]) {
      this.#forget(call);
      call.line = undefined;
      call.reject(error);
    }
  }

  #forget(call: Call): void {
    this.#pending.delete(call.id);
    if (call.wireToken !== undefined) this.#tokens.delete(call.wireToken);
    if (this.#listening.size > 0) this.#listening.delete(call);
    if (this.#logging.size > 0) this.#logging.delete(call);
    if (call.io.onCancel === undefined) call.io.signal.removeEventListener('abort', call);
  }

  #remember(id: RequestId): void {
    this.#done.add(id);
    if (this.#done.size <= REMEMBERED) return;
    for (const oldest of this.#done) {
      this.#done.delete(oldest);
      return;
    }
  }
}

/** Whether a line is no object and no array, such as a log line: a program that writes a million of them costs no errors. */
function isNoise(line: string): boolean {
  const first = line.charCodeAt(0);
  return first !== BRACE && first !== BRACKET && first > SPACE;
}

/** One pending request. It is its own line to write and its own listener of its signal, so that a call costs one object. */
class Call implements Outgoing, Cancellable {
  line: string | undefined;
  readonly id: number;
  readonly io: WireIO;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
  /** The caller's progress token, and the one on the wire: they differ where another pending call uses the same. */
  token: RequestId | undefined;
  wireToken: RequestId | undefined;
  listen = false;
  readonly #owner: Correlator;

  constructor(owner: Correlator, id: number, io: WireIO, resolve: Call['resolve'], reject: Call['reject']) {
    this.#owner = owner;
    this.id = id;
    this.io = io;
    this.resolve = resolve;
    this.reject = reject;
  }

  /** The caller's signal aborted. */
  handleEvent(): void {
    this.cancel(abortError(this.io.signal));
  }

  cancel(error: DragomanError | McpError): void {
    this.#owner.cancel(this, error);
  }
}

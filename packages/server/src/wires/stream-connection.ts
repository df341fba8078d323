import {
  type AuthInfo,
  DragomanError,
  ErrorCode,
  isMalformed,
  isNotification,
  isRequest,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type LineProblem,
  LineReader,
  type Malformed,
  McpError,
  type Message,
  MetaKey,
  parseMessage,
  type Request,
  type RequestId,
  type Result,
  serializeNotification,
  serializeResult,
} from '@dragoman/protocol';
import { delayOf } from '../limits.ts';
import type { Reports } from '../reports.ts';
import { endedResult, errorLine, isAbort, LISTEN, serializeListenResult, timedOut } from './answers.ts';
import { isClaimed, legacyRefusal } from './era.ts';
import { type ByteSink, LineWriter } from './line-writer.ts';
import type { Served } from './served.ts';
import { StreamCall } from './stream-call.ts';
import type { StreamLimits } from './stream-limits.ts';

/** The end of a byte stream that is read. A Node `Readable` is one. */
export interface ByteSource {
  /** Listens: `data` with what came, `end` and `close` when nothing more comes, `error` with the reason. */
  on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Holds back, because answers are taken more slowly than questions come. */
  pause(): unknown;
  /** Lets it flow again. */
  resume(): unknown;
}

/** What a connection is made of. */
export interface StreamConnectionParts {
  readonly server: Served;
  readonly source: ByteSource;
  readonly sink: ByteSink;
  readonly limits: StreamLimits;
  readonly reports: Reports;
  readonly auth: AuthInfo | undefined;
  readonly legacy: LegacyStream | undefined;
}

/** What serves older revisions on the same stream: requests that carry no mark of the modern era go to it first. */
export interface LegacyStream {
  /** Takes over a message, or leaves it by returning false. */
  receive(connection: StreamConnection, message: JsonRpcRequest | JsonRpcNotification): boolean;
}

const encoder = new TextEncoder();

/**
 * One byte stream with a client at its other end (basic/transports/stdio): a message per line, many requests at once, each
 * answered under its id. What is produced in one turn of the event loop leaves in one write. While the client does not
 * read, nothing more is read from it.
 */
export class StreamConnection {
  readonly limits: StreamLimits;
  readonly auth: AuthInfo | undefined;
  /** Resolves when all is over. Never rejects. */
  readonly closed: Promise<void>;
  readonly #parts: StreamConnectionParts;
  readonly #lines: LineReader;
  readonly #calls = new Map<RequestId, StreamCall>();
  readonly #waiting = new Set<StreamCall>();
  readonly #writer: LineWriter;
  #listening = 0;
  /** Nothing is read any more. */
  #deaf = false;
  #whenIdle: (() => void) | undefined;
  #closing: Promise<void> | undefined;
  #settle!: () => void;

  constructor(parts: StreamConnectionParts) {
    this.#parts = parts;
    this.limits = parts.limits;
    this.auth = parts.auth;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#writer = new LineWriter(parts.sink, {
      onFull: () => parts.source.pause(),
      onDrained: () => this.#drained(),
      onFree: () => parts.source.resume(),
    });
    this.#lines = new LineReader({
      maxBytes: parts.limits.maxMessageBytes,
      onLine: (line) => this.#receive(line),
      onProblem: (problem) => this.#refuseLine(problem),
    });
  }

  /**
   * Begins to read.
   *
   * @param grace milliseconds that calls have to finish when the client closes its end
   */
  start(grace: number): void {
    const { source, sink } = this.#parts;
    sink.on('error', () => this.#lost());
    sink.on('close', () => this.#lost());
    source.on('data', (chunk) => {
      if (!this.#deaf) this.#lines.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
    });
    source.on('error', () => void this.close(0));
    source.on('close', () => void this.close(grace));
    source.on('end', () => {
      if (!this.#deaf) this.#lines.end();
      void this.close(grace);
    });
  }

  /** Whatever goes wrong in a server or an adapter becomes the answer to this message, not the end of the process. */
  #receive(text: string): void {
    // RFC 8259 §8.1 lets a reader pass over a byte order mark.
    const line = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    const message = parseMessage(line);
    try {
      this.#route(line, message);
    } catch (reason) {
      const error = McpError.from(reason);
      this.#parts.reports.error(reason);
      if (!isMalformed(message) && isRequest(message)) this.send(errorLine(message.id, error));
    }
  }

  #route(line: string, message: Message | Malformed): void {
    if (isMalformed(message)) {
      if (wantsNoAnswer(line)) this.#stray(message.error.message);
      else this.send(errorLine(message.id, message.error));
    } else if (isRequest(message)) {
      this.#request(message);
    } else if (isNotification(message)) {
      if (message.method === 'notifications/cancelled') this.#cancel(message);
      else if (this.#parts.legacy?.receive(this, message) !== true) this.#parts.server.receive?.(message);
    } else {
      this.#stray('a client sends requests and notifications, no responses');
    }
  }

  #refuseLine(problem: LineProblem): void {
    const error =
      problem === 'too long'
        ? new McpError(
            ErrorCode.InvalidRequest,
            `Invalid request: longer than maxMessageBytes, which is ${this.limits.maxMessageBytes}`,
          )
        : new McpError(ErrorCode.ParseError, 'Parse error: the line is not UTF-8');
    this.send(errorLine(undefined, error));
  }

  #request(message: JsonRpcRequest): void {
    const { id } = message;
    const refused = this.#refusal(message);
    if (refused !== undefined) {
      this.send(errorLine(id, refused));
      return;
    }
    const { legacy, server } = this.#parts;
    if (!isClaimed(message)) {
      if (legacy?.receive(this, message) === true) return;
      if (message.method === 'initialize') {
        this.send(errorLine(id, legacyRefusal(message, undefined)));
        return;
      }
    }
    const request = message as unknown as Request;
    const error = server.admit(request);
    if (error !== undefined) {
      this.send(errorLine(id, error));
      return;
    }
    const call = new StreamCall(this, message);
    this.#calls.set(id, call);
    const { callTimeout } = this.limits;
    if (call.isListening) this.#listening++;
    else if (callTimeout > 0) call.expireAfter(callTimeout, () => this.#expire(call));
    this.#dispatch(call, request);
  }

  #refusal(message: JsonRpcRequest): McpError | undefined {
    if (this.#calls.has(message.id)) {
      return new McpError(
        ErrorCode.InvalidRequest,
        `Invalid request: id ${JSON.stringify(message.id)} is that of a request still being answered`,
      );
    }
    const { maxConcurrentRequests } = this.limits;
    if (this.#calls.size - this.#listening < maxConcurrentRequests || message.method === LISTEN) return undefined;
    return new McpError(
      ErrorCode.InternalError,
      `Too many requests at once: maxConcurrentRequests is ${maxConcurrentRequests}`,
      { data: { limit: 'maxConcurrentRequests', value: maxConcurrentRequests } },
    );
  }

  /** Not an async function: what that keeps for as long as it waits would be kept by every open listen stream. */
  #dispatch(call: StreamCall, request: Request): void {
    const { method } = request;
    try {
      this.#parts.server.dispatch(request, call).then(
        (result) => this.#answer(call, result, method),
        (reason) => {
          // A listen stream that is being ended ends well, whatever its exchange makes of that.
          if (call.isListening && this.#deaf) this.#answer(call, endedResult, method);
          else this.#fail(call, reason, method);
        },
      );
    } catch (reason) {
      this.#fail(call, reason, method);
    }
  }

  #answer(call: StreamCall, result: Result, method: string): void {
    if (call.isOver) return;
    let line: string;
    try {
      line = call.isListening ? serializeListenResult(call.id, result) : serializeResult(call.id, result);
    } catch (reason) {
      this.#fail(call, reason, method);
      return;
    }
    call.flush();
    this.send(line);
    // Over stdio both signs of the end are due (basic/patterns/cancellation; subscriptions, "Graceful Closure").
    if (call.isListening) this.send(cancelledLine(call.id));
    this.#end(call);
  }

  #fail(call: StreamCall, reason: unknown, method: string): void {
    const error = McpError.from(reason);
    if (error !== reason && !(call.isOver && isAbort(reason))) this.#parts.reports.error(reason, method);
    if (call.isOver) return;
    call.flush();
    this.send(errorLine(call.id, error));
    this.#end(call);
  }

  #expire(call: StreamCall): void {
    if (call.isOver) return;
    const error = timedOut(this.limits.callTimeout);
    this.send(errorLine(call.id, error));
    this.#end(call);
    call.abort(new DragomanError('TIMEOUT', error.message));
  }

  /** Cancelled by the client: its work stops, and nothing more is sent for it (stdio, "Cancellation"). */
  #cancel(notification: JsonRpcNotification): void {
    const params = notification.params ?? {};
    const call = this.#calls.get(params.requestId as RequestId);
    if (call === undefined) return;
    this.#end(call);
    const why = typeof params.reason === 'string' ? `: ${params.reason}` : '';
    call.abort(new DragomanError('ABORTED', `The client cancelled the request${why}`));
  }

  #end(call: StreamCall): void {
    const dropped = call.finish();
    if (dropped > 0)
      this.#parts.reports.warning('SLOW_READER', `${dropped} notifications of one request found no room`);
    if (this.#calls.get(call.id) !== call) return;
    this.#calls.delete(call.id);
    this.#waiting.delete(call);
    if (call.isListening) this.#listening--;
    // Nobody else is about to answer: waiting for company would only be waiting.
    if (this.#calls.size === this.#listening) this.#writer.flush();
    if (this.#calls.size === 0) this.#whenIdle?.();
  }

  #stray(what: string): void {
    this.#parts.reports.warning('STRAY_MESSAGE', `Passed over what the client sent: ${what}`);
  }

  /** Whether a notification has to wait. A change on a listen stream waits as soon as anything does: one says it all. */
  isBackedUp(isListening: boolean): boolean {
    return this.#writer.isFull && (isListening || this.#writer.pending > this.limits.maxBufferedLength);
  }

  /** Remembers a call that has notifications waiting. */
  waits(call: StreamCall): void {
    this.#waiting.add(call);
  }

  /** Sends one line, together with the others of this turn. */
  send(line: string): void {
    this.#writer.send(line);
  }

  #drained(): void {
    for (const call of this.#waiting) call.flush();
    this.#waiting.clear();
  }

  /** The client cannot be reached any more: its calls stop, and that is all there is to do. */
  #lost(): void {
    this.#settle();
    if (!this.#writer.close()) return;
    this.#deaf = true;
    this.#abortAll('The client is gone');
  }

  #abortAll(why: string): void {
    for (const call of [...this.#calls.values()]) {
      this.#end(call);
      call.abort(new DragomanError('ABORTED', why));
    }
  }

  /**
   * Reads no more, ends listen streams with their result, gives other calls `grace` milliseconds and the client as much
   * again to read what is left. Always resolves.
   */
  close(grace: number): Promise<void> {
    this.#closing ??= this.#close(grace);
    return this.#closing;
  }

  async #close(grace: number): Promise<void> {
    this.#deaf = true;
    for (const call of this.#calls.values()) {
      if (call.isListening) call.abort(new DragomanError('ABORTED', 'The server ends the stream'));
    }
    if (this.#calls.size > 0) await this.#idle(grace);
    this.#abortAll('The connection is closing');
    this.#writer.flushAll();
    if (!this.#writer.close()) return;
    const timer = setTimeout(() => {
      this.#parts.sink.destroy?.();
      this.#settle();
    }, delayOf(grace));
    this.#parts.sink.end(() => this.#settle());
    await this.closed;
    clearTimeout(timer);
  }

  #idle(grace: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delayOf(grace));
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Notifications and responses are never answered, not even where they are malformed (JSON-RPC 2.0 §4.1). */
function wantsNoAnswer(line: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return 'method' in value ? !('id' in value) : 'result' in value || 'error' in value;
}

const cancelledLine = (id: RequestId): string =>
  serializeNotification({
    method: 'notifications/cancelled',
    params: { requestId: id, reason: 'The server ended the stream', _meta: { [MetaKey.subscriptionId]: id } },
  });

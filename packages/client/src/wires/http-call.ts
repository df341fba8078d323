import {
  DragomanError,
  isErrorResponse,
  isMalformed,
  isUtf8,
  type JsonRpcErrorResponse,
  type JsonRpcNotification,
  type JsonRpcResponse,
  type McpError,
  methodRow,
  Pieces,
  parseMediaType,
  parseMessage,
  type Request,
  type Result,
  type SseEvent,
  type SseProblem,
  SseReader,
  serializeRequest,
  show,
} from '@dragoman/protocol';
import { type HttpFailure, httpError, isBreak, networkError, unauthorized, unusableAnswer } from './http-errors.ts';
import {
  type HttpPort,
  type HttpReceiver,
  type HttpSending,
  headerOf,
  type Reach,
  type ResponseHeaders,
} from './http-port.ts';
import type { HttpCallSurroundings } from './http-surroundings.ts';
import { abortError, deliver, gracefulEnd, peerError, unserialisable } from './outcomes.ts';
import { isRedirect, redirectTarget } from './redirect.ts';
import { judgeNotification } from './stream-rules.ts';
import type { Cancellable, WireIO } from './wire.ts';

/** How what comes is read: as one JSON body, as events, as the text of a failure, or not at all. */
type Reading = 'json' | 'events' | 'failure' | 'redirect';

/** How long a server has to end a stream after the answer, in milliseconds; then the connection is closed. */
const LINGER = 1000;

const decoder = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder();

/**
 * One request over HTTP, from the POST to its answer (basic/transports/streamable-http). It is the receiver of its answer,
 * the options of its event reader and the listener of its signal, so that a call costs one object.
 */
export class HttpCall implements HttpReceiver, Cancellable {
  readonly #wire: HttpCallSurroundings;
  #id: number;
  readonly #request: Request;
  readonly #io: WireIO;
  readonly #resolve: (result: Result) => void;
  readonly #reject: (error: Error) => void;
  #port!: HttpPort;
  #body = '';
  /** Where it was sent: others may have been redirected meanwhile. */
  #url!: URL;
  #sending: HttpSending | undefined;
  #settled = false;
  /** Where it stands among the pending calls. */
  #place = 0;
  #reading: Reading = 'json';
  #status = 0;
  #headers: ResponseHeaders = {};
  /** What has come of the answer's body. */
  #came: Pieces | undefined;
  #reader: SseReader | undefined;
  #linger: ReturnType<typeof setTimeout> | undefined;
  #hops = 0;
  #authorized = false;
  /** Whether it was sent once more because its connection had been closed. */
  #again = false;
  #credentials = 0;
  #exchange = 0;

  constructor(
    wire: HttpCallSurroundings,
    id: number,
    request: Request,
    io: WireIO,
    resolve: (result: Result) => void,
    reject: (error: Error) => void,
  ) {
    this.#wire = wire;
    this.#id = id;
    this.#request = request;
    this.#io = io;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** @param port the port, or the promise of it for the first calls */
  start(port: HttpPort | Promise<HttpPort>): void {
    const io = this.#io;
    if (io.onCancel === undefined && io.signal.aborted) {
      this.#reject(abortError(io.signal));
      return;
    }
    try {
      this.#body = serializeRequest(this.#id, this.#request);
    } catch (error) {
      this.#reject(unserialisable(this.#request.method, error));
      return;
    }
    this.#place = this.#wire.active.push(this) - 1;
    if (io.onCancel === undefined) io.signal.addEventListener('abort', this);
    else io.onCancel(this);
    if (port instanceof Promise) {
      port.then(
        (opened) => {
          this.#port = opened;
          this.#send();
        },
        (error: unknown) => this.cancel(DragomanError.from(error)),
      );
    } else {
      this.#port = port;
      this.#send();
    }
  }

  #send(): void {
    if (this.#settled) return;
    const { observers, url } = this.#wire;
    this.#url = url;
    this.#credentials = this.#wire.credentials;
    this.#came = undefined;
    this.#status = 0;
    try {
      const headers = this.#wire.headers(this.#request);
      if (observers.tracing) {
        this.#exchange = this.#wire.traceRequest(url, headers);
        observers.trace({ type: 'message', direction: 'sent', text: this.#body });
      }
      this.#sending = this.#port.post(url, headers, this.#body, this);
    } catch (error) {
      this.cancel(DragomanError.from(error));
    }
  }

  /** The caller's signal aborted. Closing the stream is what tells the server (streamable-http, "Cancellation"). */
  handleEvent(): void {
    this.cancel(abortError(this.#io.signal));
  }

  /** Settles the call and breaks the request off. */
  cancel(error: DragomanError | McpError): void {
    if (!this.#settle()) return;
    this.#sending?.abort();
    this.#traceEnd(error);
    this.#reject(error);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    if (this.#io.onCancel === undefined) this.#io.signal.removeEventListener('abort', this);
    const { active } = this.#wire;
    const last = active.pop();
    if (last !== undefined && last !== this) {
      active[this.#place] = last;
      last.#place = this.#place;
    }
    return true;
  }

  #traceEnd(error?: Error): void {
    const { observers } = this.#wire;
    if (observers.tracing) observers.trace({ type: 'http-end', exchange: this.#exchange, error });
  }

  /** Called by the port. */
  head(status: number, headers: ResponseHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (this.#wire.observers.tracing) this.#wire.traceResponse(this.#exchange, status, headers);
    const coding = this.#port.decodes ? undefined : headerOf(headers, 'content-encoding');
    if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
      this.cancel(this.#unusable(`its body is encoded as ${coding}, which was not asked for`));
      return;
    }
    const type = headerOf(headers, 'content-type');
    if (isRedirect(status)) this.#reading = 'redirect';
    else if (type === 'application/json') this.#reading = status < 300 ? 'json' : 'failure';
    else this.#readAs(status, type);
  }

  #readAs(status: number, type: string | undefined): void {
    const media = parseMediaType(type);
    if (media?.essence === 'text/event-stream' && isUtf8(media) && status !== 401 && status !== 403) {
      this.#reading = 'events';
      this.#reader = new SseReader(this);
    } else if (status >= 300) {
      this.#reading = 'failure';
    } else if (media === undefined) {
      // No content at all is judged when it has ended.
      this.#reading = 'json';
    } else if (!isUtf8(media)) {
      this.cancel(this.#unusable(`its text is in ${media.charset}, not UTF-8`));
    } else if (media.essence === 'application/json' || media.essence.endsWith('+json')) {
      this.#reading = 'json';
    } else {
      this.#reading = 'failure';
    }
  }

  /** Called by the port. */
  data(chunk: Uint8Array): void {
    if (this.#reader !== undefined) {
      this.#reader.push(chunk);
      return;
    }
    this.#came ??= new Pieces();
    const size = this.#came.size + chunk.length;
    if (this.#reading === 'json') {
      if (size > this.#wire.maxMessageBytes) this.cancel(this.#tooLong('answer'));
      else this.#came.add(chunk);
    } else if (size <= this.#wire.maxErrorBytes) {
      this.#came.add(chunk);
    } else {
      // What has come is enough to tell what went wrong.
      this.#sending?.abort();
      this.#finish();
    }
  }

  #tooLong(what: string): DragomanError {
    const { maxMessageBytes, target } = this.#wire;
    return new DragomanError(
      'LIMIT_EXCEEDED',
      `${target} sent an ${what} of more than ${maxMessageBytes} bytes; raise maxMessageBytes if that is right`,
      { details: { maxMessageBytes } },
    );
  }

  /** Called by the port. */
  end(): void {
    this.#finish();
  }

  /** Called by the port. */
  failed(error: Error, reach: Reach): void {
    clearTimeout(this.#linger);
    if (this.#settled) {
      this.#traceEnd(error);
      return;
    }
    if (reach === 'kept' && this.#status === 0 && this.#mayGoAgain(error)) {
      this.#goAgain(error);
      return;
    }
    this.cancel(
      error instanceof DragomanError
        ? error
        : networkError(this.#wire.target, error, this.#status === 0 ? reach : 'answering'),
    );
  }

  /**
   * Servers close connections that are idle, and a request may cross that on its way. Nobody can tell whether it was read,
   * so only what changes nothing is sent once more (streamable-http, "Receiving Messages"): what may be kept may be asked for
   * twice.
   */
  #mayGoAgain(error: Error): boolean {
    return !this.#again && isBreak(error) && methodRow(this.#request.method)?.cacheable === true;
  }

  /** A new request, with an id of its own. */
  #goAgain(error: Error): void {
    this.#again = true;
    this.#traceEnd(error);
    this.#id = this.#wire.nextId();
    this.#body = serializeRequest(this.#id, this.#request);
    this.#send();
  }

  #finish(): void {
    clearTimeout(this.#linger);
    if (this.#settled) {
      this.#traceEnd();
      return;
    }
    switch (this.#reading) {
      case 'json':
        this.#finishJson();
        break;
      case 'events':
        this.cancel(
          new DragomanError(
            'CONNECTION_CLOSED',
            `${this.#wire.target} ended the stream without an answer to ${this.#request.method}; the server may have acted on it`,
            { details: { url: this.#wire.target, status: this.#status } },
          ),
        );
        break;
      case 'redirect':
        this.#redirect();
        break;
      case 'failure':
        this.#finishFailure();
        break;
    }
  }

  #finishJson(): void {
    let text: string;
    try {
      text = decoder.decode(this.#came?.whole());
    } catch {
      this.cancel(this.#unusable('its body is not UTF-8'));
      return;
    }
    if (text === '') {
      this.cancel(this.#unusable('a request needs an answer'));
      return;
    }
    const { observers } = this.#wire;
    if (this.#headers['content-type'] === undefined) {
      observers.warn('content-type', 'The server answered without a Content-Type; it was read as JSON');
    }
    if (observers.tracing) observers.trace({ type: 'message', direction: 'received', text });
    const message = parseMessage(text);
    if (isMalformed(message)) this.cancel(this.#unusable(`its body is no JSON-RPC message: ${message.error.message}`));
    else if ('method' in message)
      this.cancel(this.#unusable(`its body is the message ${message.method} instead of an answer`));
    else if (!this.#answer(message)) this.cancel(this.#unusable(`its answer is for the request ${show(message.id)}`));
  }

  /** Settles by an answer that is for this call. An error without an id is: this stream has no other request. */
  #answer(message: JsonRpcResponse | JsonRpcErrorResponse): boolean {
    const { id } = message;
    if (isErrorResponse(message)) {
      if (id !== this.#id && id !== undefined && id !== null) return this.#unmatched(id);
      if (!this.#settle()) return true;
      this.#traceEnd();
      this.#reject(peerError(message, this.#status));
      return true;
    }
    if (id !== this.#id) return this.#unmatched(id);
    if (!this.#settle()) return true;
    if (this.#reader === undefined) this.#traceEnd();
    this.#resolve(message.result);
    return true;
  }

  #unmatched(id: unknown): false {
    this.#wire.observers.warn('unmatched-answer', 'The server answered a request that was not asked', show(id));
    return false;
  }

  #finishFailure(): void {
    const text = lenient.decode(this.#came?.whole());
    const message = text.trimStart().startsWith('{') ? parseMessage(text) : undefined;
    const error = message !== undefined && !isMalformed(message) && isErrorResponse(message) ? message : undefined;
    if (message !== undefined && this.#wire.observers.tracing) {
      this.#wire.observers.trace({ type: 'message', direction: 'received', text });
    }
    // 403 is also how a modern server refuses an Origin; only the request's own error is its answer.
    const isOwn = error !== undefined && error.id === this.#id;
    if (this.#status === 401 || (this.#status === 403 && !isOwn)) {
      this.#unauthorized(text, error?.error.message);
      return;
    }
    if (error !== undefined && this.#status >= 300 && this.#answer(error)) return;
    // Where a redirection led is of no use any more: the next call asks the endpoint itself.
    this.#wire.url = this.#wire.endpoint;
    this.cancel(
      this.#status < 300
        ? this.#unusable('that is no JSON and no event stream. Is this the address of an MCP endpoint?')
        : httpError(this.#failure(text)),
    );
  }

  #unauthorized(text: string, reason: string | undefined): void {
    const values = this.#headers['www-authenticate'];
    const wwwAuthenticate = values === undefined ? [] : Array.isArray(values) ? values : [values];
    const error = unauthorized(this.#failure(text), wwwAuthenticate, reason);
    if (this.#authorized) {
      this.cancel(error);
      return;
    }
    this.#authorized = true;
    this.#sending = undefined;
    this.#traceEnd();
    const challenge = { status: this.#status, url: this.#url.href, wwwAuthenticate };
    this.#wire.authorize(challenge, this.#credentials).then(
      (ready) => {
        if (ready) this.#send();
        else this.cancel(error);
      },
      (cause: unknown) => this.cancel(DragomanError.from(cause, 'UNAUTHORIZED')),
    );
  }

  #redirect(): void {
    const to = redirectTarget(this.#url, this.#status, headerOf(this.#headers, 'location'));
    if (!(to instanceof URL)) {
      this.cancel(
        new DragomanError('HTTP_ERROR', `${this.#wire.target} answered with ${to.problem}`, {
          details: { ...this.#failure('') },
        }),
      );
      return;
    }
    if (++this.#hops > this.#wire.maxRedirects) {
      this.cancel(
        new DragomanError('HTTP_ERROR', `${this.#wire.target} redirects more than ${this.#wire.maxRedirects} times`, {
          details: { ...this.#failure('') },
        }),
      );
      return;
    }
    this.#traceEnd();
    this.#wire.url = to;
    this.#send();
  }

  #failure(body: string): HttpFailure {
    return {
      status: this.#status,
      url: this.#wire.target,
      contentType: headerOf(this.#headers, 'content-type'),
      body: body.slice(0, 4096),
      retryAfter: headerOf(this.#headers, 'retry-after'),
    };
  }

  #unusable(why: string): DragomanError {
    return unusableAnswer(this.#failure(lenient.decode(this.#came?.whole())), why);
  }

  /** The longest event, as the reader of events wants to know it. */
  get maxEventLength(): number {
    return this.#wire.maxMessageBytes;
  }

  /** Called by the reader of events. */
  onProblem(problem: SseProblem): void {
    this.cancel(problem === 'too long' ? this.#tooLong('event') : this.#unusable('its event stream is not UTF-8'));
    this.#sending?.abort();
  }

  /** Called by the reader of events. */
  onEvent(event: SseEvent): void {
    const { data } = event;
    // Priming events and heartbeats of servers of other eras carry nothing.
    if (data === '') return;
    const { observers } = this.#wire;
    if (observers.tracing) observers.trace({ type: 'message', direction: 'received', text: data });
    const message = parseMessage(data);
    if (isMalformed(message)) {
      this.#malformed(event, message.error, message.id);
    } else if ('method' in message) {
      if ('id' in message) {
        observers.warn('server-request', `The server sent the request ${message.method}, which is not answered`);
      } else {
        this.#notification(message);
      }
    } else if (this.#settled) {
      observers.warn('late-message', 'The server sent more after its answer', data);
    } else if (this.#answer(message)) {
      this.#linger = setTimeout(() => {
        this.#sending?.abort();
        this.#traceEnd();
      }, LINGER);
      // It keeps a connection tidy; nobody waits for it.
      (this.#linger as { unref?: () => void }).unref?.();
    }
  }

  #malformed(event: SseEvent, error: McpError, id: unknown): void {
    const { observers } = this.#wire;
    if (error.code === -32700) {
      if (event.event === 'message') observers.warn('junk', 'The server sent an event that is not JSON', event.data);
      return;
    }
    observers.warn('malformed-message', `The server sent an event that is no message (${error.message})`, event.data);
    if (id === this.#id && !('method' in (JSON.parse(event.data) as object))) {
      this.cancel(this.#unusable(`its answer is no JSON-RPC response: ${error.message}`));
    }
  }

  #notification(message: JsonRpcNotification): void {
    const { observers } = this.#wire;
    if (this.#settled) {
      // Progress that crosses the answer on its way is no fault; neither is the second sign of a graceful end.
      if (message.method !== 'notifications/progress' && message.method !== 'notifications/cancelled') {
        observers.warn('late-message', 'The server sent more after its answer', message.method);
      }
      return;
    }
    switch (judgeNotification(message, this.#request, this.#id, observers)) {
      case 'deliver':
        deliver(this.#io, message, observers);
        break;
      case 'end':
        this.#settle();
        this.#sending?.abort();
        this.#traceEnd();
        this.#resolve(gracefulEnd(this.#id));
        break;
      case 'drop':
        break;
    }
  }
}

import {
  type AuthInfo,
  checkMessage,
  DragomanError,
  ErrorCode,
  type ExchangeIO,
  type HeaderLookup,
  httpStatusOf,
  idText,
  isMalformed,
  isNotification,
  isRequest,
  type JsonRpcRequest,
  type Malformed,
  McpError,
  type Message,
  MirrorHeaderKey,
  type Notification,
  parseMessage,
  type Request,
  type RequestId,
  type Result,
  serializeResult,
} from '@dragoman/protocol';
import { delayOf } from '../limits.ts';
import { endedResult, errorLine, isAbort, LISTEN, serializeListenResult, timedOut } from '../wires/answers.ts';
import { isClaimed, isModernHeader, legacyRefusal } from '../wires/era.ts';
import { type Authenticate, isCaller, type Refused, type RequestHead, refusalOf } from './authenticate.ts';
import type { HeaderPairs } from './cors.ts';
import type { HttpEndpoint } from './endpoint.ts';
import { type EventSink, EventStream } from './event-stream.ts';
import type { LoopbackPort } from './host-guard.ts';
import { checkAccept, checkContentType, EVENTS_TYPE, JSON_TYPE, type Taken } from './media.ts';

/** Headers of an event stream besides its type: nothing on the way may keep or collect it. */
const streamHeaders: HeaderPairs = [
  ['cache-control', 'no-cache'],
  ['x-accel-buffering', 'no'],
];

/** Up to here a body does not count among the unfinished ones, in bytes. */
const FREE_BODY = 16 * 1024;

/** What has become of a call: nothing sent yet, an event stream begun, all sent, or nobody left to send to. */
type Phase = 'open' | 'streaming' | 'ended' | 'gone';

/**
 * One HTTP request from its head to its answer, and the surroundings of its exchange. Checks come in the order of the
 * specification, cheap and safe ones first: host and origin, path and method, authentication, media types and size, then
 * what the body says. What carries the bytes is up to the two kinds of call, Node's and fetch's.
 */
export abstract class HttpCall implements ExchangeIO, RequestHead, EventSink {
  auth: AuthInfo | undefined = undefined;
  protected readonly endpoint: HttpEndpoint;
  #phase: Phase = 'open';
  #id: RequestId | undefined = undefined;
  #method: string | undefined = undefined;
  #origin: string | undefined = undefined;
  #takes: Taken | undefined = undefined;
  #listening = false;
  #reading = false;
  /** Bytes that are counted among those of unfinished bodies. */
  #held = 0;
  #ending = false;
  #controller: AbortController | undefined = undefined;
  #stream: EventStream | undefined = undefined;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(endpoint: HttpEndpoint) {
    this.endpoint = endpoint;
  }

  abstract readonly method: string;
  abstract readonly target: string;
  abstract header(name: string): string | undefined;
  /** The port of the listener the request came in by, where that is on loopback. */
  protected abstract loopbackPort(): LoopbackPort;
  /** Reads the body and calls {@link take}, {@link takeParsed} or {@link refuseBody}. */
  protected abstract readBody(): void;
  /** Sends one whole answer. */
  protected abstract respond(status: number, type: string | undefined, body: string, headers: HeaderPairs): void;
  /** Sends the head of an event stream. */
  protected abstract begin(headers: HeaderPairs): void;
  abstract write(text: string): void;
  /** Sends the last of an event stream. */
  protected abstract end(text: string): void;
  /** Breaks the connection off. */
  protected abstract destroy(): void;

  get isListening(): boolean {
    return this.#listening;
  }

  /** Whether its body is still to come. */
  get isReading(): boolean {
    return this.#reading;
  }

  /** Made when somebody asks for it: most calls are answered before anyone does. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#phase === 'gone') this.#controller.abort(disconnected());
    }
    return this.#controller.signal;
  }

  notify(notification: Notification): void {
    if (this.#phase === 'open' && this.#takes?.events === true) this.#openStream();
    if (this.#phase === 'streaming') this.#stream?.notify(notification);
  }

  /** Steps 1 to 3: host and origin, path and method, authentication. */
  start(): void {
    const { endpoint } = this;
    const origin = this.header('origin');
    const foreign = endpoint.guard.check(this.header('host'), origin, this.loopbackPort());
    if (foreign !== undefined) {
      this.refuse(403, foreign);
      return;
    }
    if (endpoint.cors !== undefined) this.#origin = origin;
    if (!endpoint.serves(this.target)) {
      this.reply(404, 'text/plain; charset=utf-8', `Not found. The MCP endpoint of this server is ${endpoint.path}\n`);
      return;
    }
    if (this.method === 'OPTIONS') {
      this.#preflight();
      return;
    }
    if (this.method !== 'POST' && endpoint.legacy?.methods.includes(this.method) !== true) {
      this.refuse(405, `Method ${this.method} is not allowed: send each message in a POST of its own`, [
        ['allow', endpoint.methods],
      ]);
      return;
    }
    if (endpoint.closing) {
      this.refuse(503, 'The server is shutting down', closing);
      return;
    }
    // Before authentication: that may take its time too, and a server that closes has to know of it.
    if (!endpoint.enter(this)) {
      this.#refuseBusy();
      return;
    }
    if (endpoint.authenticate === undefined) this.#accept();
    else void this.#authenticate(endpoint.authenticate);
  }

  #refuseBusy(): void {
    const { maxConcurrentRequests } = this.endpoint.limits;
    this.refuse(503, `Too many requests at once: maxConcurrentRequests is ${maxConcurrentRequests}`, later);
  }

  #preflight(): void {
    const { cors, methods } = this.endpoint;
    const asked = this.header('access-control-request-headers');
    const privateNetwork = this.header('access-control-request-private-network') === 'true';
    const granted =
      cors === undefined || this.#origin === undefined ? [] : cors.preflight(this.#origin, asked, privateNetwork);
    this.#phase = 'ended';
    this.respond(204, undefined, '', [['allow', methods], ...granted]);
  }

  async #authenticate(authenticate: Authenticate): Promise<void> {
    let refused: Refused;
    try {
      const answer = await authenticate(this);
      if (isCaller(answer)) {
        this.auth = answer;
        if (this.#phase === 'open') this.#accept();
        return;
      }
      refused = refusalOf(answer);
    } catch (reason) {
      this.broken(reason);
      return;
    }
    const { status, message, challenge } = refused;
    this.refuse(status, message, challenge === undefined ? [] : [['www-authenticate', challenge]]);
  }

  /** Answers that something is wrong on this side before it comes to a JSON-RPC exchange, and reports what. */
  protected broken(reason: unknown): void {
    this.endpoint.reports.error(reason, this.#method);
    this.reply(500, JSON_TYPE, errorLine(undefined, new McpError(ErrorCode.InternalError, 'Internal error')));
  }

  #accept(): void {
    try {
      this.#checkMedia();
    } catch (reason) {
      this.broken(reason);
    }
  }

  /** Step 4: media types and size. */
  #checkMedia(): void {
    const { endpoint } = this;
    if (this.method !== 'POST') {
      if (endpoint.legacy?.receive(this, undefined) !== true)
        this.refuse(405, 'Method not allowed', [['allow', endpoint.methods]]);
      return;
    }
    const wrong = checkContentType(this);
    if (wrong !== undefined) {
      this.refuse(wrong.status, wrong.message, wrong.headers);
      return;
    }
    const taken = checkAccept(this);
    if ('status' in taken) {
      this.refuse(taken.status, taken.message);
      return;
    }
    this.#takes = taken;
    this.#reading = true;
    endpoint.enterReading();
    const length = this.header('content-length');
    if (length !== undefined && Number(length) > endpoint.limits.maxBodyBytes) this.refuseBody(413);
    else this.readBody();
  }

  /**
   * Counts what a body holds as long as it is not whole.
   *
   * @param size all bytes that have come of it
   * @returns the status to refuse it with, or undefined
   */
  protected hold(size: number): 413 | 503 | undefined {
    const { endpoint } = this;
    if (size > endpoint.limits.maxBodyBytes) return 413;
    const more = size - FREE_BODY - this.#held;
    if (more <= 0) return undefined;
    if (!endpoint.hold(more)) return 503;
    this.#held += more;
    return undefined;
  }

  /** Refuses a body that is too large (413), has no room (503), or is not UTF-8 (400). What came of it is not kept. */
  protected refuseBody(status: 413 | 503 | 400): void {
    const { maxBodyBytes, maxUnfinishedBytes } = this.endpoint.limits;
    this.#letGo();
    switch (status) {
      case 413:
        this.refuse(413, `The body is larger than maxBodyBytes, which is ${maxBodyBytes}`, closing);
        break;
      case 503:
        this.refuse(503, `Too many bodies at once: maxUnfinishedBytes is ${maxUnfinishedBytes}`, closingForNow);
        break;
      case 400:
        this.#fail(new McpError(ErrorCode.ParseError, 'Parse error: the body is not UTF-8'));
        break;
    }
  }

  #letGo(): void {
    if (this.#held === 0) return;
    this.endpoint.hold(-this.#held);
    this.#held = 0;
  }

  /** The body is whole. Returns whether there is room to answer it. */
  #isWhole(): boolean {
    // Whoever left meanwhile has been counted out.
    if (!this.#reading) return true;
    this.#letGo();
    this.#reading = false;
    if (this.endpoint.leaveReading()) return true;
    this.#refuseBusy();
    return false;
  }

  /** Steps 5 and 6: one JSON-RPC message. */
  protected take(text: string): void {
    if (!this.#isWhole()) return;
    // RFC 8259 §8.1 lets a reader pass over a byte order mark.
    this.#receive(parseMessage, text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  }

  /** Like {@link take}, for a body that a framework has parsed. */
  protected takeParsed(value: unknown): void {
    if (!this.#isWhole()) return;
    this.#receive(checkMessage, value);
  }

  /** Whatever goes wrong in a server or an adapter becomes this call's error, not the process's. */
  #receive<T>(read: (body: T) => Message | Malformed, body: T): void {
    try {
      this.#route(read(body));
    } catch (reason) {
      this.#fail(reason);
    }
  }

  #route(message: Message | Malformed): void {
    if (this.#phase !== 'open') return;
    if (isMalformed(message)) {
      if (this.#leftToLegacy(message)) return;
      this.#id = message.id;
      this.#fail(message.error);
    } else if (isRequest(message)) {
      this.#request(message);
    } else if (this.#leftToLegacy(message)) {
      return;
    } else if (isNotification(message)) {
      this.reply(202, undefined, '');
      this.endpoint.server.receive?.(message);
    } else {
      this.#fail(
        new McpError(
          ErrorCode.InvalidRequest,
          'Invalid request: a client sends requests and notifications, no responses',
        ),
      );
    }
  }

  #hasModernHeader(): boolean {
    const version = this.header(MirrorHeaderKey.protocolVersion);
    return version === undefined ? this.header(MirrorHeaderKey.method) !== undefined : isModernHeader(version);
  }

  #leftToLegacy(message: Message | Malformed): boolean {
    const { legacy } = this.endpoint;
    return legacy !== undefined && !this.#hasModernHeader() && legacy.receive(this, message);
  }

  /** Steps 7 to 16: era, admission, handler. */
  #request(message: JsonRpcRequest): void {
    const { endpoint } = this;
    this.#id = message.id;
    this.#method = message.method;
    if (!isClaimed(message) && !this.#hasModernHeader()) {
      if (endpoint.legacy?.receive(this, message) !== true) {
        this.#fail(legacyRefusal(message, this.header(MirrorHeaderKey.protocolVersion)));
      }
      return;
    }
    const request = message as unknown as Request;
    const lookup: HeaderLookup = (name) => this.header(name);
    const refused = endpoint.server.admit(request, lookup);
    if (refused !== undefined) {
      this.#fail(refused);
      return;
    }
    if (message.method === LISTEN) {
      if (this.#takes?.events !== true) {
        this.refuse(406, `${LISTEN} is answered with ${EVENTS_TYPE}, which Accept leaves out`);
        return;
      }
      this.#listening = true;
      endpoint.enterListening();
    } else if (endpoint.limits.callTimeout > 0) {
      this.#timer = setTimeout(() => this.#expire(), delayOf(endpoint.limits.callTimeout));
    }
    this.#dispatch(request);
  }

  /** Not an async function: what that keeps for as long as it waits would be kept by every open listen stream. */
  #dispatch(request: Request): void {
    this.endpoint.server.dispatch(request, this).then(
      (result) => this.#finish(result),
      (reason) => {
        // A listen stream that is being ended ends well, whatever its exchange makes of that.
        if (this.#ending && this.#listening) this.#finish(endedResult);
        else this.#fail(reason);
      },
    );
  }

  #expire(): void {
    const error = timedOut(this.endpoint.limits.callTimeout);
    this.#fail(error);
    this.#controller?.abort(error);
  }

  #finish(result: Result): void {
    if (this.#phase === 'ended' || this.#phase === 'gone') return;
    const id = this.#id as RequestId;
    let text: string;
    try {
      text = this.#listening ? serializeListenResult(id, result) : serializeResult(id, result);
    } catch (reason) {
      this.#fail(reason);
      return;
    }
    this.#last(200, text);
  }

  #fail(reason: unknown): void {
    const error = McpError.from(reason);
    const over = this.#phase === 'ended' || this.#phase === 'gone';
    if (error !== reason && !(over && isAbort(reason))) this.endpoint.reports.error(reason, this.#method);
    if (over) return;
    this.#last(httpStatusOf(error), errorLine(this.#id, error));
  }

  /** Sends the one message that ends a call. The status counts only where no stream is open. */
  #last(status: number, text: string): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    if (this.#phase === 'open') {
      if (this.#takes?.json !== false || status !== 200) {
        this.reply(status, JSON_TYPE, text);
        return;
      }
      this.#openStream();
    }
    const stream = this.#stream as EventStream;
    this.#phase = 'ended';
    this.#closeStream(stream);
    this.end(stream.finish(text));
  }

  #openStream(): void {
    this.#phase = 'streaming';
    const { endpoint } = this;
    const subscription = this.#listening ? idText(this.#id as RequestId) : undefined;
    this.#stream = new EventStream(this, endpoint.limits, subscription);
    this.begin(this.#origin === undefined ? streamHeaders : [...streamHeaders, ...this.#corsHeaders()]);
    endpoint.keepAlive.add(this.#stream);
  }

  #closeStream(stream: EventStream): void {
    this.endpoint.keepAlive.delete(stream);
    if (stream.dropped > 0) {
      this.endpoint.reports.warning('SLOW_READER', `${stream.dropped} notifications of one stream found no room`);
    }
  }

  /** The text handed over to {@link write} has left. */
  protected drained(): void {
    if (this.#phase === 'streaming') this.#stream?.drained();
  }

  #corsHeaders(): HeaderPairs {
    const { cors } = this.endpoint;
    return cors === undefined || this.#origin === undefined ? noHeaders : cors.headers(this.#origin);
  }

  /** Sends one whole answer, unless one was sent or nobody is left. */
  reply(status: number, type: string | undefined, body: string, headers: HeaderPairs = noHeaders): void {
    if (this.#phase !== 'open') return;
    this.#phase = 'ended';
    this.respond(status, type, body, this.#origin === undefined ? headers : [...headers, ...this.#corsHeaders()]);
  }

  /** Refuses what never became a JSON-RPC exchange, with an error that has no id. */
  protected refuse(status: number, message: string, headers: HeaderPairs = noHeaders): void {
    this.reply(status, JSON_TYPE, errorLine(this.#id, new McpError(ErrorCode.InvalidRequest, message)), headers);
  }

  /** The connection is closed, or the answer has left whole. */
  protected left(): void {
    this.#letGo();
    this.endpoint.leave(this);
    this.#reading = false;
    if (this.#phase === 'ended' || this.#phase === 'gone') return;
    this.#phase = 'gone';
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    if (this.#stream !== undefined) this.#closeStream(this.#stream);
    this.#controller?.abort(disconnected());
  }

  /** Asks the exchange of a listen stream to end: its result then goes out as that of any other. */
  endListening(): void {
    if (!this.#listening) return;
    this.#ending = true;
    this.#controller ??= new AbortController();
    this.#controller.abort(new DragomanError('ABORTED', 'The server ends the stream'));
  }

  cut(): void {
    this.destroy();
    this.left();
  }
}

const noHeaders: HeaderPairs = [];
const closing: HeaderPairs = [['connection', 'close']];
const later: HeaderPairs = [['retry-after', '1']];
const closingForNow: HeaderPairs = [...closing, ...later];

const disconnected = (): DragomanError => new DragomanError('ABORTED', 'The client closed the connection');

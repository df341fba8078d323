import { Pieces } from '@dragoman/protocol';
import { HttpCall } from './call.ts';
import type { HeaderPairs } from './cors.ts';
import type { HttpEndpoint } from './endpoint.ts';
import { defaultPort, isLoopbackName, parseHost } from './host.ts';
import type { LoopbackPort } from './host-guard.ts';

const encoder = new TextEncoder();

/** A call over the Fetch standard: a `Request` in, a `Response` out. */
export class FetchCall extends HttpCall {
  readonly #request: Request;
  readonly #url: URL;
  #answer: ((response: Response) => void) | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined = undefined;
  #writing = false;

  /** @param answer takes the response; called exactly once */
  constructor(endpoint: HttpEndpoint, request: Request, answer: (response: Response) => void) {
    super(endpoint);
    this.#request = request;
    this.#url = new URL(request.url);
    this.#answer = answer;
    request.signal.addEventListener('abort', this.#aborted);
  }

  readonly #aborted = (): void => this.cut();

  override start(): void {
    // Who has left already cannot be seen leaving.
    if (this.#request.signal.aborted) this.cut();
    else super.start();
  }

  get method(): string {
    return this.#request.method;
  }

  get target(): string {
    return this.#url.pathname + this.#url.search;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? (name === 'host' ? this.#url.host : undefined);
  }

  /** The URL holds what the client wrote as host: a foreign name that leads to this machine cannot be told from here. */
  protected override loopbackPort(): LoopbackPort {
    const host = parseHost(this.#url.host);
    if (host === undefined || !isLoopbackName(host.hostname)) return undefined;
    return host.port ?? defaultPort(this.#url.protocol.slice(0, -1));
  }

  protected override readBody(): void {
    void this.#read();
  }

  async #read(): Promise<void> {
    const { body, bodyUsed } = this.#request;
    if (bodyUsed || body?.locked === true) {
      this.broken(new TypeError('Something else has read the body of this request; hand over the request unread'));
      return;
    }
    const pieces = new Pieces();
    try {
      const reader = body?.getReader();
      for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
        const refused = this.hold(pieces.size + next.value.length);
        if (refused !== undefined) {
          this.refuseBody(refused);
          await reader?.cancel();
          return;
        }
        pieces.add(next.value);
      }
    } catch {
      // The body broke off: there is nobody to tell.
      this.cut();
      return;
    }
    const text = decode(pieces.whole());
    if (text === undefined) this.refuseBody(400);
    else this.take(text);
  }

  protected override respond(status: number, type: string | undefined, body: string, headers: HeaderPairs): void {
    const all = toHeaders(headers, type);
    this.#settle(new Response(type === undefined ? null : body, { status, headers: all }));
    this.#finished();
  }

  protected override begin(headers: HeaderPairs): void {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => {
        if (!this.#writing) return;
        this.#writing = false;
        this.drained();
      },
      cancel: () => this.cut(),
    });
    this.#settle(new Response(body, { status: 200, headers: toHeaders(headers, 'text/event-stream') }));
  }

  override write(text: string): void {
    this.#writing = true;
    this.#controller?.enqueue(encoder.encode(text));
  }

  protected override end(text: string): void {
    this.#controller?.enqueue(encoder.encode(text));
    this.#controller?.close();
    this.#controller = undefined;
    this.#finished();
  }

  protected override destroy(): void {
    const controller = this.#controller;
    this.#controller = undefined;
    controller?.error(new Error('The stream was broken off'));
    // Nobody reads it, but whoever called the handler waits for one.
    this.#settle(new Response(null, { status: 499 }));
    this.#finished();
  }

  #settle(response: Response): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(response);
  }

  #finished(): void {
    this.#request.signal.removeEventListener('abort', this.#aborted);
    this.left();
  }
}

function toHeaders(pairs: HeaderPairs, type: string | undefined): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs) headers.set(name, value);
  if (type !== undefined) headers.set('content-type', type);
  return headers;
}

/** Undefined where the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  readonly json: any;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string | undefined };
  readonly body?: string | Uint8Array | readonly Uint8Array[];
}

/** A JSON-RPC request of 2026-07-28. */
export const modern = (method: string, params: object = {}, id: string | number = 1, meta: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...meta,
    },
  },
});

export const call = (name: string, args: object = {}, id: string | number = 1, meta: object = {}) =>
  modern('tools/call', { name, arguments: args }, id, meta);

export const listen = (notifications: object, id: string | number = 1) =>
  modern('subscriptions/listen', { notifications }, id);

/** The headers that go with a message of 2026-07-28. */
export function headersFor(message: { readonly method: string; readonly params: object }) {
  const { name, uri } = message.params as { name?: string; uri?: string };
  const mirrored = name ?? uri;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': message.method,
    ...(mirrored === undefined ? {} : { 'mcp-name': mirrored }),
  };
}

/** Opens a request and hands over the answer as soon as its head is there. */
function open(url: string, sent: Sent): { request: ClientRequest; head: Promise<IncomingMessage> } {
  const headers = Object.fromEntries(Object.entries(sent.headers ?? {}).filter(([, value]) => value !== undefined));
  const request = httpRequest(url, {
    method: sent.method ?? 'POST',
    headers: headers as { [n: string]: string },
    agent: false,
  });
  const head = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
  });
  head.catch(() => {});
  const { body } = sent;
  if (Array.isArray(body)) for (const part of body) request.write(part);
  else if (body !== undefined) request.write(body);
  request.end();
  return { request, head };
}

/** Sends a request and reads the whole answer. */
export async function send(url: string, sent: Sent): Promise<Answer> {
  const response = await open(url, sent).head;
  const text = await read(response);
  return { status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) };
}

/** POSTs a message of 2026-07-28 with its headers; `headers` changes or, with undefined, removes some. */
export const post = (url: string, message: ReturnType<typeof modern>, headers: Sent['headers'] = {}): Promise<Answer> =>
  send(url, { headers: { ...headersFor(message), ...headers }, body: JSON.stringify(message) });

export const openPost = (url: string, message: ReturnType<typeof modern>) =>
  open(url, { headers: headersFor(message), body: JSON.stringify(message) });

export async function read(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The messages of an event stream. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
export const messagesOf = (text: string): any[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));

/** Reads an event stream message by message. */
export class Events {
  readonly #response: IncomingMessage;
  readonly #messages: unknown[] = [];
  readonly comments: string[] = [];
  #text = '';
  #ended = false;
  #wake: (() => void) | undefined;
  #wakeComment: (() => void) | undefined;

  constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#take(chunk));
    response.on('close', () => {
      this.#ended = true;
      this.#wake?.();
    });
    response.on('error', () => {});
  }

  #take(chunk: string): void {
    this.#text += chunk;
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      const event = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      if (event.startsWith(':')) {
        this.comments.push(event);
        this.#wakeComment?.();
      } else this.#messages.push(...messagesOf(event));
    }
    this.#wake?.();
  }

  /** The next message; undefined when the stream has ended. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  async next(): Promise<any> {
    while (this.#messages.length === 0) {
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#messages.shift();
  }

  /** Resolves at the next comment. */
  comment(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeComment = resolve;
    });
  }

  close(): void {
    this.#response.destroy();
  }
}

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MODERN, type Notification, type Request, type RequestMeta } from '@dragoman/protocol';
import type { Wire, WireIO, WireTrace, WireWarning } from '../../src/wires/wire.ts';

/** A request as the client's layers would hand it to a wire. */
export function request(method: string, params: { [member: string]: unknown } = {}, meta: RequestMeta = {}): Request {
  return { method, params: { ...params, _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN, ...meta } } };
}

/** The surroundings of one call, which remember what they were told. */
export interface Surroundings extends WireIO {
  readonly notified: Notification[];
  abort(reason?: unknown): void;
  /** Resolves when so many notifications have come. */
  came(count: number): Promise<void>;
}

export function surroundings(): Surroundings {
  const controller = new AbortController();
  const notified: Notification[] = [];
  let wanted: { count: number; resolve: () => void } | undefined;
  return {
    signal: controller.signal,
    notified,
    notify(notification) {
      notified.push(notification);
      if (wanted !== undefined && notified.length >= wanted.count) wanted.resolve();
    },
    abort: (reason) => controller.abort(reason),
    came: (count) =>
      new Promise((resolve) => {
        wanted = { count, resolve };
        if (notified.length >= count) resolve();
      }),
  };
}

/** What a wire warned of and traced. */
export function watch(wire: Wire): { warnings: WireWarning[]; kinds: () => string[]; traces: WireTrace[] } {
  const warnings: WireWarning[] = [];
  const traces: WireTrace[] = [];
  wire.observe?.({ warning: (warning) => warnings.push(warning), trace: (event) => traces.push(event) });
  return { warnings, traces, kinds: () => warnings.map(({ kind }) => kind) };
}

/** What a promise rejected with. */
export async function rejection(
  promise: Promise<unknown>,
): Promise<Error & { code?: unknown; details?: { [name: string]: unknown } }> {
  const value = await promise.then(
    (result) => new Error(`did not reject, but resolved to ${JSON.stringify(result)}`),
    (error: Error) => error,
  );
  return value;
}

/** One POST as a server sees it. */
export interface Seen {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly message: { id: number; method: string; params: { [member: string]: unknown } };
  /** The remote port: the same for requests on one connection. */
  readonly port: number;
}

export interface HttpFarSide {
  readonly url: string;
  readonly seen: Seen[];
  close(): Promise<void>;
}

/** A real HTTP server that answers as it is told. */
export async function httpFarSide(
  answer: (seen: Seen, res: ServerResponse, req: IncomingMessage) => void,
): Promise<HttpFarSide> {
  const seen: Seen[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const one: Seen = {
        url: req.url ?? '',
        headers: req.headers,
        text,
        message: JSON.parse(text) as Seen['message'],
        port: req.socket.remotePort ?? 0,
      };
      seen.push(one);
      answer(one, res, req);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const resultOf = (id: unknown, result: object = { resultType: 'complete' }): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result });

export const errorOf = (id: unknown, code: number, message: string, data?: unknown): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  });

export const notificationOf = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params });

/** Answers with one JSON body. */
export function json(res: ServerResponse, body: string, status = 200, type = 'application/json'): void {
  res.writeHead(status, { 'content-type': type }).end(body);
}

/** Answers with a stream of events. */
export function events(res: ServerResponse, ...data: string[]): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const each of data) res.write(`data: ${each}\n\n`);
}

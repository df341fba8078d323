import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type ServerOptions, toNodeHandler } from '@dragoman/server';

/** A server under test, and what reached it. */
export interface Running {
  readonly url: string;
  readonly server: Server;
  /** Methods in order, as the `Mcp-Method` header names them. */
  readonly requests: string[];
  /** Headers of the requests, in the same order. */
  readonly headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** Serves what `build` adds, over HTTP on a free port. */
export async function serve(build: (server: Server) => void, options: Partial<ServerOptions> = {}): Promise<Running> {
  const server = new Server({
    name: 'under-test',
    version: '1.2.3',
    onError: () => {},
    onWarning: () => {},
    ...options,
  });
  build(server);
  const handle = toNodeHandler(server);
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const http = createServer((request, response) => {
    requests.push(String(request.headers['mcp-method']));
    headers.push(request.headers);
    handle(request, response);
  });
  const url = await listenOn(http);
  return {
    url,
    server,
    requests,
    headers,
    close: async () => {
      const closed = new Promise((resolve) => http.close(resolve));
      await handle.close(0);
      http.closeAllConnections();
      await closed;
    },
  };
}

/** An HTTP server that answers as it likes. */
export async function serveRaw(
  answer: (
    message: { id: unknown; method: string; params: { [member: string]: unknown } },
    response: ServerResponse,
  ) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(JSON.parse(Buffer.concat(chunks).toString('utf8')), response));
  });
  const url = await listenOn(http);
  return {
    url,
    close: async () => {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
}

/** Answers with a result. */
export function result(response: ServerResponse, id: unknown, value: object): void {
  json(response, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete', ...value } });
}

/** Answers with an error. */
export function error(response: ServerResponse, status: number, id: unknown, value: object): void {
  json(response, status, { jsonrpc: '2.0', id, error: value });
}

/** Answers with JSON. */
function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** What `server/discover` answers. */
export const discovery = { supportedVersions: ['2026-07-28'], capabilities: { tools: {}, prompts: {}, resources: {} } };

async function listenOn(http: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

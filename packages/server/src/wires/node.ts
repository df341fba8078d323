import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpEndpoint, type HttpEndpointOptions } from '../http/endpoint.ts';
import { NodeCall } from '../http/node-call.ts';
import type { Served } from './served.ts';

/** Answers requests of a `node:http` server, or of a framework on top of one. */
export interface NodeHandler {
  /**
   * @param parsed the body where something else has read it; a `body` member of the request that a framework's parser
   *   left there is found without it. Functions, such as Express's `next`, are ignored.
   */
  (request: IncomingMessage, response: ServerResponse, parsed?: unknown): void;
  /**
   * Refuses new requests, ends listen streams with their result, gives other calls `grace` milliseconds (default 5,000),
   * then breaks off. Idempotent. Call it before closing the HTTP server.
   */
  close(grace?: number): Promise<void>;
}

/**
 * A request handler for your own `node:http` server, or for Express and its like: `createServer(toNodeHandler(server))`,
 * `app.all('/mcp', toNodeHandler(server))`. Requests that come in by a loopback address must be addressed to one, unless
 * `allowedHosts` says otherwise.
 */
export function toNodeHandler(server: Served, options: HttpEndpointOptions = {}): NodeHandler {
  const endpoint = new HttpEndpoint(server, options);
  const handle = (request: IncomingMessage, response: ServerResponse, parsed?: unknown): void => {
    new NodeCall(endpoint, request, response, 'unknown', parsedBody(request, parsed)).start();
  };
  return Object.assign(handle, { close: (grace = 5_000) => endpoint.close(grace) });
}

function parsedBody(request: IncomingMessage & { readonly body?: unknown }, parsed: unknown): unknown {
  if (parsed !== undefined && typeof parsed !== 'function') return parsed;
  // Some frameworks put an empty body where they have read nothing.
  return request.body !== undefined && request.readableDidRead ? request.body : undefined;
}

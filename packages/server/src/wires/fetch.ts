import { HttpEndpoint, type HttpEndpointOptions } from '../http/endpoint.ts';
import { FetchCall } from '../http/fetch-call.ts';
import type { Served } from './served.ts';

/** Answers requests of the Fetch standard. */
export interface FetchHandler {
  /** Always resolves. What a platform passes behind the request is ignored. */
  (request: Request): Promise<Response>;
  /**
   * Refuses new requests, ends listen streams with their result, gives other calls `grace` milliseconds (default 5,000),
   * then breaks off. Idempotent.
   */
  close(grace?: number): Promise<void>;
}

/**
 * A handler for everything that speaks the Fetch standard: `export default { fetch: toFetchHandler(server) }` on Workers,
 * `Bun.serve({ fetch })`, `Deno.serve(fetch)`, `app.all('/mcp', (c) => fetch(c.req.raw))`. The listener is somebody
 * else's: give `allowedHosts` where it is reachable as a loopback address, or a page may get through by DNS rebinding.
 */
export function toFetchHandler(server: Served, options: HttpEndpointOptions = {}): FetchHandler {
  const endpoint = new HttpEndpoint(server, options);
  const handle = (request: Request): Promise<Response> =>
    new Promise((resolve) => {
      new FetchCall(endpoint, request, resolve).start();
    });
  return Object.assign(handle, { close: (grace = 5_000) => endpoint.close(grace) });
}

import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpEndpoint, type HttpEndpointOptions } from '../http/endpoint.ts';
import { loopbackPortOf, NodeCall } from '../http/node-call.ts';
import type { Served } from './served.ts';

/** Options of {@link serveHttp}. */
export interface HttpServeOptions extends HttpEndpointOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** The address to listen on. Default `127.0.0.1`: this machine alone. Others need `allowedHosts` to be safe. */
  readonly host?: string | undefined;
  /** The largest head of a request, in bytes. Default 16 KiB. More is refused with 431. */
  readonly maxHeaderBytes?: number | undefined;
  /** Milliseconds for the head of a request to arrive. Default 15,000, or `requestTimeout` where that is less. */
  readonly headersTimeout?: number | undefined;
  /** Milliseconds for a whole request to arrive. Default 60,000. It does not limit the answer. */
  readonly requestTimeout?: number | undefined;
  /** Milliseconds for which a connection may wait for its next request. Default 65,000: more than proxies keep theirs. */
  readonly keepAliveTimeout?: number | undefined;
  /** Connections at once. Default: no limit but the system's. */
  readonly maxConnections?: number | undefined;
  /** Milliseconds that calls have to finish when {@link HttpServing.close} is called. Default 5,000. */
  readonly grace?: number | undefined;
}

/** An HTTP server that serves MCP. */
export interface HttpServing {
  /** The endpoint's URL, with the port that was chosen. */
  readonly url: string;
  /** The port that is listened on. */
  readonly port: number;
  /** Node's own server, such as for its events. */
  readonly server: NodeServer;
  /**
   * Takes no new connections, ends listen streams with their result, lets calls finish within the grace, then breaks off
   * what is left. Idempotent, always resolves.
   */
  close(): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP with a `node:http` server of its own (basic/transports/streamable-http).
 *
 * @throws DragomanError CONNECTION_FAILED where the address cannot be listened on, INVALID_ARGUMENT for wrong options
 */
export async function serveHttp(served: Served, options: HttpServeOptions = {}): Promise<HttpServing> {
  // What needs Node is loaded where it listens: everything else here runs in browsers and Workers, too.
  const { listen, stopListening } = await import('#listener');
  const path = options.path ?? '/mcp';
  const host = options.host ?? '127.0.0.1';
  const endpoint = new HttpEndpoint(served, { ...options, path });
  const server = await listen(host, options);

  const address = server.address() as AddressInfo;
  const loopback = loopbackPortOf(address);
  if (loopback === undefined && options.allowedHosts === undefined) {
    endpoint.reports.warning(
      'UNSAFE_LISTENER',
      `Listening on ${host} without allowedHosts: any web page may reach this server by DNS rebinding. ` +
        `Name the hosts it is served under, or listen on 127.0.0.1.`,
    );
  }
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    new NodeCall(endpoint, request, response, loopback).start();
  server.on('request', handle);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const call = new NodeCall(endpoint, request, response, loopback);
    call.expectContinue();
    call.start();
  });

  let closed: Promise<void> | undefined;
  return {
    url: `http://${authority(host, address)}${path}`,
    port: address.port,
    server,
    close: () => {
      closed ??= close(server, stopListening(server), endpoint, options.grace ?? 5_000);
      return closed;
    },
  };
}

/** The URL's host and port: a name as it was given, unless it stands for every address. */
function authority(host: string, { address, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `localhost:${port}`;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

async function close(server: NodeServer, stopped: Promise<void>, endpoint: HttpEndpoint, grace: number): Promise<void> {
  await endpoint.close(grace);
  server.closeAllConnections();
  await stopped;
  server.close();
}

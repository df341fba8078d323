import { createServer, type Server as NodeServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { DragomanError } from '@dragoman/protocol';
import type { HttpServeOptions } from './http.ts';

/** Why an address cannot be had, and what to do. */
const faults = new Map([
  ['EADDRINUSE', 'another program listens there. Choose another port, or 0 for any free one'],
  ['EACCES', 'this port is reserved. Choose one from 1024 on, or run with the privilege that it takes'],
  ['EADDRNOTAVAIL', 'this machine has no such address. Choose 127.0.0.1, or an address of its own'],
]);

/** Makes the HTTP server of `serveHttp`. Resolves when it listens. */
export function listen(host: string, options: HttpServeOptions): Promise<NodeServer> {
  const port = options.port ?? 0;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    const message = `port must be a whole number from 0 to 65535, not ${String(port)}`;
    return Promise.reject(new DragomanError('INVALID_ARGUMENT', message));
  }
  return new Promise((resolve, reject) => {
    const server = create(options);
    const failed = (error: Error & { code?: string }): void => {
      const why = error.code === undefined ? undefined : faults.get(error.code);
      const reason = why === undefined ? error.message : `${why} (${error.code})`;
      const message = `Cannot listen on ${host}:${port}: ${reason}`;
      reject(new DragomanError('CONNECTION_FAILED', message, { cause: error }));
    };
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve(server);
    });
  });
}

/** Takes no new connections. Resolves when those that are open have ended. */
export function stopListening(server: NodeServer): Promise<void> {
  // Not the HTTP server's own close: that breaks off answers which are ended but still on their way to a slow reader.
  return new Promise((resolve) => {
    if (server instanceof NetServer) NetServer.prototype.close.call(server, () => resolve());
    // Bun's HTTP server is none of its net servers.
    else (server as NodeServer).close(() => resolve());
  });
}

function create(options: HttpServeOptions): NodeServer {
  const requestTimeout = options.requestTimeout ?? 60_000;
  const headersTimeout = options.headersTimeout ?? (requestTimeout > 0 ? Math.min(15_000, requestTimeout) : 15_000);
  let server: NodeServer;
  try {
    server = createServer({
      maxHeaderSize: options.maxHeaderBytes ?? 16 * 1024,
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: checkingInterval(headersTimeout, requestTimeout),
      keepAliveTimeout: options.keepAliveTimeout ?? 65_000,
      noDelay: true,
    });
  } catch (cause) {
    throw new DragomanError('INVALID_ARGUMENT', (cause as Error).message, { cause });
  }
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections;
  return server;
}

/** How often Node looks for requests that take too long. Left to itself it does every 30 s, however short their time. */
function checkingInterval(headersTimeout: number, requestTimeout: number): number {
  const shortest = Math.min(headersTimeout || 60_000, requestTimeout || 60_000);
  return Math.min(Math.max(Math.ceil(shortest / 4), 100), 30_000);
}

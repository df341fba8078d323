import { type AddressInfo, createServer } from 'node:net';
import { Server } from '../../src/server.ts';
import { serveHttp } from '../../src/wires/http.ts';
import { serveStream } from '../../src/wires/stream.ts';

/** A server as it is by default, over HTTP and over sockets, in a process that can be asked how it fares. */
const reported = new Map<string, number>();
const server = new Server({
  name: 'neighbours',
  version: '1.0.0',
  onError: (error) => count(`error ${String(error)}`),
  onWarning: ({ code }) => count(`warning ${code}`),
});
const input = {
  type: 'object',
  properties: { token: { type: 'string' }, count: { type: 'integer' } },
  required: ['token'],
} as const;
let running = 0;
server.tool('echo', { input }, ({ token }) => token as string);
server.tool('steps', { input }, ({ token, count }, ctx) => {
  for (let step = 1; step <= Number(count); step++) ctx.progress(step, Number(count), token as string);
  return token as string;
});
server.tool('big', { input }, ({ token, count }) => `${token}${'x'.repeat(Number(count))}`);
server.tool('hold', { input }, async ({ token }, ctx) => {
  running++;
  if (!ctx.signal.aborted) await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
  running--;
  return token as string;
});
server.resource('res://a', { name: 'a' }, () => 'a');
server.tool('touch', { input }, ({ token }) => {
  server.changed.resource('res://a');
  return token as string;
});

function count(what: string): void {
  reported.set(what, (reported.get(what) ?? 0) + 1);
}

/** What the process says of itself. */
export interface Health {
  readonly connections: number;
  /** Handlers that wait. */
  readonly running: number;
  /** Bytes of heap and buffers in use, after a collection. */
  readonly used: number;
  /** The most memory that was ever resident, in bytes. */
  readonly peak: number;
  readonly reported: { readonly [what: string]: number };
}

const serving = await serveHttp(server);
const sockets = createServer({ allowHalfOpen: true }, (socket) => {
  const { closed } = serveStream(server, { readable: socket, writable: socket });
  void closed.then(() => socket.destroy());
});
await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve));

process.on('message', async () => {
  const connections = await new Promise<number>((resolve) => serving.server.getConnections((_, open) => resolve(open)));
  const streams = await new Promise<number>((resolve) => sockets.getConnections((_, open) => resolve(open)));
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const health: Health = {
    connections: connections + streams,
    running,
    used: heapUsed + external,
    peak: process.resourceUsage().maxRSS * 1024,
    reported: Object.fromEntries(reported),
  };
  process.send?.(health);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ http: serving.port, socket: (sockets.address() as AddressInfo).port });

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { DragomanError, McpError } from '@dragoman/protocol';
import { type HttpServing, type Server, serveHttp, serveStream } from '@dragoman/server';
import { expect } from 'vitest';
import { type Client, type ConnectOptions, connect, type TraceEvent, type Warning } from '../../src/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { census } from './census.ts';
import { type FaultProxy, faultProxy } from './proxy.ts';
import { tokenServer } from './token-server.ts';

/** A real client, a real server, a proxy between them, and a census of what all three take. */
export interface World {
  readonly client: Client;
  readonly proxy: FaultProxy;
  readonly clock: ManualClock;
  readonly server: Server;
  readonly tokens: ReturnType<typeof tokenServer>;
  readonly warnings: Warning[];
  readonly traces: TraceEvent[];
  /** A second client of the same server, by the same proxy. */
  connect(options?: ConnectOptions): Promise<Client>;
  /** Breaks every connection off, those too that are only being made, and waits until none is left. */
  renew(): Promise<void>;
  /** Closes everything and checks that everything was given back. */
  end(): Promise<void>;
}

/** What carries the calls. */
export type Wire = 'http' | 'fetch' | 'socket';

export async function world(wire: Wire, options: ConnectOptions = {}): Promise<World> {
  const before = process.getActiveResourcesInfo();
  const counted = census();
  const tokens = tokenServer();
  const serving = wire === 'socket' ? await serveSocket(tokens.server) : await serveWeb(tokens.server);
  const proxy = await faultProxy({ host: '127.0.0.1', port: serving.port });
  const clock = new ManualClock();
  const warnings: Warning[] = [];
  const traces: TraceEvent[] = [];
  const clients: Client[] = [];
  const open = async (more: ConnectOptions = {}): Promise<Client> => {
    const target = wire === 'socket' ? { host: '127.0.0.1', port: proxy.port } : `http://127.0.0.1:${proxy.port}/mcp`;
    const client = await connect(target, {
      era: 'modern',
      clock,
      random: () => 1,
      cache: false,
      onWarning: (warning) => warnings.push(warning),
      onTrace: (event) => traces.push(event),
      ...(wire === 'fetch' ? { fetch: (url: string, init: RequestInit) => globalThis.fetch(url, init) } : undefined),
      ...options,
      ...more,
    });
    clients.push(client);
    return client;
  };
  const client = await open();
  const end = async (): Promise<void> => {
    await Promise.all(clients.map((each) => each.close()));
    await serving.close();
    await proxy.close();
    expect(proxy.open).toBe(0);
    expect(tokens.running).toBe(0);
    expect(clock.pending).toBe(0);
    expectWholeExchanges(traces);
    // The pool behind the platform's own fetch belongs to the platform.
    if (wire !== 'fetch') await counted.empty();
    counted.end();
    const left = process.getActiveResourcesInfo();
    for (const kind of ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap']) {
      if (wire !== 'fetch') expect(count(left, kind), kind).toBeLessThanOrEqual(count(before, kind));
    }
  };
  const world: World = {
    client,
    proxy,
    clock,
    server: tokens.server,
    tokens,
    warnings,
    traces,
    connect: open,
    renew: () => counted.without('TCPWRAP', proxy.reset),
    end,
  };
  return world;
}

const count = (list: readonly string[], kind: string): number => list.filter((each) => each === kind).length;

/** Each HTTP exchange begins once and ends once. */
function expectWholeExchanges(traces: readonly TraceEvent[]): void {
  const ends = new Map<number, number>();
  for (const event of traces) {
    if (event.type === 'http-request') ends.set(event.exchange, 0);
    else if (event.type === 'http-end') ends.set(event.exchange, (ends.get(event.exchange) ?? 0) + 1);
  }
  expect([...ends].filter(([, times]) => times !== 1)).toEqual([]);
}

async function serveWeb(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  const serving: HttpServing = await serveHttp(server, { allowedHosts: ['127.0.0.1'], grace: 100 });
  return {
    port: serving.port,
    close: async () => {
      await serving.close();
      expect(serving.server.listening).toBe(false);
      expect(await new Promise((resolve) => serving.server.getConnections((_, open) => resolve(open)))).toBe(0);
    },
  };
}

async function serveSocket(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Map<Socket, { close(): Promise<void>; readonly closed: Promise<void> }>();
  const listener = createServer({ allowHalfOpen: true }, (socket) => {
    const serving = serveStream(server, { readable: socket, writable: socket }, { grace: 100 });
    sockets.set(socket, serving);
    void serving.closed.then(() => {
      socket.destroy();
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    close: async () => {
      const stopped = new Promise((resolve) => listener.close(resolve));
      await Promise.all([...sockets.values()].map((each) => each.close()));
      await stopped;
      expect(sockets.size).toBe(0);
    },
  };
}

/** What became of a call: what the answer says, or the error's code. Anything else than these two is a fault of ours. */
export type Outcome = { readonly text: string } | { readonly code: string | number };

export async function outcome(call: Promise<unknown>): Promise<Outcome> {
  try {
    const { content } = (await call) as { content: { text: string }[] };
    return { text: content.map(({ text }) => text).join() };
  } catch (error) {
    if (error instanceof DragomanError || error instanceof McpError) return { code: error.code };
    throw error;
  }
}

/** The numbers from one up to another, in steps. */
export const range = (from: number, to: number, by = 1): number[] =>
  Array.from({ length: Math.ceil((to - from) / by) }, (_, index) => from + index * by);

/** A list in parts of a size. */
export const batches = <T>(list: readonly T[], size: number): T[][] =>
  range(0, list.length, size).map((at) => list.slice(at, at + size));

import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import type { Act, Fault } from './faults.ts';

/** What is done to one connection: to what the client sends, and to what the server answers. */
export interface Plan {
  readonly up?: Fault | undefined;
  readonly down?: Fault | undefined;
}

/** A proxy between a real client and a real server that spoils what passes. */
export interface FaultProxy {
  readonly port: number;
  /** What is done to the connections to come, by their number from 0. Nothing where it returns undefined. */
  plan: (connection: number) => Plan | undefined;
  /** Connections that were ever made. */
  readonly connections: number;
  /** Sockets that are open now, on both sides. */
  readonly open: number;
  /** Resolves when a fault next ends a direction. */
  acted(): Promise<Act>;
  /** Resolves when nothing has passed for a while, counted in turns of the event loop. */
  still(): Promise<void>;
  /** Breaks every connection off. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts a proxy to a listener. */
export async function faultProxy(to: NetConnectOpts, plan: FaultProxy['plan'] = () => undefined): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let passed = 0;
  let whenEmpty: (() => void) | undefined;
  let waiting: ((act: Act) => void)[] = [];
  const onAct = (act: Act): void => {
    const told = waiting;
    waiting = [];
    for (const resolve of told) resolve(act);
  };
  const onPass = (): void => {
    passed++;
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const { up, down } = proxy.plan(connections++) ?? {};
    const upstream = connect({ ...to, allowHalfOpen: true, noDelay: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      // Whatever breaks one side breaks the other.
      socket.on('error', () => breakOff(other));
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroySoon();
        if (sockets.size === 0) whenEmpty?.();
      });
    }
    void pump(client, upstream, up, onAct, onPass);
    void pump(upstream, client, down, onAct, onPass);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reset = (): void => {
    for (const socket of sockets) breakOff(socket);
  };
  const proxy: FaultProxy = {
    port: (server.address() as AddressInfo).port,
    plan,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    acted: () => new Promise((resolve) => waiting.push(resolve)),
    async still() {
      for (let seen = -1, turns = 0; turns < 50; turns++) {
        if (seen !== passed) turns = 0;
        seen = passed;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    reset,
    async close() {
      const stopped = new Promise((resolve) => server.close(resolve));
      const empty = new Promise<void>((resolve) => {
        whenEmpty = resolve;
        if (sockets.size === 0) resolve();
      });
      reset();
      await Promise.all([stopped, empty]);
    },
  };
  return proxy;
}

/** Resets a connection. One that has been shut down cannot be reset any more: libuv refuses, and it would stay for ever. */
function breakOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** Carries one direction until it ends, is ended by the fault, or a side is gone. */
async function pump(
  from: Socket,
  to: Socket,
  fault: Fault | undefined,
  onAct: (act: Act) => void,
  onPass: () => void,
): Promise<void> {
  try {
    // Not the stream itself: a fault that ends early would destroy it.
    const bytes = from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const item of fault === undefined ? bytes : fault(bytes)) {
      if (typeof item === 'string') {
        act(item, from, to);
        onAct(item);
        return;
      }
      await write(to, item);
      onPass();
    }
    to.end();
  } catch {
    // A side broke off, which its own listeners have seen to.
  }
}

/** Ends a direction. */
function act(what: Act, from: Socket, to: Socket): void {
  switch (what) {
    case 'fin':
      to.end();
      from.destroySoon();
      break;
    case 'rst':
      breakOff(to);
      breakOff(from);
      break;
    case 'half':
      to.end();
      from.resume();
      break;
    case 'stall':
      // What comes is lost, but that a side has gone is still told.
      from.resume().on('end', () => to.end());
      break;
  }
}

/** Resolves when the bytes have been handed to the system: what is written next leaves in a packet of its own. */
function write(to: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    to.write(bytes, (error) => (error ? reject(error) : setImmediate(resolve)));
  });
}

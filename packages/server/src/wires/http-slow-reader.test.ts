import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type HttpServeOptions, type HttpServing, serveHttp } from './http.ts';
import { call, headersFor, type modern, post } from './testing/request.ts';
import { Stub, text } from './testing/stub.ts';

let serving: HttpServing;
let stub: Stub;
const sockets: Socket[] = [];

beforeEach(() => {
  stub = new Stub();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await serving.close();
});

const serve = async (options: HttpServeOptions = {}): Promise<string> => {
  serving = await serveHttp(stub, { grace: 0, ...options });
  return serving.url;
};

const echo = call('echo', { text: 'hi' });

/** A request as it goes down a connection. */
function bytesOf(message: ReturnType<typeof modern>): string {
  const body = JSON.stringify(message);
  const head = Object.entries(headersFor(message)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${serving.port}\r\n${head.join('')}content-length: ${body.length}\r\n\r\n${body}`;
}

async function open(...messages: ReturnType<typeof modern>[]): Promise<Socket> {
  const socket = connect(serving.port, '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(messages.map(bytesOf).join(''));
  return socket;
}

describe('a reader that takes nothing of its answer', () => {
  const large = 'x'.repeat(16 * 1024 * 1024);

  test('is let go, and does not keep others out', async () => {
    stub.tools.set('large', () => text(large));
    const url = await serve({ limits: { maxConcurrentRequests: 1, stallTimeout: 100 } });
    const socket = await open(call('large'));
    socket.pause();
    await vi.waitFor(async () => expect((await post(url, echo)).status).toBe(200), 5_000);
  });

  test('keeps its answer as long as it takes some of it now and then', async () => {
    stub.tools.set('large', () => text(large));
    await serve({ limits: { stallTimeout: 400 } });
    const socket = await open(call('large'));
    socket.pause();
    let received = 0;
    for (const end = Date.now() + 900; Date.now() < end; ) {
      received += (socket.read() as Buffer | null)?.length ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(received).toBeLessThan(large.length);
    socket.on('data', (bytes) => {
      received += bytes.length;
    });
    socket.resume();
    await vi.waitFor(() => expect(received).toBeGreaterThan(large.length), 5_000);
  });

  test('leaves the connection as it was for the next request', async () => {
    stub.tools.set('large', () => text(large));
    stub.tools.set('slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return text('late');
    });
    await serve({ limits: { stallTimeout: 100 }, keepAliveTimeout: 0 });
    const socket = await open(call('large'));
    let received = 0;
    let last = '';
    socket.on('data', (bytes) => {
      received += bytes.length;
      last = String(bytes);
    });
    await vi.waitFor(() => expect(received).toBeGreaterThan(large.length), 5_000);
    socket.write(bytesOf(call('slow')));
    await vi.waitFor(() => expect(last).toContain('late'), 2_000);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { openSocket } from '../../src/wires/open-socket.ts';
import { type StreamOptions, socketWire, streamWire } from '../../src/wires/stream.ts';
import type { Wire } from '../../src/wires/wire.ts';
import { rejection, request, resultOf, surroundings, watch } from './far-side.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

interface Message {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly [member: string]: unknown };
}

/** Hands each line of a socket on as a message. */
function read(socket: Socket, on: (message: Message) => void): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    rest += text;
    for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
      on(JSON.parse(rest.slice(0, at)) as Message);
      rest = rest.slice(at + 1);
    }
  });
}

async function serve(
  on: (message: Message, socket: Socket) => void,
  options?: StreamOptions,
  path?: string,
): Promise<{ wire: Wire; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    read(socket, (message) => on(message, socket));
  });
  await new Promise<void>((resolve) =>
    path === undefined ? server.listen(0, '127.0.0.1', resolve) : server.listen(path, resolve),
  );
  const target =
    path === undefined ? { host: '127.0.0.1', port: (server.address() as AddressInfo).port } : { socketPath: path };
  const wire = await socketWire(target, options);
  open.push(
    {
      close: () =>
        new Promise((resolve) => {
          for (const socket of sockets) socket.destroy();
          server.close(() => resolve());
        }),
    },
    wire,
  );
  return { wire, sockets };
}

const call = (wire: Wire, params: object = {}, io = surroundings()) =>
  wire.exchange(request('tools/call', { name: 't', ...params }), io);

describe('sockets', () => {
  test('[TRN-08] TCP carries the lines of stdio', async () => {
    const { wire } = await serve(({ id, params }, socket) => socket.write(`${resultOf(id, { echo: params.name })}\n`));
    expect(await Promise.all([call(wire, { name: 'a' }), call(wire, { name: 'b' })])).toEqual([
      { echo: 'a' },
      { echo: 'b' },
    ]);
    expect(wire).toMatchObject({
      kind: 'stream',
      target: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      identity: expect.stringMatching(/^tcp:/),
    });
  });

  test.runIf(process.platform !== 'win32')('[TRN-08] so does a Unix socket', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'dragoman-'));
    open.push({ close: async () => rmSync(directory, { recursive: true }) });
    const { wire } = await serve(
      ({ id }, socket) => socket.write(`${resultOf(id, { fine: true })}\n`),
      {},
      join(directory, 's'),
    );
    expect(await call(wire)).toEqual({ fine: true });
    expect(wire.identity).toBe(`unix:${join(directory, 's')}`);
  });

  test('[T01] bytes may come one by one', async () => {
    const { wire } = await serve(({ id }, socket) => {
      const bytes = Buffer.from(`${resultOf(id, { text: 'aß€𝄞' })}\r\n`);
      let at = 0;
      const next = (): void => {
        if (at < bytes.length) socket.write(bytes.subarray(at, ++at), () => setImmediate(next));
      };
      next();
    });
    expect(await call(wire)).toEqual({ text: 'aß€𝄞' });
  });

  test('a peer that goes away rejects what is pending and what comes after', async () => {
    const { wire } = await serve((_message, socket) => socket.end());
    expect(await rejection(call(wire))).toMatchObject({
      code: 'CONNECTION_CLOSED',
      message: expect.stringContaining(wire.target),
    });
    expect(await wire.closed).toMatchObject({ by: 'peer', error: { code: 'CONNECTION_CLOSED' } });
    expect(await rejection(call(wire))).toMatchObject({ code: 'CONNECTION_CLOSED' });
  });

  test('a peer that breaks the connection is told from one that ends it', async () => {
    const { wire } = await serve((_message, socket) => socket.resetAndDestroy());
    expect(await rejection(call(wire))).toMatchObject({ code: 'CONNECTION_CLOSED', details: { code: 'ECONNRESET' } });
  });

  test('close ends the connection in good order, even where the peer does not', async () => {
    let ended: (() => void) | undefined;
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const { wire, sockets } = await serve(() => undefined, { closeGrace: 20 });
    const [socket] = await expect
      .poll(() => sockets)
      .toHaveLength(1)
      .then(() => sockets);
    socket?.on('end', () => ended?.());
    const pending = call(wire);
    const closing = wire.close();
    expect(wire.close()).toBe(closing);
    expect(await rejection(pending)).toMatchObject({ code: 'CONNECTION_CLOSED' });
    await Promise.all([closing, end]);
    expect(await wire.closed).toEqual({ by: 'local' });
  });

  test('what was sent before close still goes out', async () => {
    const got: string[] = [];
    const { wire } = await serve(({ method }) => got.push(method), { closeGrace: 100 });
    const io = surroundings();
    const pending = call(wire, {}, io);
    await expect.poll(() => got).toEqual(['tools/call']);
    io.abort();
    await rejection(pending);
    await wire.close();
    await expect.poll(() => got).toEqual(['tools/call', 'notifications/cancelled']);
  });

  test('a port and a path where nobody listens', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await rejection(socketWire({ host: '127.0.0.1', port }))).toMatchObject({
      code: 'CONNECTION_FAILED',
      details: { code: 'ECONNREFUSED' },
    });
    const missing = await rejection(socketWire({ socketPath: '/no/such/socket' }));
    expect(missing).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(missing.message).toContain('/no/such/socket');
  });

  test.runIf(process.platform !== 'win32')('[P31] a path that is too long for the system is told so', async () => {
    const error = await rejection(socketWire({ socketPath: `/tmp/${'x'.repeat(120)}` }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(error.message).toContain('125 bytes');
  });
});

describe('any two streams', () => {
  test('of Node', async () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    there.on('data', (line: Buffer) =>
      back.write(`${resultOf((JSON.parse(line.toString()) as Message).id, { fine: true })}\n`),
    );
    const wire = streamWire({ readable: back, writable: there, name: 'pair' }, { closeGrace: 1 });
    expect(wire.target).toBe('pair');
    expect(await call(wire)).toEqual({ fine: true });
    await wire.close();
    expect([there.destroyed, back.destroyed]).toEqual([true, true]);
  });

  test('of Node that decode themselves', async () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    back.setEncoding('utf8');
    there.on('data', (line: Buffer) =>
      back.write(`${resultOf((JSON.parse(line.toString()) as Message).id, { text: 'ä' })}\n`),
    );
    const wire = streamWire({ readable: back, writable: there }, { closeGrace: 1 });
    open.push(wire);
    expect(await call(wire)).toEqual({ text: 'ä' });
  });

  test('of the web', async () => {
    const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
    const writer = back.writable.getWriter();
    void (async () => {
      for await (const chunk of there.readable) {
        const { id } = JSON.parse(new TextDecoder().decode(chunk)) as Message;
        await writer.write(new TextEncoder().encode(`${resultOf(id, { fine: true })}\n`));
      }
    })().catch(() => undefined);
    const wire = streamWire({ readable: back.readable, writable: there.writable }, { closeGrace: 1 });
    expect(await call(wire)).toEqual({ fine: true });
    const pending = call(wire);
    await writer.close();
    expect(await pending.catch((error: Error) => error)).toBeDefined();
    expect(await wire.closed).toMatchObject({ by: 'peer' });
    await wire.close();
  });

  test('of the web, one of which fails', async () => {
    const failing = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('torn')) });
    const wire = streamWire({ readable: failing, writable: new WritableStream() }, { closeGrace: 1 });
    expect(await wire.closed).toMatchObject({ by: 'peer', error: { message: expect.stringContaining('torn') } });
    await wire.close();
  });

  test('that have ended already', async () => {
    const ended = new PassThrough();
    ended.destroy();
    const wire = streamWire({ readable: ended, writable: new PassThrough() }, { closeGrace: 1 });
    expect(await wire.closed).toMatchObject({ by: 'peer' });
    await wire.close();
  });

  test('but not one of each kind', () => {
    expect(() => streamWire({ readable: new PassThrough(), writable: new WritableStream() })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });

  test('get the calls of one tick in one write', async () => {
    const writes: number[] = [];
    const [there, back] = [new PassThrough(), new PassThrough()];
    there.on('data', (chunk: Buffer) => {
      const lines = chunk.toString().trim().split('\n');
      writes.push(lines.length);
      for (const line of lines) back.write(`${resultOf((JSON.parse(line) as Message).id)}\n`);
    });
    const wire = streamWire({ readable: back, writable: there }, { closeGrace: 1 });
    open.push(wire);
    await Promise.all(Array.from({ length: 20 }, () => call(wire)));
    expect(writes).toEqual([20]);
  });

  test('a writer that cannot keep up holds lines back, and what is given up meanwhile is never written', async () => {
    const written: string[] = [];
    let release: (() => void) | undefined;
    const there = new PassThrough({ highWaterMark: 1 });
    const back = new PassThrough();
    const wire = streamWire({ readable: back, writable: there }, { closeGrace: 1 });
    open.push(wire);
    const first = call(wire, { name: 'first' });
    await new Promise((resolve) => setImmediate(resolve));
    const io = surroundings();
    const second = call(wire, { name: 'second' }, io);
    const third = call(wire, { name: 'third' });
    await new Promise((resolve) => setImmediate(resolve));
    io.abort();
    await rejection(second);
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    there.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString().trim().split('\n')) {
        const message = JSON.parse(line) as Message;
        written.push(String(message.params.name));
        back.write(`${resultOf(message.id)}\n`);
        if (message.params.name === 'third') release?.();
      }
    });
    await all;
    await Promise.all([first, third]);
    expect(written).toEqual(['first', 'third']);
  });
});

test('junk and answers to nothing are warned of on any stream', async () => {
  const { wire } = await serve(({ id }, socket) => socket.write(`hello\n${resultOf(99)}\n${resultOf(id)}\n`));
  const seen = watch(wire);
  await call(wire);
  expect(seen.kinds()).toEqual(['junk', 'unmatched-answer']);
});

describe('streams of the user', () => {
  const waiting = () => new ReadableStream<Uint8Array>();
  const call = (wire: Wire) => rejection(wire.exchange(request('tools/call', { name: 't' }), surroundings()));

  test.each([
    ['null', null],
    ['an object', { a: 1 }],
    ['a number', 7],
  ])('that carry %s where bytes should be end the connection', async (_what, chunk) => {
    const web = new ReadableStream({ start: (controller) => controller.enqueue(chunk) });
    const wires = [streamWire({ readable: web, writable: new WritableStream() })];
    if (chunk !== null) {
      const node = new PassThrough({ objectMode: true });
      node.write(chunk);
      wires.push(streamWire({ readable: node, writable: new PassThrough() }));
    }
    for (const wire of wires) {
      open.push(wire);
      const error = await call(wire);
      expect(error).toMatchObject({ code: 'CONNECTION_CLOSED' });
      expect(error.message).toContain('where bytes should be');
    }
  });

  test('may carry text', async () => {
    const readable = new ReadableStream({
      start: (controller) => controller.enqueue(`${resultOf(1, { resultType: 'complete', n: 1 })}\n`),
    });
    const wire = streamWire({ readable, writable: new WritableStream() });
    open.push(wire);
    expect(await wire.exchange(request('tools/call', { name: 't' }), surroundings())).toMatchObject({ n: 1 });
  });

  test('that somebody else reads or writes are refused', () => {
    const readable = waiting();
    readable.getReader();
    expect(() => streamWire({ readable, writable: new WritableStream() })).toThrow(/nobody else/);
    const writable = new WritableStream();
    writable.getWriter();
    expect(() => streamWire({ readable: waiting(), writable })).toThrow(/nobody else/);
  });
});

describe('opening a socket', () => {
  test.each([
    { host: '127.0.0.1', port: -1 },
    { host: '127.0.0.1', port: 99_999 },
    { host: '127.0.0.1', port: Number.NaN },
    { host: '127.0.0.1', port: '80' },
    { host: 7, port: 80 },
    { socketPath: '' },
    { socketPath: 7 },
  ])('refuses %j', async (target) => {
    expect(await rejection(socketWire(target as never))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test.each([
    ['connectTimeout', -1],
    ['connectTimeout', Number.NaN],
    ['closeGrace', -1],
    ['maxMessageBytes', 0],
  ])('refuses %s %d', async (name, value) => {
    const target = { host: '127.0.0.1', port: 9 };
    expect(await rejection(socketWire(target, { [name]: value }))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('ends when its caller gives up', async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const controller = new AbortController();
    const opening = openSocket({ host: '127.0.0.1', port }, 'there', 10_000, controller.signal);
    controller.abort('enough');
    expect(await rejection(opening)).toMatchObject({ code: 'ABORTED', cause: 'enough' });
    expect(await rejection(socketWire({ host: '127.0.0.1', port }, { signal: controller.signal }))).toMatchObject({
      code: 'ABORTED',
    });
    await new Promise((resolve) => server.close(resolve));
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 31, 1e12])('may take %d ms', async (connectTimeout) => {
    const overflows: unknown[] = [];
    const onWarning = (warning: Error): void => void overflows.push(warning);
    process.on('warning', onWarning);
    const { wire } = await serve(() => {}, { connectTimeout, closeGrace: 0 });
    await wire.close();
    process.off('warning', onWarning);
    expect(overflows).toEqual([]);
  });
});

import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { httpWire } from '../../src/wires/http.ts';
import type { Wire } from '../../src/wires/wire.ts';
import { httpFarSide, json, rejection, request, resultOf, surroundings, watch } from './far-side.ts';

// Nothing here may load undici as a whole: that gives its dispatchers methods which they lack in a program that does not.

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const call = (wire: Wire, io = surroundings()) => wire.exchange(request('tools/call', { name: 't' }), io);

/** Listens until the test is over, and ends what is connected then. */
async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
  return (server.address() as AddressInfo).port;
}

/** A proxy or a server that does as it is told with every connection. */
const tcp = (onConnection: (socket: Socket) => void): Promise<number> => listening(createTcpServer(onConnection));

/** A proxy that opens tunnels, and counts them. */
async function proxy(
  status = 200,
): Promise<{ url: string; tunnels: { to: string | undefined; authorization: string | undefined }[] }> {
  const tunnels: { to: string | undefined; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connect', (req, socket: Socket) => {
    tunnels.push({ to: req.url, authorization: req.headers['proxy-authorization'] });
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const [host, port] = (req.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on('error', () => undefined);
  });
  const port = await listening(server);
  open.push({
    close: async () => {
      for (const socket of sockets) socket.destroy();
    },
  });
  return { url: `http://user:pass@127.0.0.1:${port}`, tunnels };
}

test('[P20] a call goes through the proxy that is given', async () => {
  const far = await httpFarSide(({ message }, res) => json(res, resultOf(message.id)));
  const { url, tunnels } = await proxy();
  const wire = httpWire(far.url, { proxy: url });
  open.push(far, wire);
  await Promise.all([call(wire), call(wire)]);
  await call(wire);
  expect(tunnels[0]).toEqual({
    to: new URL(far.url).host,
    authorization: `Basic ${Buffer.from('user:pass').toString('base64')}`,
  });
  expect(far.seen).toHaveLength(3);
});

test('[P20] through the one that the environment names, but not to loopback', async () => {
  const far = await httpFarSide(({ message }, res) => json(res, resultOf(message.id)));
  const { url, tunnels } = await proxy(502);
  const direct = httpWire(far.url, { env: { HTTP_PROXY: url } });
  const through = httpWire('http://server.example/mcp', { env: { HTTP_PROXY: url } });
  open.push(far, direct, through);
  await call(direct);
  expect(tunnels).toEqual([]);
  expect(await rejection(call(through))).toMatchObject({ code: 'CONNECTION_FAILED' });
  expect(tunnels[0]?.to).toBe('server.example:80');
});

test('[P34] a variable that is no address is reported and done without', async () => {
  const wire = httpWire('http://no-such-host.invalid/mcp', { env: { HTTP_PROXY: 'ftp://x' } });
  open.push(wire);
  const seen = watch(wire);
  await rejection(call(wire));
  expect(seen.kinds()).toEqual(['proxy-ignored']);
});

test('an option that is no address is an error', async () => {
  const wire = httpWire('http://127.0.0.1:1/mcp', { proxy: 'ftp://x' });
  open.push(wire);
  expect(await rejection(call(wire))).toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test.each([
  ['a password', 'http://us%er:p@127.0.0.1:1'],
  ['a name', 'http://u:p%@127.0.0.1:1'],
])('[P34] %s with a broken escape is reported and done without', async (_what, proxy) => {
  const wire = httpWire('http://no-such-host.invalid/mcp', { env: { HTTP_PROXY: proxy } });
  open.push(wire);
  const seen = watch(wire);
  await rejection(call(wire));
  expect(seen.kinds()).toEqual(['proxy-ignored']);
});

test.each([
  ['says no', (socket: Socket) => socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n')],
  ['speaks something else', (socket: Socket) => socket.end('220 smtp.example\r\n')],
  ['breaks off', (socket: Socket) => socket.resetAndDestroy()],
  ['opens a tunnel to nowhere', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
])('[P20] a proxy that %s fails the call', async (_what, answer) => {
  const port = await tcp((socket) => socket.once('data', () => answer(socket)));
  for (const address of ['https://server.example/mcp', 'http://server.example/mcp']) {
    const wire = httpWire(address, { proxy: `http://127.0.0.1:${port}` });
    open.push(wire);
    const error = await rejection(call(wire));
    expect(error.code).toMatch(/^CONNECTION_(FAILED|CLOSED)$/);
    expect(error.message).toContain('server.example');
  }
});

test('[P20] a call goes through a SOCKS5 proxy', async () => {
  const far = await httpFarSide(({ message }, res) => json(res, resultOf(message.id)));
  const asked: string[] = [];
  const port = await tcp((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]));
      socket.once('data', (bytes: Buffer) => {
        const host = bytes[3] === 1 ? [...bytes.subarray(4, 8)].join('.') : bytes.subarray(5, 5 + bytes[4]!).toString();
        const to = bytes.readUInt16BE(bytes.length - 2);
        asked.push(`${host}:${to}`);
        const upstream = connect(to, host, () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          upstream.pipe(socket).pipe(upstream);
        });
        upstream.on('error', () => undefined);
      });
    });
  });
  const wire = httpWire(far.url, { proxy: `socks5://127.0.0.1:${port}` });
  open.push(far, wire);
  await call(wire);
  expect(asked).toEqual([new URL(far.url).host]);
});

test.each(['http:', 'socks5:'])(
  '[P26] closing ends a connection to an %s proxy that never says a word',
  async (scheme) => {
    let connected: (socket: Socket) => void = () => undefined;
    const reached = new Promise<Socket>((resolve) => {
      connected = resolve;
    });
    const port = await tcp((socket) => connected(socket));
    const wire = httpWire('https://server.example/mcp', { proxy: `${scheme}//127.0.0.1:${port}` });
    const pending = rejection(call(wire));
    const socket = await reached;
    socket.resume();
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await wire.close();
    expect(await pending).toMatchObject({ code: expect.stringMatching(/^CONNECTION_/) });
    await ended;
  },
);

test('[P26] closing ends a connection whose TLS handshake never comes to its end', async () => {
  let connected: (socket: Socket) => void = () => undefined;
  const reached = new Promise<Socket>((resolve) => {
    connected = resolve;
  });
  const port = await tcp((socket) => connected(socket));
  const wire = httpWire(`https://127.0.0.1:${port}/mcp`);
  const pending = rejection(call(wire));
  const socket = await reached;
  socket.resume();
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await wire.close();
  expect(await pending).toMatchObject({ code: 'CONNECTION_CLOSED' });
  await ended;
});

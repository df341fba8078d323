import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Pool } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { httpWire } from '../../src/wires/http.ts';
import type { Wire } from '../../src/wires/wire.ts';
import { makeCertificate } from './certificate.ts';
import { httpFarSide, json, rejection, request, resultOf, surroundings, watch } from './far-side.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const call = (wire: Wire) => wire.exchange(request('tools/call', { name: 't' }), surroundings());

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return (server.address() as AddressInfo).port;
}

describe('TLS', () => {
  const authority = makeCertificate('Test authority');
  const server = makeCertificate('server', authority);

  async function serve(options: ServerOptions = {}): Promise<string> {
    const port = await listening(
      createTlsServer({ cert: server.cert, key: server.key, ...options }, (req, res) => {
        const { authorized } = req.socket as TLSSocket;
        req.resume().on('end', () => json(res, resultOf(1, { authorized })));
      }),
    );
    return `https://127.0.0.1:${port}/mcp`;
  }

  test('a certificate of an unknown authority is refused, and the remedy named', async () => {
    const wire = httpWire(await serve());
    open.push(wire);
    const error = await rejection(call(wire));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', details: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' } });
    expect(error.message).toContain('`ca`');
  });

  test('the option ca makes it known', async () => {
    const wire = httpWire(await serve(), { ca: authority.cert });
    open.push(wire);
    const seen = watch(wire);
    expect(await call(wire)).toEqual({ authorized: false });
    expect(seen.warnings).toEqual([]);
  });

  test('the option insecure lets everything pass, loudly', async () => {
    const wire = httpWire(await serve(), { insecure: true });
    open.push(wire);
    const seen = watch(wire);
    await call(wire);
    expect(seen.kinds()).toEqual(['insecure']);
  });

  test('cert and key are shown to a server that asks for them', async () => {
    const client = makeCertificate('client', authority);
    const url = await serve({ requestCert: true, ca: authority.cert, rejectUnauthorized: false });
    const wire = httpWire(url, { ca: authority.cert, cert: client.cert, key: client.key });
    open.push(wire);
    expect(await call(wire)).toEqual({ authorized: true });
  });

  test('a server that does not speak TLS is told from one that is not there', async () => {
    const far = await httpFarSide((_seen, res) => res.end());
    open.push(far);
    const wire = httpWire(far.url.replace('http:', 'https:'));
    open.push(wire);
    expect(await rejection(call(wire))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('http://'),
    });
  });
});

describe('proxies', () => {
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
});

test('a dispatcher that is given is used as it is, and not closed', async () => {
  const far = await httpFarSide(({ message }, res) => json(res, resultOf(message.id)));
  const dispatcher = new Pool(new URL(far.url).origin);
  open.push(far, { close: () => dispatcher.close() });
  const wire = httpWire(far.url, { dispatcher });
  await call(wire);
  await wire.close();
  expect(dispatcher.closed).toBe(false);
});

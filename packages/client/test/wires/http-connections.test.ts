import type { Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
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

test('a dispatcher that is given is used as it is, and not closed', async () => {
  const far = await httpFarSide(({ message }, res) => json(res, resultOf(message.id)));
  const dispatcher = new Pool(new URL(far.url).origin);
  open.push(far, { close: () => dispatcher.close() });
  const wire = httpWire(far.url, { dispatcher });
  await call(wire);
  await wire.close();
  expect(dispatcher.closed).toBe(false);
});

describe('a connection that the server closed meanwhile', () => {
  /** Answers, and closes the connection without a word of that in the answer. */
  async function closing() {
    const far = await httpFarSide(({ message }, res, req) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(resultOf(message.id, { resultType: 'complete', tools: [] }), () => req.socket.end());
    });
    const wire = httpWire(far.url);
    open.push(far, wire);
    return { far, wire };
  }

  test('[HTTP-26][HTTP-27] what only reads is sent once more, as a new request', async () => {
    const { far, wire } = await closing();
    const list = () => wire.exchange(request('tools/list'), surroundings());
    for (let count = 0; count < 4; count++) expect(await list()).toMatchObject({ tools: [] });
    const ids = far.seen.map(({ message }) => message.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('[T061][HTTP-27] a call may have been carried out, and is not', async () => {
    const { far, wire } = await closing();
    await call(wire);
    const error = await rejection(call(wire));
    expect(error).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(error.message).toContain('may have acted');
    expect(far.seen.map(({ message }) => message.id)).not.toContain(3);
    await call(wire);
  });

  test('costs one call at most: such a server is known from then on', async () => {
    const { wire } = await closing();
    await call(wire);
    await rejection(call(wire));
    for (let count = 0; count < 10; count++) await call(wire);
  });

  test('[HTTP-27] nor is anything sent a third time', async () => {
    let answering = true;
    const far = await httpFarSide(({ message }, res, req) => {
      if (answering) json(res, resultOf(message.id));
      else req.socket.resetAndDestroy();
    });
    const wire = httpWire(far.url);
    open.push(far, wire);
    const list = () => wire.exchange(request('tools/list'), surroundings());
    await Promise.all([list(), list(), list()]);
    answering = false;
    expect(await rejection(list())).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(far.seen).toHaveLength(5);
  });
});

test.each([
  ['maxConnections', [0, -1, 1.5, Number.NaN, '5', null]],
  ['maxMessageBytes', [0, -1, Number.NaN, '5']],
  ['maxErrorBytes', [-1, Number.NaN, '5']],
  ['maxRedirects', [-1, 0.5, Number.NaN]],
  ['connectTimeout', [-1, Number.NaN, '5']],
])('a limit that is none is refused: %s', (name, values) => {
  for (const value of values) {
    expect(() => httpWire('http://127.0.0.1:1/', { [name]: value })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  }
  httpWire('http://127.0.0.1:1/', { [name]: Number.POSITIVE_INFINITY });
});

test('a user name that only looks escaped is sent as it stands', async () => {
  const far = await httpFarSide(({ message }, res) => json(res, resultOf(message.id)));
  const wire = httpWire(far.url.replace('//', '//us%er:p%zz@'));
  open.push(far, wire);
  await call(wire);
  expect(far.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('us%er:p%zz').toString('base64')}`);
});

test.each([null, 'Bearer x', 7])('an authorizer that returns %j does not break the call', async (given) => {
  const far = await httpFarSide((_seen, res) => res.writeHead(401).end());
  const wire = httpWire(far.url, { authorize: async () => given as never });
  open.push(far, wire);
  expect(await rejection(call(wire))).toMatchObject({ code: given === null ? 'UNAUTHORIZED' : 'INVALID_ARGUMENT' });
});

test('a fetch that looks at no signal is not read for ever', async () => {
  let canceled: (reason: unknown) => void = () => undefined;
  const cancel = new Promise((resolve) => {
    canceled = resolve;
  });
  const endless = new ReadableStream({
    pull: (controller) =>
      new Promise((resolve) => {
        setImmediate(() => {
          controller.enqueue(new TextEncoder().encode(':\n'));
          resolve();
        });
      }),
    cancel: (reason) => canceled(reason),
  });
  const wire = httpWire('http://127.0.0.1:1/', {
    fetch: async () => new Response(endless, { headers: { 'content-type': 'text/event-stream' } }),
  });
  open.push(wire);
  const io = surroundings();
  const pending = rejection(wire.exchange(request('tools/call', { name: 't' }), io));
  await new Promise((resolve) => setImmediate(resolve));
  io.abort();
  expect(await pending).toMatchObject({ code: 'ABORTED' });
  await cancel;
});

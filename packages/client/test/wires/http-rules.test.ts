import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compileHeaderIndex } from '@dragoman/protocol';
import { Agent } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { type HttpOptions, httpWire } from '../../src/wires/http.ts';
import type { Wire } from '../../src/wires/wire.ts';
import {
  events,
  type HttpFarSide,
  httpFarSide,
  json,
  notificationOf,
  rejection,
  request,
  resultOf,
  type Seen,
  surroundings,
  watch,
} from './far-side.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function serve(
  answer: (seen: Seen, res: ServerResponse) => void,
  options?: HttpOptions,
): Promise<{ wire: Wire; far: HttpFarSide }> {
  const far = await httpFarSide(answer);
  const wire = httpWire(far.url, options);
  open.push(far, wire);
  return { wire, far };
}

describe.each([
  ['undici', {}],
  ['fetch', { fetch: (url: string, init: RequestInit) => fetch(url, init) }],
] as [string, HttpOptions][])('over %s', (_port, options) => {
  test('[BASE-02] what is sent is UTF-8, to the byte', async () => {
    let bytes = Buffer.alloc(0);
    const server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        bytes = Buffer.concat(chunks);
        expect(req.headers['content-length']).toBe(String(bytes.length));
        json(res, resultOf((JSON.parse(bytes.toString('utf8')) as Seen['message']).id));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => server.close(resolve)) });
    const wire = httpWire(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, options);
    open.push(wire);
    await wire.exchange(request('tools/call', { name: 't', arguments: { text: 'é€𝄞' } }), surroundings());
    expect(bytes.includes(Buffer.from('c3a9e282acf09d849e', 'hex'))).toBe(true);
  });

  test('[HTTP-25] ids of events and times to retry are of no consequence: what broke off is not asked for again', async () => {
    const { wire, far } = await serve(({ message }, res) => {
      if (far.seen.length > 1) {
        json(res, resultOf(message.id));
        return;
      }
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write('id: 41\nretry: 1\ndata:\n\n');
      res.end(`id: 42\ndata: ${notificationOf('notifications/progress', { progressToken: 'p', progress: 1 })}\n\n`);
    }, options);
    expect(
      await rejection(wire.exchange(request('tools/call', { name: 't' }, { progressToken: 'p' }), surroundings())),
    ).toMatchObject({ code: 'CONNECTION_CLOSED' });
    await wire.exchange(request('tools/call', { name: 't' }), surroundings());
    expect(far.seen).toHaveLength(2);
    expect(far.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, undefined]);
  });

  test.each(['ends', 'breaks'])('[HTTP-26] [T061] a call whose stream %s is not sent again by itself', async (how) => {
    const { wire, far } = await serve((_seen, res) => {
      events(res, notificationOf('notifications/progress', { progressToken: 'p', progress: 1 }));
      if (how === 'ends') res.end();
      else setImmediate(() => res.destroy());
    }, options);
    const call = () => rejection(wire.exchange(request('tools/call', { name: 't' }), surroundings()));
    expect(await call()).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(far.seen).toHaveLength(1);
    expect(await call()).toMatchObject({ code: 'CONNECTION_CLOSED' });
    const [first, again] = far.seen.map(({ message }) => message.id);
    expect(again).not.toBe(first);
  });

  test('[T056] [SUBS-20] a change of something below what was subscribed to belongs to the subscription by its id', async () => {
    const { wire } = await serve(({ message }, res) => {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': message.id };
      events(
        res,
        notificationOf('notifications/resources/updated', { uri: 'file:///dir/below', _meta }),
        resultOf(message.id),
      );
      res.end();
    }, options);
    const seen = watch(wire);
    const io = surroundings();
    await wire.exchange(
      request('subscriptions/listen', { notifications: { resourceSubscriptions: ['file:///dir'] } }),
      io,
    );
    expect(io.notified.map(({ params }) => params?.uri)).toEqual(['file:///dir/below']);
    expect(seen.warnings).toEqual([]);
  });

  test('[P88] headers are those that were given, whatever becomes of the object', async () => {
    const headers: { [name: string]: string } = { 'x-tenant': 'a' };
    const { wire, far } = await serve(({ message }, res) => json(res, resultOf(message.id)), { ...options, headers });
    headers['x-tenant'] = 'b';
    headers['x-more'] = 'c';
    await wire.exchange(request('tools/call', { name: 't' }), surroundings());
    expect(far.seen[0]?.headers).toMatchObject({ 'x-tenant': 'a' });
    expect(far.seen[0]?.headers).not.toHaveProperty('x-more');
  });

  test('[XMH-08] an integer that no header carries is not sent at all', async () => {
    const compiled = compileHeaderIndex({
      type: 'object',
      properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } },
    });
    const index = 'index' in compiled ? compiled.index : undefined;
    const { wire, far } = await serve(({ message }, res) => json(res, resultOf(message.id)), {
      ...options,
      headerIndex: () => index,
    });
    const call = (count: number) =>
      wire.exchange(request('tools/call', { name: 't', arguments: { count } }), surroundings());
    expect(await rejection(call(2 ** 53))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(far.seen).toEqual([]);
    await call(2 ** 53 - 1);
    expect(far.seen[0]?.headers['mcp-param-count']).toBe('9007199254740991');
  });
});

test('[H11] nothing but the call’s own deadline ends a wait: the connection has none', async () => {
  const far = await httpFarSide(({ message }, res) => json(res, resultOf(message.id)));
  const agent = new Agent();
  const sent: object[] = [];
  const dispatcher = {
    dispatch(options: Parameters<Agent['dispatch']>[0], handler: Parameters<Agent['dispatch']>[1]) {
      sent.push(options);
      return agent.dispatch(options, handler);
    },
  };
  const wire = httpWire(far.url, { dispatcher: dispatcher as Agent });
  open.push(far, { close: () => agent.destroy() }, wire);
  await wire.exchange(request('tools/call', { name: 't' }), surroundings());
  expect(sent).toMatchObject([{ headersTimeout: 0, bodyTimeout: 0 }]);
});

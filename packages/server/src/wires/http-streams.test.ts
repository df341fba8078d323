import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ExchangeIO, Notification } from '@dragoman/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type HttpServeOptions, type HttpServing, serveHttp } from './http.ts';
import { call, Events, headersFor, listen, messagesOf, openPost, post } from './testing/request.ts';
import { Stub, text } from './testing/stub.ts';

let serving: HttpServing;
let stub: Stub;

beforeEach(() => {
  stub = new Stub();
});
afterEach(() => serving.close());

const serve = async (options: HttpServeOptions = {}): Promise<string> => {
  serving = await serveHttp(stub, { grace: 0, ...options });
  return serving.url;
};

const progress = (value: number, progressToken: unknown = 't', message = ''): Notification => ({
  method: 'notifications/progress',
  params: { progressToken, progress: value, message },
});

/** A promise and the function that resolves it. */
function gate<T = void>(): { opened: Promise<T>; open: (value: T) => void } {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('[HTTP-25] [HTTP-16] [HTTP-18] [HTTP-22] a notification before the result turns the answer into a stream, which ends with it', async () => {
  stub.tools.set('busy', (_, io) => {
    io.notify(progress(1));
    io.notify(progress(2));
    return text('done');
  });
  const answer = await post(await serve(), call('busy'));
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  expect(answer.text).toMatch(/^event: message\ndata: /);
  expect(answer.text).not.toMatch(/^id:/m);
  const messages = messagesOf(answer.text);
  expect(messages.map((m) => m.params?.progress ?? m.result.content[0].text)).toEqual([1, 2, 'done']);
  expect(messages[2].id).toBe(1);
});

test('[T086] the first notification leaves while the work goes on', async () => {
  const go = gate();
  stub.tools.set('slow', async (_, io) => {
    io.notify(progress(1));
    await go.opened;
    return text('done');
  });
  const events = new Events(await openPost(await serve(), call('slow')).head);
  expect((await events.next()).params.progress).toBe(1);
  go.open();
  expect((await events.next()).result.content[0].text).toBe('done');
  expect(await events.next()).toBeUndefined();
});

test('an error after the stream has begun goes down the stream, with its id', async () => {
  stub.tools.set('failing', async (_, io) => {
    io.notify(progress(1));
    throw new TypeError('secret');
  });
  const answer = await post(await serve(), call('failing', {}, 'x'));
  expect(answer.status).toBe(200);
  expect(messagesOf(answer.text)[1]).toEqual({
    jsonrpc: '2.0',
    id: 'x',
    error: { code: -32603, message: 'Internal error' },
  });
  expect(stub.errors).toHaveLength(1);
});

test('[PROG-08] [T064] what comes after the result is not sent', async () => {
  const late = gate<ExchangeIO>();
  stub.tools.set('late', (_, io) => {
    io.notify(progress(1));
    late.open(io);
    return text('done');
  });
  const url = await serve();
  const answer = await post(url, call('late'));
  (await late.opened).notify(progress(2));
  expect(messagesOf(answer.text)).toHaveLength(2);
  expect((await post(url, call('echo', { text: 'x' }))).status).toBe(200);
});

test('for a reader of JSON alone notifications are left out', async () => {
  stub.tools.set('busy', (_, io) => {
    io.notify(progress(1));
    return text('done');
  });
  const answer = await post(await serve(), call('busy'), { accept: 'application/json' });
  expect(answer.json.result.content[0].text).toBe('done');
});

test('[T060] [HTTP-28] [HTTP-30] a client that goes away aborts its call, before and in a stream, and nothing is written after', async () => {
  for (const streaming of [false, true]) {
    const entered = gate<ExchangeIO>();
    const aborted = gate();
    stub.tools.set('wait', async (_, io) => {
      if (streaming) io.notify(progress(1));
      io.signal.addEventListener('abort', () => aborted.open());
      entered.open(io);
      await aborted.opened;
      io.notify(progress(2));
      return text('too late');
    });
    const url = await serve();
    const { request, head } = openPost(url, call('wait'));
    const io = await entered.opened;
    if (streaming) await head;
    request.destroy();
    await aborted.opened;
    expect(io.signal.reason.message).toContain('closed the connection');
    expect((await post(url, call('echo', { text: 'still here' }))).status).toBe(200);
    await serving.close();
  }
  expect(stub.errors).toEqual([]);
});

test('a handler that looks at the signal only after the client has gone finds it aborted', async () => {
  const entered = gate<ExchangeIO>();
  stub.tools.set('late', (_, io) => {
    entered.open(io);
    return new Promise(() => {});
  });
  const url = await serve();
  const closed = new Promise((resolve) => serving.server.once('connection', (socket) => socket.once('close', resolve)));
  const { request } = openPost(url, call('late'));
  const io = await entered.opened;
  request.destroy();
  await closed;
  expect(io.signal.aborted).toBe(true);
});

async function rawPost(url: string, body: string, headers: { [name: string]: string }): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const all = { host: `${hostname}:${port}`, ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const head = Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.write(`POST /mcp HTTP/1.1\r\n${head}\r\n${body}`);
  return socket;
}

test('[HTTP-28] a client that closes its half of the connection has gone', async () => {
  const aborted = gate();
  const entered = gate();
  stub.tools.set(
    'wait',
    (_, io) =>
      new Promise((resolve) => {
        io.signal.addEventListener('abort', () => {
          aborted.open();
          resolve(text('late'));
        });
        entered.open();
      }),
  );
  const message = call('wait');
  const socket = await rawPost(await serve(), JSON.stringify(message), headersFor(message));
  await entered.opened;
  socket.end();
  await aborted.opened;
  socket.resume();
  await once(socket, 'close');
});

test('a client that goes away in the middle of its body costs nothing', async () => {
  const url = await serve({ limits: { maxConcurrentRequests: 1 } });
  const { hostname, port } = new URL(url);
  const closed = new Promise((resolve) => serving.server.once('connection', (socket) => socket.once('close', resolve)));
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /mcp HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"json`,
  );
  const seen = once(serving.server, 'request');
  await seen;
  socket.destroy();
  await closed;
  expect((await post(url, call('echo', { text: 'x' }))).status).toBe(200);
});

test('a flood of progress leaves in few writes, whole where the reader keeps up', async () => {
  const count = 10_000;
  stub.tools.set('flood', (_, io) => {
    for (let i = 1; i <= count; i++) io.notify(progress(i));
    return text('done');
  });
  const { head } = openPost(await serve(), call('flood'));
  const response = await head;
  let chunks = 0;
  let body = '';
  for await (const chunk of response) {
    chunks++;
    body += chunk;
  }
  const values = messagesOf(body).map((m) => m.params?.progress);
  expect(values).toHaveLength(count + 1);
  expect(values[count - 1]).toBe(count);
  expect(chunks).toBeLessThan(count / 10);
});

test('a slow reader gets less progress, never less of a result, and the server holds no more than the limit', async () => {
  const last = 200_000;
  const sent = gate();
  stub.tools.set('flood', async (_, io) => {
    for (let i = 1; i <= last; i++) {
      io.notify(progress(i, 't', 'x'.repeat(100)));
      if (i % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    sent.open();
    return text('done');
  });
  const message = call('flood');
  const url = await serve({ limits: { maxBufferedLength: 64 * 1024 } });
  const accepted = once(serving.server, 'connection');
  const socket = await rawPost(url, JSON.stringify(message), headersFor(message));
  const [peer] = (await accepted) as [Socket];
  socket.pause();
  await sent.opened;
  expect(peer.writableLength).toBeLessThan(1024 * 1024);
  let body = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    body += chunk;
  });
  socket.resume();
  await vi.waitFor(() => expect(body).toContain('\r\n0\r\n\r\n'), { timeout: 5_000, interval: 5 });
  socket.destroy();
  expect(body).toContain('"text":"done"');
  const events = body.match(/"progress":\d+/g) ?? [];
  expect(events.length).toBeLessThan(last);
  expect(events.at(-1)).toBe(`"progress":${last}`);
});

test('[META-12] [T051] [SUBS-04] [SUBS-08] [SUBS-09] a listen stream: acknowledgement, changes, result, each tagged with the id', async () => {
  for (const id of [0, '', 'x', 1790000000000]) {
    const events = new Events(await openPost(await serve(), listen({ toolsListChanged: true }, id)).head);
    const key = 'io.modelcontextprotocol/subscriptionId';
    expect(await events.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { [key]: id } },
    });
    stub.subscriptions.publish({ kind: 'tools' });
    expect(await events.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [key]: id } },
    });
    await serving.close();
    expect(await events.next()).toEqual({
      jsonrpc: '2.0',
      id,
      result: { resultType: 'complete', _meta: { [key]: id } },
    });
    expect(await events.next()).toBeUndefined();
  }
});

test('an empty filter is acknowledged and ends with a result', async () => {
  const answer = await post(await serve(), listen({ promptsListChanged: true }));
  const [ack, result, ...rest] = messagesOf(answer.text);
  expect(ack.params.notifications).toEqual({});
  expect(result.result.resultType).toBe('complete');
  expect(rest).toEqual([]);
});

test('a listen stream over its cap is an error with its status, not a stream', async () => {
  stub = new Stub({ maxStreams: 1 });
  const url = await serve();
  const events = new Events(await openPost(url, listen({ toolsListChanged: true })).head);
  await events.next();
  const answer = await post(url, listen({ toolsListChanged: true }, 2));
  expect(answer.status).toBe(503);
  expect(answer.json).toMatchObject({ id: 2, error: { data: { limit: 'maxStreams', value: 1 } } });
  events.close();
});

test('listen streams take no place of other requests, and a client that leaves one frees it', async () => {
  const url = await serve({ limits: { maxConcurrentRequests: 1 } });
  const streams = await Promise.all(
    [1, 2, 3].map(async (id) => new Events(await openPost(url, listen({ toolsListChanged: true }, id)).head)),
  );
  await Promise.all(streams.map((events) => events.next()));
  expect((await post(url, call('echo', { text: 'x' }))).status).toBe(200);
  expect(stub.subscriptions.size).toBe(3);
  for (const events of streams) events.close();
  await vi.waitFor(() => expect(stub.subscriptions.size).toBe(0), { interval: 5 });
});

test('a broadcast reaches 1,000 streams, each under its own id, written out once', async () => {
  const url = await serve();
  const stringify = vi.spyOn(JSON, 'stringify');
  const ids = Array.from({ length: 1_000 }, (_, i) => i);
  const streams: Events[] = [];
  for (let from = 0; from < ids.length; from += 100) {
    const opened = ids
      .slice(from, from + 100)
      .map(async (id) => new Events(await openPost(url, listen({ toolsListChanged: true }, id)).head));
    streams.push(...(await Promise.all(opened)));
  }
  await Promise.all(streams.map((events) => events.next()));
  stringify.mockClear();
  stub.subscriptions.publish({ kind: 'tools' });
  const got = await Promise.all(streams.map((events) => events.next()));
  expect(stringify.mock.calls.length).toBeLessThan(10);
  stringify.mockRestore();
  expect(got.map((m) => m.params._meta['io.modelcontextprotocol/subscriptionId'])).toEqual(ids);
  for (const events of streams) events.close();
});

test('a storm of changes reaches a listener as the last of each', async () => {
  const url = await serve();
  const events = new Events(
    await openPost(url, listen({ toolsListChanged: true, resourceSubscriptions: ['x:1', 'x:2'] })).head,
  );
  await events.next();
  for (let i = 0; i < 1_000; i++) {
    stub.subscriptions.publish({ kind: 'tools' });
    stub.subscriptions.publish({ kind: 'resource', uri: 'x:1' });
  }
  stub.subscriptions.publish({ kind: 'resource', uri: 'x:2' });
  const seen: string[] = [];
  while (seen.at(-1) !== 'x:2') {
    const message = await events.next();
    seen.push(message.params.uri ?? 'tools');
  }
  expect(seen.length).toBeLessThanOrEqual(4);
  expect(new Set(seen)).toEqual(new Set(['tools', 'x:1', 'x:2']));
  events.close();
});

test('[H10] [S06] every open stream is kept alive by comments', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const go = gate();
    stub.tools.set('slow', async (_, io) => {
      io.notify(progress(1));
      await go.opened;
      return text('done');
    });
    const url = await serve();
    const streams = [
      new Events(await openPost(url, call('slow')).head),
      new Events(await openPost(url, listen({ toolsListChanged: true })).head),
    ];
    await Promise.all(streams.map((events) => events.next()));
    for (let beat = 1; beat <= 2; beat++) {
      const comments = streams.map((events) => events.comment());
      vi.advanceTimersByTime(15_000);
      await Promise.all(comments);
    }
    expect(streams.map((events) => events.comments)).toEqual([
      [':', ':'],
      [':', ':'],
    ]);
    go.open();
    await streams[0]?.next();
    streams[1]?.close();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0), { interval: 5 });
  } finally {
    vi.useRealTimers();
  }
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HttpServeOptions, type HttpServing, serveHttp } from './http.ts';
import { call, Events, headersFor, listen, openPost, post, read } from './testing/request.ts';
import { Stub, text } from './testing/stub.ts';

let serving: HttpServing;
let stub: Stub;
let inside: Promise<AbortSignal>;
let finish: (value: string) => void;

beforeEach(() => {
  stub = new Stub();
  const finished = new Promise<string>((resolve) => {
    finish = resolve;
  });
  inside = new Promise((resolve) => {
    stub.tools.set('wait', async (_, io) => {
      resolve(io.signal);
      return text(await finished);
    });
  });
});
afterEach(() => serving.close());

const serve = async (options: HttpServeOptions = {}): Promise<string> => {
  serving = await serveHttp(stub, options);
  return serving.url;
};

test('close waits for calls, whose answers arrive whole, and takes no new connections meanwhile', async () => {
  const url = await serve();
  const answer = post(url, call('wait'));
  await inside;
  const closed = serving.close();
  await expect(post(url, call('echo', { text: 'x' }))).rejects.toThrow('ECONNREFUSED');
  finish('x'.repeat(1_000_000));
  await closed;
  expect((await answer).json.result.content[0].text).toHaveLength(1_000_000);
  expect(serving.server.listening).toBe(false);
});

test('a connection that is still open gets 503 for a new request while the server closes', async () => {
  const url = await serve();
  const waiting = post(url, call('wait'));
  await inside;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  // Half a request keeps the connection from being closed as an idle one.
  const message = JSON.stringify(call('echo', { text: 'x' }));
  const head = Object.entries({
    host: `${hostname}:${port}`,
    ...headersFor(call('echo')),
    'content-length': message.length,
  });
  socket.write(`POST /mcp HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`);
  await new Promise((resolve) => serving.server.getConnections(resolve));
  const closed = serving.close();
  socket.write(`\r\n${message}`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString()).toMatch(/^HTTP\/1\.1 503 /);
  expect(data.toString().toLowerCase()).toContain('connection: close');
  finish('x');
  await waiting;
  await closed;
});

test('[SUBS-13] close ends listen streams with their result, whatever the grace', async () => {
  const url = await serve({ grace: 60_000 });
  const events = new Events(await openPost(url, listen({ toolsListChanged: true })).head);
  await events.next();
  await serving.close();
  expect((await events.next()).result.resultType).toBe('complete');
  expect(await events.next()).toBeUndefined();
});

test('[SUBS-13] a listen stream whose exchange fails when it is ended still ends with a result', async () => {
  stub.dispatch = (_, io) =>
    new Promise((_, reject) => {
      io.notify({ method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } });
      io.signal.addEventListener('abort', () => reject(new Error('upstream is gone')));
    });
  const events = new Events(await openPost(await serve(), listen({ toolsListChanged: true }, 'a')).head);
  await events.next();
  await serving.close();
  expect(await events.next()).toMatchObject({ id: 'a', result: { resultType: 'complete' } });
});

test('what has not finished within the grace is aborted and broken off', async () => {
  const url = await serve({ grace: 20 });
  const answer = post(url, call('wait'));
  const signal = await inside;
  answer.catch(() => {});
  await serving.close();
  expect(signal.aborted).toBe(true);
  await expect(answer).rejects.toThrow();
  finish('too late');
});

test('an answer that is still on its way to a slow reader is not cut short by close', async () => {
  const url = await serve();
  stub.tools.set('big', () => text('y'.repeat(8_000_000)));
  const response = await openPost(url, call('big')).head;
  const closed = serving.close();
  expect(JSON.parse(await read(response)).result.content[0].text).toHaveLength(8_000_000);
  await closed;
});

test('close is idempotent and resolves with nothing open', async () => {
  await serve();
  await Promise.all([serving.close(), serving.close()]);
  await serving.close();
});

import { afterEach, expect, test, vi } from 'vitest';
import type { HttpEndpointOptions } from '../http/endpoint.ts';
import { type FetchHandler, toFetchHandler } from './fetch.ts';
import { call, headersFor, listen, messagesOf, type modern } from './testing/request.ts';
import { Stub, text } from './testing/stub.ts';

const URL = 'https://mcp.example.com/mcp';
const echo = call('echo', { text: 'é€😀' });

let stub = new Stub();
let handler: FetchHandler | undefined;

const make = (options: HttpEndpointOptions = {}): FetchHandler => {
  stub = new Stub();
  handler = toFetchHandler(stub, options);
  return handler;
};
afterEach(() => handler?.close(0));

const request = (message: ReturnType<typeof modern>, init: RequestInit = {}, url = URL): Request =>
  new Request(url, { method: 'POST', headers: headersFor(message), body: JSON.stringify(message), ...init });

const progress = (value: number, message = '') => ({
  method: 'notifications/progress',
  params: { progressToken: 't', progress: value, message },
});

test('a request is answered with JSON', async () => {
  const response = await make()(request(echo));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect((await response.json()).result.content[0].text).toBe('é€😀');
});

test('[T01] a body in single bytes is the same body', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(echo));
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const response = await make()(request(echo, { body, duplex: 'half' } as RequestInit));
  expect((await response.json()).result.content[0].text).toBe('é€😀');
});

test.each([
  [202, { body: '{"jsonrpc":"2.0","method":"notifications/x"}' }],
  [400, { body: '{"jsonrpc":' }],
  [400, { body: Uint8Array.of(0x22, 0xff, 0x22) }],
  [400, { body: null }],
  [413, { body: 'x'.repeat(2_000) }],
  [405, { method: 'GET', body: null }],
  [415, { headers: { 'content-type': 'text/plain' } }],
  [403, { headers: { ...headersFor(echo), origin: 'https://evil.example' } }],
  [403, { headers: { ...headersFor(echo), origin: 'null' } }],
] as const)('refusals have the status they have everywhere: %i', async (status, init) => {
  const response = await make({ limits: { maxBodyBytes: 1_000 } })(request(echo, init as RequestInit));
  expect(response.status).toBe(status);
  if (status === 202) expect(response.body).toBeNull();
});

test('[Z01] behind a URL of this machine only pages of this machine may call', async () => {
  const local = 'http://localhost:8787/mcp';
  const ask = (origin: string) => make()(request(echo, { headers: { ...headersFor(echo), origin } }, local));
  expect((await ask('http://localhost:5173')).status).toBe(200);
  expect((await ask('https://evil.example')).status).toBe(403);
});

test('[C01] a preflight is answered with what pages need', async () => {
  const origin = 'https://mcp.example.com';
  const response = await make({ authenticate: () => ({ status: 401 }) })(
    new Request(URL, { method: 'OPTIONS', headers: { origin, 'access-control-request-headers': 'mcp-param-x' } }),
  );
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  expect(response.headers.get('access-control-allow-headers')).toContain('mcp-param-x');
});

test('the path is checked where one is given', async () => {
  const serving = make({ path: '/mcp' });
  expect((await serving(request(echo))).status).toBe(200);
  expect((await serving(request(echo, {}, `${URL}/?x=1`))).status).toBe(200);
  expect((await serving(request(echo, {}, `${URL}/other`))).status).toBe(404);
});

test('[HTTP-16] a notification before the result makes a stream', async () => {
  const serving = make();
  stub.tools.set('busy', (_, io) => {
    io.notify(progress(1));
    io.notify(progress(2));
    return text('done');
  });
  const response = await serving(request(call('busy')));
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  expect(messagesOf(await response.text()).map((m) => m.params?.progress ?? m.id)).toEqual([1, 2, 1]);
});

test('a reader that takes its time gets less progress and the whole result', async () => {
  const serving = make({ limits: { maxBufferedLength: 1_000 } });
  stub.tools.set('flood', (_, io) => {
    for (let i = 1; i <= 1_000; i++) io.notify(progress(i, 'x'.repeat(100)));
    return text('done');
  });
  const messages = messagesOf(await (await serving(request(call('flood')))).text());
  expect(messages.length).toBeLessThan(20);
  expect(messages.at(-2).params.progress).toBe(1_000);
  expect(messages.at(-1).result.content[0].text).toBe('done');
});

test('notifications that find no room are dropped with a warning', async () => {
  const serving = make({ limits: { maxBufferedLength: 0, maxWaitingNotifications: 1 } });
  stub.tools.set('chatty', (_, io) => {
    for (let i = 0; i < 5; i++) io.notify({ method: 'notifications/message', params: { level: 'info', data: i } });
    return text('done');
  });
  const messages = messagesOf(await (await serving(request(call('chatty')))).text());
  expect(messages.map((m) => m.params?.data ?? 'result')).toEqual([0, 1, 2, 'result']);
  expect(stub.warnings).toMatchObject([{ code: 'SLOW_READER', message: expect.stringContaining('2 notifications') }]);
});

test('[HTTP-28] a reader that cancels the stream aborts the call', async () => {
  const serving = make();
  let signal: AbortSignal | undefined;
  stub.tools.set('slow', (_, io) => {
    io.notify(progress(1));
    signal = io.signal;
    return new Promise(() => {});
  });
  const response = await serving(request(call('slow')));
  await response.body?.cancel();
  expect(signal?.aborted).toBe(true);
});

test('[HTTP-28] a request that is aborted before its answer aborts the call, and whoever waits is let go', async () => {
  const serving = make();
  const controller = new AbortController();
  let signal: AbortSignal | undefined;
  stub.tools.set('slow', (_, io) => {
    signal = io.signal;
    controller.abort();
    return new Promise(() => {});
  });
  const response = await serving(request(call('slow'), { signal: controller.signal }));
  expect(response.status).toBe(499);
  expect(signal?.aborted).toBe(true);
});

test('a body that breaks off lets go of whoever waits', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.error(new Error('reset'));
    },
  });
  const response = await make()(request(echo, { body, duplex: 'half' } as RequestInit));
  expect(response.status).toBe(499);
});

test('[SUBS-13] a listen stream: acknowledgement, changes, and a result when the handler closes', async () => {
  const serving = make();
  const response = await serving(request(listen({ toolsListChanged: true }, 0)));
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const next = async () => messagesOf(new TextDecoder().decode((await reader.read()).value))[0];
  expect((await next()).method).toBe('notifications/subscriptions/acknowledged');
  stub.subscriptions.publish({ kind: 'tools' });
  expect((await next()).params._meta['io.modelcontextprotocol/subscriptionId']).toBe(0);
  const closed = serving.close();
  expect(await next()).toMatchObject({ id: 0, result: { resultType: 'complete' } });
  expect((await reader.read()).done).toBe(true);
  await closed;
  expect((await serving(request(echo))).status).toBe(503);
  expect(stub.subscriptions.size).toBe(0);
});

test('close breaks off after its grace', async () => {
  const serving = make();
  stub.tools.set('slow', (_, io) => {
    io.notify(progress(1));
    return new Promise(() => {});
  });
  const response = await serving(request(call('slow')));
  await serving.close(5);
  await expect(response.text()).rejects.toThrow('broken off');
});

test('a request that is answered leaves no listener on its signal', async () => {
  const controller = new AbortController();
  const asked = request(echo, { signal: controller.signal });
  const added = vi.spyOn(asked.signal, 'addEventListener');
  const removed = vi.spyOn(asked.signal, 'removeEventListener');
  await make()(asked);
  expect(added).toHaveBeenCalledTimes(1);
  expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
});

test('[HTTP-28] a request that was aborted before it came is not carried out', async () => {
  const handle = make();
  const called = vi.fn(() => text('done'));
  stub.tools.set('act', called);
  const response = await handle(request(call('act'), { signal: AbortSignal.abort() }));
  expect(response.status).toBe(499);
  await handle.close();
  expect(called).not.toHaveBeenCalled();
});

test.each([
  ['read', (own: Request) => own.text()],
  ['locked', async (own: Request) => void own.body?.getReader()],
])('a body that something else has %s is a fault that is told', async (_, take) => {
  const handle = make();
  const own = request(echo);
  await take(own);
  const response = await handle(own);
  expect([response.status, (await response.json()).error.code]).toEqual([500, -32603]);
  expect(String(stub.errors)).toContain('has read the body');
});

test('nesting without end is refused; the handler resolves all the same', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const response = await make()(request(echo, { body: `{"jsonrpc":"2.0","id":1,"method":"x","params":${deep}}` }));
  expect([response.status, (await response.json()).error.code]).toEqual([400, -32600]);
});

test('an authenticator sees the path with its query, and one that never answers is broken off by close', async () => {
  let target = '';
  const handle = make({
    authenticate: (head) => {
      target = head.target;
      return new Promise(() => {});
    },
  });
  const answer = handle(request(echo, {}, `${URL}?a=b`));
  await vi.waitFor(() => expect(target).toBe('/mcp?a=b'));
  await handle.close(0);
  expect((await answer).status).toBe(499);
});

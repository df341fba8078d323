import { type CacheableResult, type McpError, MetaKey, type Request, type Result } from '@dragoman/protocol';
import { describe, expect, test, vi } from 'vitest';
import { asking, call, quietServer, recordingIO, requestOf, textOf } from './testing.ts';

const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;

/** A server that offers everything, without a word about caching. */
function full() {
  const server = quietServer();
  server.tool('say', {}, () => 'said');
  server.tool('nothing', {}, () => undefined);
  server.tool('fail', {}, () => {
    throw new Error('The file is gone');
  });
  server.tool('typed', {}, () => ({ structured: { a: 1 }, resultType: 'complete' }));
  server.tool('ask', {}, async (_args, ctx) =>
    String((await ctx.elicit('who', { message: 'Who?', schema: name })).name),
  );
  server.resource('x://r', { name: 'r' }, () => 'r');
  server.resource('x://ask', { name: 'ask' }, async (_uri, ctx) => {
    await ctx.roots();
    return 'asked';
  });
  server.resourceTemplate('y://{z}', { name: 't', complete: { z: ['a'] } }, () => 't');
  server.prompt('p', { arguments: [{ name: 'a' }], complete: { a: ['b'] } }, () => 'p');
  server.prompt('ask', {}, async (_args, ctx) => {
    await ctx.elicitUrl('page', { message: 'Go', url: 'https://x.example/' });
    return 'asked';
  });
  return server;
}

const complete: Request[] = [
  requestOf('server/discover'),
  requestOf('tools/list'),
  requestOf('tools/call', { name: 'say' }),
  requestOf('tools/call', { name: 'nothing' }),
  requestOf('tools/call', { name: 'fail' }),
  requestOf('tools/call', { name: 'typed' }),
  requestOf('prompts/list'),
  requestOf('prompts/get', { name: 'p' }),
  requestOf('resources/list'),
  requestOf('resources/templates/list'),
  requestOf('resources/read', { uri: 'x://r' }),
  requestOf('completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }),
  // Ends at once: nothing of it is honoured.
  requestOf('subscriptions/listen', { notifications: {} }),
];
const required: Request[] = [
  requestOf('tools/call', { name: 'ask' }),
  requestOf('prompts/get', { name: 'ask' }),
  requestOf('resources/read', { uri: 'x://ask' }),
];
const titleOf = ({ method, params }: Request): string => `${method} ${String(params.name ?? params.uri ?? '')}`.trim();
const named = (requests: readonly Request[]) => requests.map((request) => [titleOf(request), request] as const);

describe('[RT-01] [RT-02] every result says what it is', () => {
  const server = full();

  test.each(named(complete))('%s: complete', async (_, request) => {
    expect((await server.exchange(request, recordingIO())).resultType).toBe('complete');
  });

  test.each(named(required))('%s: input_required', async (_, request) => {
    expect((await server.exchange(request, recordingIO())).resultType).toBe('input_required');
  });

  test('a listen stream that the server ends: complete', async () => {
    const ended = server.exchange(
      requestOf('subscriptions/listen', { notifications: { toolsListChanged: true } }),
      recordingIO(),
    );
    await server.close();
    expect((await ended).resultType).toBe('complete');
  });
});

describe('[CACHE-01] [CACHE-02] [CACHE-03] [T070] [T071] hints of caching', () => {
  const cacheable = [
    'server/discover',
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'resources/read',
  ];
  const server = full();
  const hintsOf = ({ ttlMs, cacheScope }: Result & Partial<CacheableResult>) => ({ ttlMs, cacheScope });

  test.each(named(complete))('%s', async (_, request) => {
    const hints = hintsOf(await server.exchange(request, recordingIO()));
    expect(hints).toEqual(
      cacheable.includes(request.method)
        ? { ttlMs: 0, cacheScope: 'private' }
        : { ttlMs: undefined, cacheScope: undefined },
    );
  });

  test.each(named(required))('%s: none while it asks', async (_, request) => {
    expect(hintsOf(await server.exchange(request, recordingIO()))).toEqual({ ttlMs: undefined, cacheScope: undefined });
  });
});

test('[LOG-08] [LOG-02] the server itself logs nothing to a client, whatever level was asked for', async () => {
  const server = full();
  server.tool('broken', { output: name }, () => ({ structured: { name: 5 as never } }));
  for (const request of [...complete, requestOf('tools/call', { name: 'broken' })]) {
    const io = recordingIO();
    const params = { ...request.params, _meta: { ...request.params._meta, [MetaKey.logLevel]: 'debug' as const } };
    await server.exchange({ ...request, params }, io).catch(() => {});
    expect(io.sent.filter(({ method }) => method === 'notifications/message')).toEqual([]);
  }
});

test('[TOOL-41] [LOG-08] of what goes wrong inside, a client is told no more than the handler’s own words', async () => {
  const server = full();
  server.tool('broken', { output: name }, () => ({ structured: { path: '/srv/secret.key' } }) as never);
  server.tool('odd', {}, () => ({ password: 'hunter2' }) as never);
  expect(textOf(await call(server, 'fail'))).toBe('The file is gone');
  for (const tool of ['broken', 'odd']) {
    const failure = await call(server, tool).then(
      () => expect.fail('was sent'),
      (error: McpError) => error,
    );
    expect(failure.toObject()).toEqual({ code: -32603, message: 'Internal error' });
    expect(String(server.errors.at(-1))).toContain(tool);
  }
});

test('[META-20] [META-21] what stands at reserved keys is read as documented or not at all', async () => {
  const server = full();
  server.tool('meta', {}, (_args, ctx) =>
    JSON.stringify([ctx.client.info ?? null, ctx.meta['io.modelcontextprotocol/later']]),
  );
  const odd = {
    'io.modelcontextprotocol/later': { any: ['thing'] },
    'io.modelcontextprotocol/serverInfo': 7,
    'io.modelcontextprotocol/subscriptionId': {},
    'io.modelcontextprotocol/clientInfo': 'somebody',
    traceparent: 5,
    'com.mcp.tools/x': null,
  };
  const result = await call(server, 'meta', undefined, { meta: odd });
  expect(JSON.parse(textOf(result))).toEqual([null, { any: ['thing'] }]);
  expect(result._meta).toEqual({ [MetaKey.serverInfo]: { name: 'test', version: '1.2.3' } });
});

test('[MRTR-17] nothing waits for an answer that may never come', async () => {
  vi.useFakeTimers();
  try {
    const server = full();
    let running = 0;
    server.use((next) => async (request, io) => {
      running++;
      try {
        return await next(request, io);
      } finally {
        running--;
      }
    });
    const questions = await Promise.all(Array.from({ length: 100 }, () => call(server, 'ask')));
    expect([running, vi.getTimerCount()]).toEqual([0, 0]);
    // Whoever does come back is served, whoever calls anew is asked anew.
    const { requestState } = asking(questions[7] as Result);
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
    expect(textOf(await call(server, 'ask', undefined, { requestState, inputResponses }))).toBe('Ada');
    expect((await call(server, 'ask')).resultType).toBe('input_required');
  } finally {
    vi.useRealTimers();
  }
});

test('[T047] [ELIC-22] that a user agreed to go to a page does not say that it is done: the handler may ask until it is', async () => {
  const server = quietServer();
  let paid = false;
  server.tool('pay', {}, async (_args, ctx) => {
    await ctx.elicitUrl('page', { message: 'Please pay', url: 'https://pay.example/1' });
    if (!paid) await ctx.elicitUrl('again', { message: 'Not paid yet', url: 'https://pay.example/1' });
    return paid ? 'paid' : 'not paid';
  });
  const accept = { action: 'accept' };
  const first = asking(await call(server, 'pay'));
  const second = asking(
    await call(server, 'pay', undefined, { requestState: first.requestState, inputResponses: { page: accept } }),
  );
  expect(Object.keys(second.inputRequests ?? {})).toEqual(['again']);
  paid = true;
  const { requestState } = second;
  expect(textOf(await call(server, 'pay', undefined, { requestState, inputResponses: { again: accept } }))).toBe(
    'paid',
  );
});

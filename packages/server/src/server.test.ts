import { type DiscoverResult, DragomanError, McpError, MetaKey, resultText, type Tool } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import type { ServerOptions } from './options.ts';
import { Server } from './server.ts';
import { call, quietServer, recordingIO, requestOf, textOf } from './testing.ts';

const discover = async (server: Server) =>
  (await server.exchange(requestOf('server/discover'), recordingIO())) as DiscoverResult;

describe('options', () => {
  const cases: [string, object][] = [
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['no version', { version: undefined }],
    ['a version that is a number', { version: 1 }],
    ['no page size', { pageSize: 0 }],
    ['a page size that is no integer', { pageSize: 1.5 }],
    ['an unknown identify', { identify: 'sometimes' }],
    ['a negative ttl', { cache: { tools: { ttlMs: -1 } } }],
    ['an unknown scope', { cache: { discover: { scope: 'all' } } }],
    ['[VER-05] an extension without a prefix', { extensions: { tasks: {} } }],
    ['a lifetime of nothing', { requestState: { ttlMs: 0 } }],
    ['a length that is no number', { requestState: { maxLength: 'x' } }],
    ['a short key', { requestState: { keys: [{ id: 'a', secret: 'short' }] } }],
  ];

  test.each(cases)('%s is refused', (_, wrong) => {
    const make = () => new Server({ name: 'x', version: '1', ...wrong } as ServerOptions);
    expect(make).toThrow(DragomanError);
    expect(make).toThrow(Object.keys(wrong)[0] === 'cache' ? /ttlMs|scope/ : (Object.keys(wrong)[0] as string));
  });

  test('none at all is refused too', () => {
    // @ts-expect-error a server has a name
    expect(() => new Server()).toThrow('name');
  });
});

describe('[DISC-01] server/discover', () => {
  test('[DISC-04] [DISC-05] [T033] of a server that offers nothing', async () => {
    expect(await discover(quietServer())).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { logging: {} },
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [MetaKey.serverInfo]: { name: 'test', version: '1.2.3' } },
    });
  });

  test('[TOOL-01] [RES-01] [PRM-01] [COMP-01] [EXT-05] [HOST-08] [DISC-08] of one that offers everything', async () => {
    const server = quietServer({
      instructions: 'Be kind',
      cache: { discover: { ttlMs: 60_000, scope: 'public' } },
      extensions: { 'com.example/x': { on: true } },
      experimental: { odd: {} },
      title: 'Test',
    });
    server.tool('t', {}, () => 'x');
    server.prompt('p', { arguments: [{ name: 'a' }], complete: { a: [] } }, () => 'x');
    server.resource('a://1', { name: '1' }, () => 'x');
    expect(await discover(server)).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      instructions: 'Be kind',
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
        extensions: { 'com.example/x': { on: true } },
        experimental: { odd: {} },
      },
      ttlMs: 60_000,
      cacheScope: 'public',
      _meta: { [MetaKey.serverInfo]: { name: 'test', version: '1.2.3', title: 'Test' } },
    });
  });

  test('[RES-02] what cannot be listened for is not declared', async () => {
    const server = quietServer({ listChanged: false, subscribe: false, logging: false });
    server.tool('t', {}, () => 'x');
    server.prompt('p', {}, () => 'x');
    server.resourceTemplate('a://{x}', { name: 'x' }, () => 'x');
    expect((await discover(server)).capabilities).toEqual({ tools: {}, prompts: {}, resources: {} });
  });

  test('is made and serialised once per state', async () => {
    const server = quietServer();
    const first = await discover(server);
    expect(await discover(server)).toBe(first);
    expect(resultText(first)).toBe(JSON.stringify(first));
    server.tool('t', {}, () => 'x');
    expect((await discover(server)).capabilities).toHaveProperty('tools');
  });
});

describe('[META-10] identify', () => {
  const named = async (identify: 'always' | 'discover' | 'never') => {
    const server = quietServer({ identify });
    server.tool('t', {}, () => 'x');
    server.tool('meta', {}, () => ({ text: 'x', _meta: { own: 1 } }));
    const results = [
      await discover(server),
      await server.exchange(requestOf('tools/list'), recordingIO()),
      await call(server, 't'),
      await call(server, 'meta'),
    ];
    return results.map(({ _meta }) => _meta);
  };
  const info = { [MetaKey.serverInfo]: { name: 'test', version: '1.2.3' } };

  test('every result, the first, or none', async () => {
    expect(await named('always')).toEqual([info, info, info, { ...info, own: 1 }]);
    expect(await named('discover')).toEqual([info, undefined, undefined, { own: 1 }]);
    expect(await named('never')).toEqual([undefined, undefined, undefined, { own: 1 }]);
  });
});

test('a thousand tools are listed as one text that is made once', async () => {
  const server = quietServer();
  for (let at = 0; at < 1000; at++) server.tool(`tool_${at}`, { description: 'd' }, () => 'x');
  const page = await server.exchange(requestOf('tools/list'), recordingIO());
  expect(page.tools as Tool[]).toHaveLength(1000);
  expect(page).not.toHaveProperty('nextCursor');
  expect(await server.exchange(requestOf('tools/list'), recordingIO())).toBe(page);
  expect(resultText(page)).toBe(resultText(page));
});

test('middleware goes round every answer, the first one outermost, until it is taken out', async () => {
  const server = quietServer();
  server.tool('t', {}, () => 'x');
  const order: string[] = [];
  const passing = (name: string) =>
    server.use((next) => async (request, io) => {
      order.push(`${name} ${request.method}`);
      return { ...(await next(request, io)), [name]: true };
    });
  const remove = passing('outer');
  passing('inner');
  expect(await call(server, 't')).toMatchObject({ inner: true, outer: true });
  expect(order).toEqual(['outer tools/call', 'inner tools/call']);
  await expect(server.exchange(requestOf('no/such'), recordingIO())).rejects.toHaveProperty('code', -32601);
  expect(order).toHaveLength(2);
  remove();
  remove();
  expect(await call(server, 't')).not.toHaveProperty('outer');
  expect(order.slice(2)).toEqual(['inner tools/call']);
});

test('[J03] [K03] notifications are heard without a word', () => {
  const server = quietServer();
  for (const method of ['notifications/initialized', 'initialized', 'notifications/unknown']) {
    expect(server.receive({ method })).toBeUndefined();
  }
  expect(server.warnings).toEqual([]);
});

test('[SUBS-13] [META-10] closing ends listen streams with a result, and only those', async () => {
  const server = quietServer();
  server.tool('t', {}, () => 'x');
  const io = recordingIO();
  const stream = server.exchange(requestOf('subscriptions/listen', { notifications: { toolsListChanged: true } }), io);
  server.close();
  server.close();
  expect(await stream).toEqual({
    resultType: 'complete',
    _meta: { [MetaKey.serverInfo]: { name: 'test', version: '1.2.3' } },
  });
  expect(io.sent[0]?.method).toBe('notifications/subscriptions/acknowledged');
  expect(textOf(await call(server, 't'))).toBe('x');
});

test('a method that a wire let through is refused all the same', async () => {
  await expect(quietServer().dispatch(requestOf('no/such'), recordingIO())).rejects.toHaveProperty('code', -32601);
});

test('key rings can be put in place while it runs', async () => {
  const server = quietServer();
  server.useStateKeys([{ id: 'k', secret: 'x'.repeat(32) }]);
  server.tool('ask', {}, async (_args, ctx) => void (await ctx.roots()));
  const { requestState } = await call(server, 'ask');
  expect(requestState).toMatch(/^1\.k\./);
  expect(server.warnings).toEqual([]);
  expect(() => server.useStateKeys([])).toThrow(DragomanError);
});

test('a bus that fails is reported and stops nothing', async () => {
  const bus = {
    publish: () => {
      throw new Error('bus down');
    },
    subscribe: () => () => {},
  };
  const server = quietServer({ bus });
  server.tool('t', {}, () => 'x');
  await new Promise((resolve) => setImmediate(resolve));
  expect(server.errors).toHaveLength(1);
  expect(textOf(await call(server, 't'))).toBe('x');
});

describe('hooks', () => {
  test('one that throws disturbs nothing', async () => {
    const printed: unknown[] = [];
    const original = console.error;
    console.error = (...words: unknown[]) => printed.push(words);
    try {
      const fail = () => {
        throw new Error('hook');
      };
      const server = quietServer({ onError: fail, onWarning: fail });
      server.tool('odd name', {}, () => {
        throw new Error('tool');
      });
      expect(await call(server, 'odd name')).toMatchObject({ isError: true });
      expect(printed).toHaveLength(2);
    } finally {
      console.error = original;
    }
  });

  test('by default they print to standard error, never to standard output', async () => {
    const printed: string[] = [];
    const original = console.error;
    console.error = (...words: unknown[]) => printed.push(words.map(String).join(' '));
    try {
      const server = new Server({ name: 'x', version: '1' });
      server.tool('odd name', {}, () => {
        throw new Error('broken');
      });
      await call(server, 'odd name');
      const publish = () => {
        throw new Error('down');
      };
      new Server({ name: 'x', version: '1', bus: { publish, subscribe: () => () => {} } }).changed.tools();
      await Promise.resolve();
      expect(printed[2]).toBe('MCP server: Error: down');
      expect(printed[0]).toContain('TOOL_NAME');
      expect(printed[1]).toBe('MCP server, tools/call "odd name": Error: broken');
    } finally {
      console.error = original;
    }
  });
});

describe('a middleware', () => {
  const io = () => recordingIO();
  const call = requestOf('tools/call', { name: 'it' });
  const make = () => {
    const server = quietServer();
    server.tool('it', {}, () => 'done');
    return server;
  };

  test('that throws at once refuses the call as one that rejects does', async () => {
    const server = make();
    server.use(() => () => {
      throw new McpError(-1, 'not today');
    });
    await expect(server.exchange(call, io())).rejects.toMatchObject({ code: -1 });
  });

  test('that returns no promise answers with what it returns', async () => {
    const server = make();
    server.use((() => () => ({ resultType: 'complete', content: [] })) as never);
    expect(await server.exchange(call, io())).toEqual({ resultType: 'complete', content: [] });
  });

  test('that cannot be put in is not in', async () => {
    const server = make();
    const broken = (): never => {
      throw new Error('broken');
    };
    expect(() => server.use(broken)).toThrow('broken');
    server.use((next) => next);
    expect(await server.exchange(call, io())).toMatchObject({ content: [{ text: 'done' }] });
  });
});

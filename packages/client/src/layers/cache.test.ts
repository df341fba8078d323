import { type JsonObject, McpError, type Request, type Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { ManualClock, settled } from '../../test/support/manual-clock.ts';
import { type Answering, ScriptedWire } from '../../test/support/scripted-wire.ts';
import { Client } from '../client.ts';
import type { Warning } from '../events.ts';
import type { CallOptions, ClientOptions } from '../options.ts';
import { type CacheEntry, type CacheInfo, MemoryCache } from './cache-store.ts';
import { ToolIndex } from './tool-index.ts';

interface Given extends ClientOptions {
  identity?: string;
  hints?: JsonObject;
  answering?: Answering;
}

/** A server whose every answer says how many there were before. */
function setUp({
  identity = 'one',
  hints = { ttlMs: 1_000, cacheScope: 'public' },
  answering,
  ...options
}: Given = {}) {
  const clock = options.clock instanceof ManualClock ? options.clock : new ManualClock();
  const warnings: Warning[] = [];
  const tools = new ToolIndex();
  let count = 0;
  const answer: Answering = ({ method }: Request): Result => ({
    resultType: 'complete',
    n: ++count,
    tools: [{ name: 't', inputSchema: { type: 'object' } }],
    prompts: [],
    resources: [],
    resourceTemplates: [],
    contents: [],
    content: [],
    supportedVersions: [method],
    capabilities: {},
    completion: { values: [] },
    ...hints,
  });
  const wire = new ScriptedWire(answering ?? answer, 'http', identity);
  const client = new Client(
    wire,
    { clock, era: 'modern', onWarning: (warning) => warnings.push(warning), ...options },
    tools,
  );
  const read = async (uri = 'a:b', callOptions?: CallOptions) => (await client.readResource(uri, callOptions)).n;
  const list = async (callOptions?: CallOptions) => (await client.listTools({}, callOptions)).n;
  return { client, wire, clock, warnings, tools, read, list };
}

const infoOf = async (call: (options: CallOptions) => Promise<unknown>, options?: CallOptions) => {
  let info: CacheInfo | undefined;
  let requests = -1;
  await call({
    ...options,
    onReply: (reply) => {
      info = reply.cache;
      requests = reply.requests;
    },
  });
  return { ...info, requests };
};

describe('freshness', () => {
  test('[CACHE-05][CACHE-07] a result is kept for its ttlMs by this clock, and asked for again then', async () => {
    const { clock, wire, read } = setUp();
    expect([await read(), await read()]).toEqual([1, 1]);
    await clock.advance(999);
    expect(await read()).toBe(1);
    await clock.advance(1);
    expect([await read(), await read()]).toEqual([2, 2]);
    expect(wire.methods).toHaveLength(2);
  });

  test('[CACHE-09][CACHE-08] nothing is asked for unasked', async () => {
    const { clock, wire, read } = setUp();
    await read();
    expect(clock.pending).toBe(0);
    await clock.advance(1e6);
    expect(wire.methods).toHaveLength(1);
  });

  test.each([0, -1, undefined, null, '1000', Number.NaN])(
    '[CACHE-04][CACHE-06] a ttlMs of %j is stale at once',
    async (ttlMs) => {
      const { read } = setUp({ hints: { ttlMs, cacheScope: 'public' } });
      expect([await read(), await read()]).toEqual([1, 2]);
    },
  );

  test('a clock that was set back makes nothing fresh', async () => {
    const store = new MemoryCache();
    const { clock, read, client } = setUp({ cache: store });
    await clock.advance(10_000);
    await read();
    const behind = setUp({ cache: store, clock: new ManualClock() });
    expect(await behind.read()).toBe(1);
    expect(behind.wire.methods).toHaveLength(1);
    await client.close();
  });

  test('what is handed out twice is not the same object', async () => {
    const { client } = setUp();
    const first = await client.readResource('a:b');
    first.n = 99;
    const second = await client.readResource('a:b');
    second.n = 77;
    expect((await client.readResource('a:b')).n).toBe(1);
  });
});

describe('what is kept', () => {
  test('[P46] exactly the results that the method table calls cacheable', async () => {
    const { client, wire } = setUp();
    const calls: [string, () => Promise<unknown>][] = [
      ['server/discover', () => client.discover()],
      ['tools/list', () => client.listTools()],
      ['prompts/list', () => client.listPrompts()],
      ['resources/list', () => client.listResources()],
      ['resources/templates/list', () => client.listResourceTemplates()],
      ['resources/read', () => client.readResource('a:b')],
    ];
    for (const [, call] of [...calls, ...calls]) await call();
    expect(wire.methods).toEqual(calls.map(([method]) => method));
    for (const call of [
      () => client.callTool('t'),
      () => client.getPrompt('p'),
      () => client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }),
    ]) {
      const before = wire.methods.length;
      await call();
      await call();
      expect(wire.methods.length).toBe(before + 2);
    }
  });

  test('[CACHE-12][RES-26][B01] not for other parameters, to the byte', async () => {
    const { read, client, wire } = setUp();
    const uris = ['a:b', 'a:B', 'a:%62', 'a:b/'];
    for (const uri of [...uris, ...uris]) await read(uri);
    expect(wire.seen.map(({ params }) => params.uri)).toEqual(uris);
    await client.listTools({});
    await client.listTools({ cursor: '' });
    await client.listTools({ cursor: '' });
    expect(wire.methods).toHaveLength(6);
  });

  test('[CACHE-13][T068] not for requests that carry answers or a state', async () => {
    const { read } = setUp();
    expect(await read('a:b', { requestState: 's' })).toBe(1);
    expect(await read('a:b', { inputResponses: {} })).toBe(2);
    expect(await read('a:b')).toBe(3);
    expect(await read('a:b', { requestState: '' })).toBe(4);
    expect(await read('a:b')).toBe(3);
    // Not even for the very same ones.
    expect(await read('a:b', { requestState: 's' })).toBe(5);
    expect(await read('a:b', { inputResponses: {} })).toBe(6);
  });

  test('[CACHE-13] not after questions were answered, though the call itself carried nothing', async () => {
    let n = 0;
    const { read, wire } = setUp({
      handlers: { roots: [] },
      answering: ({ params }) =>
        params.inputResponses === undefined
          ? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } }
          : { resultType: 'complete', contents: [], n: ++n, ttlMs: 1e6, cacheScope: 'public' },
    });
    expect([await read(), await read()]).toEqual([1, 2]);
    expect(wire.methods).toHaveLength(4);
  });

  test('[MRTR-37][T070] not a question', async () => {
    const asking = { resultType: 'input_required', requestState: 's', ttlMs: 1e6, cacheScope: 'public' };
    const { client, wire } = setUp({ answering: () => asking });
    await client.readResource('a:b', { onInputRequired: 'return' });
    await client.readResource('a:b', { onInputRequired: 'return' });
    expect(wire.methods).toHaveLength(2);
  });

  test('[CACHE-26] lists as they were handed out, bad items left out', async () => {
    const tools = [null, { name: 'good', inputSchema: { type: 'object' } }];
    const { client, warnings } = setUp({ answering: () => ({ resultType: 'complete', tools, ttlMs: 1e6 }) });
    expect((await client.listTools()).tools).toHaveLength(1);
    expect((await client.listTools()).tools).toHaveLength(1);
    expect(warnings).toHaveLength(1);
  });

  test('members of _meta that the result may depend on make a difference, traces and tokens do not', async () => {
    const { read } = setUp();
    expect(await read()).toBe(1);
    expect(await read('a:b', { meta: { traceparent: 'x', progressToken: 7 }, logLevel: 'debug' })).toBe(1);
    expect(await read('a:b', { meta: { 'com.example/tenant': 'x' } })).toBe(2);
    expect(await read('a:b', { meta: { 'com.example/tenant': 'y' } })).toBe(3);
    expect(await read('a:b', { meta: { 'com.example/tenant': 'x' } })).toBe(2);
  });
});

describe('who may have it', () => {
  test('[CACHE-25] not clients of another server, or with other capabilities', async () => {
    const cache = new MemoryCache();
    expect(await setUp({ cache }).read()).toBe(1);
    expect(await setUp({ cache }).wire.methods).toHaveLength(0);
    const other = setUp({ cache, identity: 'two' });
    await other.read();
    expect(other.wire.methods).toHaveLength(1);
    const able = setUp({ cache, handlers: { roots: [] } });
    await able.read();
    expect(able.wire.methods).toHaveLength(1);
    const same = setUp({ cache });
    await same.read();
    expect(same.wire.methods).toHaveLength(0);
  });

  test.each(['private', undefined, 'shared'])(
    '[CACHE-15][CACHE-16][T069] %s: only who has the same credentials',
    async (cacheScope) => {
      const cache = new MemoryCache();
      const hints = { ttlMs: 1e6, cacheScope };
      await setUp({ cache, hints, credential: 'alice' }).read();
      const bob = setUp({ cache, hints, credential: 'bob' });
      await bob.read();
      expect(bob.wire.methods).toHaveLength(1);
      const nobody = setUp({ cache, hints });
      await nobody.read();
      expect(nobody.wire.methods).toHaveLength(1);
      const alice = setUp({ cache, hints, credential: 'alice' });
      await alice.read();
      expect(alice.wire.methods).toHaveLength(0);
    },
  );

  test('[CACHE-14] public: everybody', async () => {
    const cache = new MemoryCache();
    await setUp({ cache, credential: 'alice' }).read();
    const bob = setUp({ cache, credential: 'bob' });
    await bob.read();
    expect(bob.wire.methods).toHaveLength(0);
  });

  test('the newer of a public and a private one', async () => {
    let scope = 'public';
    const clock = new ManualClock();
    const { read } = setUp({
      clock,
      answering: (() => {
        let n = 0;
        return () => ({ resultType: 'complete', contents: [], n: ++n, ttlMs: 1e6, cacheScope: scope });
      })(),
    });
    await read();
    await clock.advance(1);
    scope = 'private';
    await read('a:b', { cache: 'refresh' });
    expect(await read()).toBe(2);
    await clock.advance(1);
    scope = 'public';
    await read('a:b', { cache: 'refresh' });
    expect(await read()).toBe(3);
  });
});

describe('the caller’s say', () => {
  test('only asks nobody, for whatever is not kept and fresh', async () => {
    const { client, wire, clock, read } = setUp();
    const only = { cache: 'only' } as const;
    await expect(read('a:b', only)).rejects.toMatchObject({ code: 'NOT_CACHED' });
    await expect(client.callTool('t', {}, only)).rejects.toMatchObject({ code: 'NOT_CACHED' });
    await expect(client.listAllTools(only)).rejects.toMatchObject({ code: 'NOT_CACHED' });
    const sent = wire.seen.length;
    expect(await read()).toBe(1);
    expect(await read('a:b', only)).toBe(1);
    expect(wire.seen.length).toBe(sent + 1);
    await clock.advance(1_000);
    await expect(read('a:b', only)).rejects.toMatchObject({ code: 'NOT_CACHED' });
    const bare = setUp({ cache: false });
    await expect(bare.read('a:b', only)).rejects.toMatchObject({ code: 'NOT_CACHED' });
    expect([sent, bare.wire.seen.length]).toEqual([0, 0]);
  });

  test('bypass neither reads nor keeps, refresh keeps', async () => {
    const { read } = setUp();
    expect(await read('a:b', { cache: 'bypass' })).toBe(1);
    expect(await read()).toBe(2);
    expect(await read('a:b', { cache: 'bypass' })).toBe(3);
    expect(await read()).toBe(2);
    expect(await read('a:b', { cache: 'refresh' })).toBe(4);
    expect(await read()).toBe(4);
  });

  test('a refresh that may not be kept drops what was', async () => {
    let ttlMs = 1e6;
    let n = 0;
    const { read } = setUp({
      answering: () => ({ resultType: 'complete', contents: [], n: ++n, ttlMs, cacheScope: 'public' }),
    });
    await read();
    ttlMs = 0;
    await read('a:b', { cache: 'refresh' });
    expect(await read()).toBe(3);
  });

  test('clear drops one method, or all', async () => {
    const { client, read, list } = setUp();
    await read();
    await list();
    await client.cache.clear('tools/list');
    expect([await read(), await list()]).toEqual([1, 3]);
    await client.cache.clear();
    expect([await read(), await list()]).toEqual([4, 5]);
  });

  test('false keeps nothing', async () => {
    const { read, client } = setUp({ cache: false });
    expect([await read(), await read()]).toEqual([1, 2]);
    await client.cache.clear();
    expect(await infoOf((options) => read('a:b', options))).toEqual({ requests: 1 });
  });

  test('is told what came of it', async () => {
    const { clock, read, client } = setUp();
    const call = (options: CallOptions) => read('a:b', options);
    expect(await infoOf(call)).toEqual({ status: 'miss', ageMs: 0, ttlMs: 1_000, scope: 'public', requests: 1 });
    await clock.advance(300);
    expect(await infoOf(call)).toEqual({ status: 'hit', ageMs: 300, ttlMs: 1_000, scope: 'public', requests: 0 });
    expect(await infoOf(call, { cache: 'refresh' })).toMatchObject({ status: 'refresh', requests: 1 });
    expect(await infoOf(call, { cache: 'bypass' })).toMatchObject({ status: 'bypass', requests: 1 });
    expect(await infoOf((options) => client.callTool('t', {}, options))).toEqual({ requests: 1 });
  });
});

describe('changes', () => {
  test('a result that was under way when its kind was dropped is not kept', async () => {
    let release: () => void = () => {};
    let n = 0;
    const { client, list } = setUp({
      answering: async () => {
        const mine = ++n;
        if (mine === 1) await new Promise<void>((resolve) => (release = resolve));
        return { resultType: 'complete', tools: [], n: mine, ttlMs: 1e6, cacheScope: 'public' };
      },
    });
    const slow = list();
    await settled();
    await client.cache.clear('tools/list');
    release();
    expect(await slow).toBe(1);
    expect(await list()).toBe(2);
    expect(await list()).toBe(2);
  });

  test('[CACHE-23] a cursor that is not known any more drops every page', async () => {
    let n = 0;
    const { client } = setUp({
      answering: ({ params }) => {
        if (params.cursor === 'gone') throw new McpError(-32602, 'Invalid cursor');
        return { resultType: 'complete', tools: [], n: ++n, ttlMs: 1e6, cacheScope: 'public' };
      },
    });
    await client.listTools();
    await client.listTools({ cursor: '2' });
    await expect(client.listTools({ cursor: 'gone' })).rejects.toMatchObject({ code: -32602 });
    expect((await client.listTools()).n).toBe(3);
    await expect(client.readResource('x:y', { cache: 'bypass' })).resolves.toBeDefined();
  });
});

describe('the store', () => {
  test('may be slow, and outlive the process', async () => {
    const disk = new Map<string, string>();
    const cache = {
      get: async (key: string) => {
        await settled();
        const text = disk.get(key);
        return text === undefined ? undefined : (JSON.parse(text) as CacheEntry);
      },
      set: async (key: string, entry: CacheEntry) => void disk.set(key, JSON.stringify(entry)),
      clear: async (prefix: string) => {
        for (const key of disk.keys()) if (key.startsWith(prefix)) disk.delete(key);
      },
    };
    expect(await setUp({ cache }).list()).toBe(1);
    const next = setUp({ cache });
    expect(await next.list()).toBe(1);
    expect(next.wire.methods).toEqual([]);
    // What another process listed is known here too.
    expect(next.tools.get('t')).toBeDefined();
    await next.list();
  });

  test('that fails costs a warning', async () => {
    const broken = () => {
      throw new Error('disk full');
    };
    const { read, warnings, client } = setUp({ cache: { get: broken, set: async () => broken(), clear: broken } });
    expect([await read(), await read()]).toEqual([1, 2]);
    await client.cache.clear();
    expect(new Set(warnings.map(({ kind, message }) => `${kind}: ${message}`))).toEqual(
      new Set(['cache-store: The store of kept results failed: disk full']),
    );
  });

  const entry = (text: string): CacheEntry => ({ text, receivedAt: 0, ttlMs: 1, scope: 'public' });

  test('in memory is bounded by entries, the least recently used goes first', () => {
    const store = new MemoryCache({ maxEntries: 2 });
    store.set('a', entry('1'));
    store.set('b', entry('2'));
    store.get('a');
    store.set('c', entry('3'));
    expect(['a', 'b', 'c'].map((key) => store.get(key)?.text)).toEqual(['1', undefined, '3']);
    expect(store.size).toBe(2);
    store.clear('');
    expect(store.size).toBe(0);
    const none = new MemoryCache({ maxEntries: 0 });
    none.set('a', entry('1'));
    expect(none.size).toBe(0);
  });

  test('in memory is bounded by bytes, keys counted too', () => {
    const store = new MemoryCache({ maxBytes: 40 });
    store.set('a', entry('x'.repeat(9)));
    store.set('b', entry('x'.repeat(9)));
    expect(store.size).toBe(2);
    store.set('a', entry('y'));
    store.set('c', entry('zzzzzzzz'));
    expect(['a', 'b', 'c'].map((key) => store.get(key) !== undefined)).toEqual([true, false, true]);
    store.set('huge', entry('x'.repeat(100)));
    expect(store.get('huge')).toBeUndefined();
    expect(store.size).toBe(2);
    store.clear('a');
    expect(store.size).toBe(1);
  });
});

describe('a store that others write to', () => {
  const now = new ManualClock().now();
  const entry = (more: object) => ({ text: '{}', receivedAt: now, ttlMs: 1e6, scope: 'private', ...more });
  const deep = `{"tools":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

  test.each([
    ['null', null, 0],
    ['a number', 7, 2],
    ['text', 'x', 2],
    ['no times', { text: '{"tools":[]}' }, 2],
    ['times that are text', entry({ text: '{"tools":[]}', receivedAt: '1', ttlMs: '9e99' }), 2],
    ['a time that is no number', entry({ text: '{"tools":[]}', receivedAt: Number.NaN }), 2],
    ['a life that is no number', entry({ text: '{"tools":[]}', ttlMs: Number.NaN }), 2],
    ['what is no JSON', entry({ text: 'x' }), 1],
    ['null as JSON', entry({ text: 'null' }), 1],
    ['a number as JSON', entry({ text: '7' }), 1],
    ['no list', entry({ text: '{}' }), 1],
    ['a list with null', entry({ text: '{"tools":[null]}' }), 1],
    ['questions', entry({ text: '{"resultType":"input_required","tools":[]}' }), 1],
  ])('may hold %s, and the server is asked', async (_what, given, warned) => {
    for (const answer of [given, Promise.resolve(given)]) {
      const { client, warnings } = setUp({
        cache: { get: () => answer as never, set: () => {}, clear: () => {} },
      });
      expect(await client.listTools()).toMatchObject({ n: 1 });
      expect(warnings.map(({ kind }) => kind)).toEqual(Array(warned).fill('cache-store'));
    }
  });

  test('what cannot be written as JSON is not kept, and answers all the same', async () => {
    let asked = 0;
    const { client, warnings } = setUp({
      answering: () => {
        asked += 1;
        return { resultType: 'complete', ttlMs: 1e6, cacheScope: 'public', ...JSON.parse(deep) };
      },
    });
    await client.listTools();
    await client.listTools();
    expect(asked).toBe(2);
    expect(warnings).toEqual([]);
  });

  test.each([1n, JSON.parse(deep)])('parameters that are no JSON are the wire’s to refuse (%#)', async (x) => {
    const { client } = setUp();
    expect(await client.listTools({}, { meta: { x } as never })).toMatchObject({ n: 1 });
    expect(await client.listTools({}, { meta: { x } as never })).toMatchObject({ n: 2 });
  });

  test('that hangs is done without, until it answers', async () => {
    let answer: (entry: undefined) => void = () => {};
    let asked = 0;
    const { client, clock, warnings } = setUp({
      storeTimeout: 100,
      cache: {
        get: () => {
          asked += 1;
          return new Promise((resolve) => {
            answer = resolve;
          });
        },
        set: () => {},
        clear: () => {},
      },
    });
    const first = client.listTools();
    await clock.advance(100);
    expect(await first).toMatchObject({ n: 1 });
    expect(await client.listTools()).toMatchObject({ n: 2 });
    expect(asked).toBe(1);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('storeTimeout')]);
    answer(undefined);
    await settled();
    const third = client.listTools();
    await settled();
    expect(asked).toBe(2);
    await clock.advance(100);
    expect(await third).toMatchObject({ n: 3 });
  });

  test('that could not be told of a change is not believed about what came before', async () => {
    const store = new MemoryCache();
    let broken = false;
    const { client, clock } = setUp({
      hints: { ttlMs: 1e6, cacheScope: 'public' },
      cache: {
        get: (key) => store.get(key),
        set: (key, kept) => store.set(key, kept),
        clear: (prefix) => {
          if (broken) throw new Error('disk full');
          store.clear(prefix);
        },
      },
    });
    expect(await client.listTools()).toMatchObject({ n: 1 });
    expect(await client.listTools()).toMatchObject({ n: 1 });
    broken = true;
    await clock.advance(1);
    await client.cache.clear('tools/list');
    expect(await client.listTools()).toMatchObject({ n: 2 });
    await clock.advance(1);
    expect(await client.listTools({}, { cache: 'refresh' })).toMatchObject({ n: 3 });
    expect(await client.listTools()).toMatchObject({ n: 3 });
  });
});

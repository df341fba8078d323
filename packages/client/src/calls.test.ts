import { type Exchange, McpError, type Result } from '@dragoman/protocol';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { ManualClock, settled } from '../test/support/manual-clock.ts';
import { type Answering, discovery, ScriptedWire, text } from '../test/support/scripted-wire.ts';
import { Client } from './client.ts';
import type { Warning } from './events.ts';
import type { InputRequired } from './input/continuation.ts';
import type { ClientIO } from './io.ts';
import type { CallOptions, ClientOptions, ReplyInfo } from './options.ts';
import { VERSION } from './version.ts';

function setUp(answering: Answering = () => text('ok'), options?: ClientOptions) {
  const warnings: Warning[] = [];
  const wire = new ScriptedWire(answering);
  const client = new Client(wire, { era: 'modern', onWarning: (warning) => warnings.push(warning), ...options });
  return { client, wire, warnings };
}

describe('what a request carries', () => {
  test('[META-01][META-02][META-03][VER-01] version, capabilities and client, always', async () => {
    const { client, wire } = setUp();
    await client.callTool('a');
    await client.discover();
    for (const { meta } of wire.seen) {
      expect(meta).toMatchObject({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'dragoman', version: VERSION },
      });
      expect(meta).not.toHaveProperty('io.modelcontextprotocol/logLevel');
    }
    const named = setUp(undefined, { clientInfo: { name: 'me', version: '2', title: 'Me' } });
    await named.client.callTool('a');
    expect(named.wire.seen[0]?.meta['io.modelcontextprotocol/clientInfo']).toEqual({
      name: 'me',
      version: '2',
      title: 'Me',
    });
  });

  test('[PROG-02] a progress token that no other request bears, except where nothing depends on it', async () => {
    const { client, wire } = setUp();
    await Promise.all([client.callTool('a'), client.callTool('b')]);
    await client.callTool('c', {}, { timeout: Number.POSITIVE_INFINITY });
    await client.callTool('d', {}, { timeout: Number.POSITIVE_INFINITY, onProgress: () => {} });
    await client.callTool('e', {}, { meta: { progressToken: 'mine' } });
    expect(wire.seen.map(({ meta }) => meta.progressToken)).toEqual([1, 2, undefined, 3, 'mine']);
  });

  test('[META-04][LOG-02] a log level where somebody wants logs', async () => {
    const levels = async (options: ClientOptions, call?: CallOptions) => {
      const { client, wire } = setUp(undefined, options);
      await client.callTool('a', {}, call);
      return wire.seen[0]?.meta['io.modelcontextprotocol/logLevel'];
    };
    const onLog = (): void => {};
    expect(await levels({})).toBeUndefined();
    expect(await levels({}, { logLevel: 'debug' })).toBe('debug');
    expect(await levels({}, { onLog })).toBe('info');
    expect(await levels({ logLevel: 'error' })).toBe('error');
    expect(await levels({ logLevel: 'error' }, { onLog })).toBe('error');
    expect(await levels({ logLevel: 'error' }, { onLog, logLevel: 'debug' })).toBe('debug');
  });

  test('[TOOL-21] arguments only where there are any, and members of _meta as they are given', async () => {
    const { client, wire } = setUp();
    await client.callTool('a');
    await client.callTool('a', {}, { meta: { 'com.example/x': { y: 1 }, traceparent: 't' } });
    await client.getPrompt('p');
    await client.getPrompt('p', { a: 'b' });
    await client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: 'v' });
    await client.complete({ type: 'ref/resource', uri: 'a:{b}' }, { name: 'b', value: 'v' }, { c: 'd' });
    expect(wire.seen.map(({ params }) => params)).toEqual([
      { name: 'a' },
      { name: 'a', arguments: {} },
      { name: 'p' },
      { name: 'p', arguments: { a: 'b' } },
      { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'v' } },
      {
        ref: { type: 'ref/resource', uri: 'a:{b}' },
        argument: { name: 'b', value: 'v' },
        context: { arguments: { c: 'd' } },
      },
    ]);
    expect(wire.seen[1]?.meta).toMatchObject({ 'com.example/x': { y: 1 }, traceparent: 't' });
  });

  test('parameters of the wrong shape are not sent, except by request', async () => {
    const { client, wire } = setUp();
    for (const call of [
      client.callTool(7 as never),
      client.callTool('a', [] as never),
      client.getPrompt('p', { a: 1 } as never),
      client.readResource(undefined as never),
      client.complete({ type: 'x' } as never, { name: 'a', value: '' }),
    ]) {
      await expect(call).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('was not sent'),
      });
    }
    expect(wire.seen).toEqual([]);
    await client.request('tools/call', { name: 7 as never });
    await client.request('acme/anything');
    expect(wire.seen.map(({ method, params }) => [method, params])).toEqual([
      ['tools/call', { name: 7 }],
      ['acme/anything', {}],
    ]);
  });

  test('nothing of what the caller gave is changed', async () => {
    const { client } = setUp();
    const params = Object.freeze({
      name: 'a',
      arguments: Object.freeze({ x: 1 }),
      _meta: Object.freeze({ traceparent: 't' }),
    });
    await client.request('tools/call', params, Object.freeze({ meta: Object.freeze({ baggage: 'b' }) }));
    expect(params._meta).toEqual({ traceparent: 't' });
  });
});

describe('what its caller hears', () => {
  const telling: Answering = (_request, io) => {
    io.notify({
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 1, total: 2, message: 'half' },
    });
    io.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 0, total: null, message: 7 } });
    io.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 'x' } });
    io.notify({ method: 'notifications/progress' });
    io.notify({ method: 'notifications/message', params: { level: 'info', data: { a: 1 }, logger: 'l' } });
    io.notify({ method: 'notifications/acme', params: {} });
    return text('ok');
  };

  test('[PROG-01][LOG-07] progress and log messages, each where it is wanted', async () => {
    const heard: unknown[] = [];
    const { client } = setUp(telling, { onLog: ({ data }) => heard.push(['client', data]) });
    await client.callTool('a', {}, { onProgress: (progress) => heard.push(progress) });
    await client.callTool('a', {}, { onLog: ({ level, logger }) => heard.push([level, logger]) });
    await client.callTool('a');
    expect(heard).toEqual([
      { progress: 1, total: 2, message: 'half' },
      { progress: 0 },
      ['client', { a: 1 }],
      ['info', 'l'],
      ['client', { a: 1 }],
    ]);
  });

  test('[P44] nothing after the answer', async () => {
    const heard: unknown[] = [];
    let late: () => void = () => {};
    const { client } = setUp((_request, io) => {
      late = () => io.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 9 } });
      return text('ok');
    });
    await client.callTool('a', {}, { onProgress: (progress) => heard.push(progress) });
    late();
    expect(heard).toEqual([]);
  });

  test('what throws costs a warning, not the call', async () => {
    const fail = (): never => {
      throw new Error('oops');
    };
    const { client, warnings } = setUp(telling);
    expect(await client.callTool('a', {}, { onProgress: fail, onLog: fail, onReply: fail })).toEqual(text('ok'));
    expect(warnings.map(({ message }) => message)).toEqual([
      'onProgress threw: oops',
      'onProgress threw: oops',
      'onLog threw: oops',
      'onReply threw: oops',
    ]);
  });

  test('how the answer came about', async () => {
    const infos: ReplyInfo[] = [];
    const { client } = setUp();
    await client.callTool('a', {}, { onReply: (info) => infos.push(info) });
    expect(infos).toEqual([{ durationMs: expect.any(Number), requests: 1, rounds: [] }]);
  });

  test('[P47][P52][ERR-14] errors of the server whole, apart from those of this side', async () => {
    const error = new McpError(-32602, 'cursor expired', { data: { cursor: 'x' } });
    const { client } = setUp(() => {
      throw error;
    });
    await expect(client.callTool('a')).rejects.toBe(error);
  });

  test('[P50][R05][BASE-20] results whole, unknown members and all', async () => {
    const result: Result = {
      resultType: 'complete',
      content: [
        { type: 'blob', x: 1 },
        { type: 'text', text: 't', mimeType: 7 },
      ],
      structuredContent: null,
      extra: [1],
      _meta: { 'com.example/a': 1 },
    };
    const { client } = setUp(() => result);
    expect(await client.callTool('a')).toEqual(result);
  });
});

describe('middleware', () => {
  const named =
    (name: string, log: string[]) =>
    (exchange: Exchange): Exchange =>
    async (request, io) => {
      log.push(`${name} in`);
      const result = await exchange(request, io);
      log.push(`${name} out`);
      return result;
    };

  test('the first is outermost, and each can be taken out', async () => {
    const log: string[] = [];
    const { client } = setUp(undefined, { middleware: [named('0', log)] });
    const removeFirst = client.use(named('1', log));
    client.use(named('2', log));
    await client.callTool('a');
    expect(log).toEqual(['0 in', '1 in', '2 in', '2 out', '1 out', '0 out']);
    log.length = 0;
    removeFirst();
    removeFirst();
    await client.callTool('a');
    expect(log).toEqual(['0 in', '2 in', '2 out', '0 out']);
  });

  test('one that passes { ...io, notify } on keeps the call’s options', async () => {
    const heard: number[] = [];
    const { client, wire } = setUp((_request, io) => {
      io.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
      return { resultType: 'input_required', requestState: 's' };
    });
    client.use(
      (exchange) => (request, io) =>
        exchange(request, { ...io, notify: (n) => io.notify({ ...n, params: { ...n.params, progress: 5 } }) }),
    );
    const result = await client.callTool(
      'a',
      {},
      { logLevel: 'debug', onInputRequired: 'return', onProgress: ({ progress }) => heard.push(progress) },
    );
    expect(result.resultType).toBe('input_required');
    expect(heard).toEqual([5]);
    expect(wire.seen[0]?.meta['io.modelcontextprotocol/logLevel']).toBe('debug');
  });

  test('one that answers by itself is the server', async () => {
    const { client, wire } = setUp();
    client.use(() => async () => text('mine'));
    expect(await client.callTool('a')).toEqual(text('mine'));
    expect(wire.seen).toEqual([]);
  });

  test('one that throws before it is asked is an answer too', async () => {
    const { client } = setUp();
    const why = new Error('no');
    client.use(() => () => {
      throw why;
    });
    await expect(client.callTool('a')).rejects.toBe(why);
    await expect(client.callTool('a', {}, { timeout: 1 })).rejects.toBe(why);
  });

  test('a wire that throws at once leaves no timer behind', async () => {
    const clock = new ManualClock();
    const wire = new ScriptedWire(() => text('ok'));
    const why = new Error('no');
    Object.assign(wire, {
      exchange: () => {
        throw why;
      },
    });
    await expect(new Client(wire, { era: 'modern', clock }).callTool('a')).rejects.toBe(why);
    expect(clock.pending).toBe(0);
  });

  test('it sees a call once, whatever rounds it takes, and a listen request too', async () => {
    const seen: string[] = [];
    let rounds = 0;
    const { client } = setUp(
      ({ method }, io) => {
        if (method === 'subscriptions/listen') {
          io.notify({ method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } });
          return { resultType: 'complete' };
        }
        return rounds++ === 0
          ? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } }
          : text('ok');
      },
      { handlers: { roots: [] } },
    );
    client.use((exchange) => (request, io) => {
      seen.push(request.method);
      return exchange(request, io);
    });
    await client.callTool('a');
    await client.listen({});
    expect(seen).toEqual(['tools/call', 'subscriptions/listen']);
  });
});

describe('as an exchange', () => {
  test('a bare io does, and what _meta the request has wins', async () => {
    const { client, wire } = setUp((_request, io) => {
      io.notify({ method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } });
      return text('ok');
    });
    const heard: string[] = [];
    const io = { signal: new AbortController().signal, notify: ({ method }: { method: string }) => heard.push(method) };
    const _meta = { progressToken: 'p', 'io.modelcontextprotocol/clientCapabilities': { roots: {} } };
    expect(await client.exchange({ method: 'tools/call', params: { name: 'a', _meta } }, io)).toEqual(text('ok'));
    expect(heard).toEqual(['notifications/progress']);
    expect(wire.seen[0]?.meta).toMatchObject({ ..._meta, 'io.modelcontextprotocol/protocolVersion': '2026-07-28' });
  });

  test('the wire sees who asks', async () => {
    let auth: unknown;
    const { client } = setUp((_request, io) => {
      auth = io.auth;
      return text('ok');
    });
    const io: ClientIO = { signal: new AbortController().signal, notify: () => {}, auth: { principal: 'ada' } };
    await client.exchange({ method: 'tools/call', params: { name: 'a' } }, io);
    expect(auth).toEqual({ principal: 'ada' });
  });
});

describe('info', () => {
  test('[T033][DISC-05] grows with what the server says', async () => {
    const { client } = setUp(() => discovery);
    const before = client.info;
    expect(before).toMatchObject({ target: 'http://scripted.test/mcp', kind: 'http', era: 'modern', known: 'assumed' });
    await client.discover();
    expect(before.capabilities).toBeUndefined();
    expect(client.info).toMatchObject({
      capabilities: { tools: {} },
      instructions: 'Be kind.',
      serverInfo: { name: 'scripted' },
    });
  });

  test('takes nothing that is of the wrong kind', async () => {
    const { client } = setUp(() => ({
      resultType: 'complete',
      capabilities: null,
      supportedVersions: 'x',
      instructions: 7,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 7 } },
    }));
    await client.discover();
    expect(client.info).toMatchObject({ capabilities: {}, supportedVersions: [] });
    expect(client.info.instructions).toBeUndefined();
    expect(client.info.serverInfo).toBeUndefined();
  });
});

test('a listener of warnings that throws is the platform’s to report', async () => {
  const { client } = setUp(() => ({ content: [] }));
  const unhandled: unknown[] = [];
  const listener = (reason: unknown): void => void unhandled.push(reason);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.once('unhandledRejection', listener);
  const why = new Error('oops');
  client.on('warning', () => {
    throw why;
  });
  await client.callTool('a');
  await settled();
  await settled();
  for (const other of others) process.on('unhandledRejection', other);
  expect(unhandled).toEqual([why]);
});

test('what a call returns follows from its options', () => {
  const { client } = setUp();
  const wide: CallOptions = {};
  const returned = () => client.callTool('a', {}, { onInputRequired: 'return' });
  const handled = () => client.callTool('a', {}, { timeout: 1, onProgress: ({ progress }) => progress });
  const either = () => client.callTool('a', {}, wide);
  const plain = () => client.readResource('a:b');
  expectTypeOf<Awaited<ReturnType<typeof returned>>>().extract<InputRequired>().not.toBeNever();
  expectTypeOf<Awaited<ReturnType<typeof handled>>>().extract<InputRequired>().toBeNever();
  expectTypeOf<Awaited<ReturnType<typeof either>>>().extract<InputRequired>().not.toBeNever();
  expectTypeOf<Awaited<ReturnType<typeof plain>>>().toHaveProperty('contents');
});

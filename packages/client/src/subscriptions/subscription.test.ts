import {
  DragomanError,
  type ExchangeIO,
  McpError,
  type Notification,
  type Result,
  type SubscriptionFilter,
} from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { ManualClock, settled } from '../../test/support/manual-clock.ts';
import { ScriptedWire, text } from '../../test/support/scripted-wire.ts';
import { Client } from '../client.ts';
import type { Warning } from '../events.ts';
import type { ClientOptions } from '../options.ts';
import type { Wire } from '../wires/wire.ts';
import type { SubscriptionEvent } from './event.ts';
import type { ListenOptions, Subscription } from './subscription.ts';

/** The server's end of one listen request. */
class Stream {
  readonly filter: SubscriptionFilter;
  readonly io: ExchangeIO;
  end: (result?: Result) => void = () => {};
  fail: (reason: unknown) => void = () => {};

  constructor(filter: SubscriptionFilter, io: ExchangeIO) {
    this.filter = filter;
    this.io = io;
  }

  acknowledge(notifications: unknown = this.filter): void {
    this.notify('subscriptions/acknowledged', { notifications });
  }

  notify(name: string, params?: { [member: string]: unknown }): void {
    this.io.notify({
      method: `notifications/${name}`,
      ...(params === undefined ? undefined : { params }),
    } as Notification);
  }

  drop(): void {
    this.fail(new DragomanError('CONNECTION_CLOSED', 'the stream broke off'));
  }
}

const tools: SubscriptionFilter = { toolsListChanged: true };

function setUp({ kind = 'http', ...options }: ClientOptions & { kind?: Wire['kind'] } = {}) {
  const clock = new ManualClock();
  const warnings: Warning[] = [];
  const streams: Stream[] = [];
  /** What becomes of the next listen requests; acknowledged at once where nothing is said. */
  const script: ((stream: Stream) => void)[] = [];
  let listed = 0;
  const wire = new ScriptedWire(({ method, params }, io) => {
    if (method !== 'subscriptions/listen') {
      listed++;
      return {
        ...text('ok'),
        tools: [],
        prompts: [],
        resources: [],
        resourceTemplates: [],
        contents: [],
        n: listed,
        ttlMs: 1e9,
        cacheScope: 'public',
      };
    }
    const stream = new Stream(params.notifications as SubscriptionFilter, io);
    streams.push(stream);
    return new Promise((resolve, reject) => {
      stream.end = (result = { resultType: 'complete' }) => resolve(result);
      stream.fail = reject;
      io.signal.addEventListener('abort', () => reject(io.signal.reason));
      (script.shift() ?? ((opened) => opened.acknowledge()))(stream);
    });
  }, kind);
  const client = new Client(wire, {
    era: 'modern',
    clock,
    random: () => 1,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  const events: SubscriptionEvent[] = [];
  const listen = (filter: SubscriptionFilter = tools, more?: ListenOptions): Promise<Subscription> =>
    client.listen(filter, { onEvent: (event) => events.push(event), ...more });
  const last = (): Stream => streams.at(-1) as Stream;
  return { clock, warnings, streams, script, wire, client, listen, events, last };
}

describe('opening', () => {
  test('[SUBS-01][SUBS-04] sends the filter and waits for the acknowledgement', async () => {
    const { listen, wire, script, streams } = setUp();
    script.push(() => {});
    let open = false;
    const filter = { toolsListChanged: true, resourceSubscriptions: ['a:b'], taskIds: ['t'] };
    const listening = listen(filter).then((subscription) => {
      open = true;
      return subscription;
    });
    await settled();
    expect(open).toBe(false);
    streams[0]?.acknowledge();
    const subscription = await listening;
    expect(wire.seen[0]).toMatchObject({ method: 'subscriptions/listen', params: { notifications: filter } });
    expect(wire.seen[0]?.meta).not.toHaveProperty('progressToken');
    expect(subscription.honored).toEqual(filter);
    expect(subscription.missing).toEqual({});
  });

  test('[SUBS-07][N01] fewer types than asked for are seen and told', async () => {
    const { listen, script, warnings } = setUp();
    script.push((stream) =>
      stream.acknowledge({
        toolsListChanged: true,
        promptsListChanged: null,
        resourceSubscriptions: ['a:b', 7],
        taskIds: 'x',
        other: 1,
      }),
    );
    const subscription = await listen({
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['a:b', 'c:d'],
      taskIds: ['t'],
    });
    expect(subscription.honored).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a:b'] });
    expect(subscription.missing).toEqual({ promptsListChanged: true, resourceSubscriptions: ['c:d'], taskIds: ['t'] });
    expect(warnings).toMatchObject([{ kind: 'subscription', details: { missing: subscription.missing } }]);
    expect(warnings[0]?.message).toContain('promptsListChanged; resourceSubscriptions c:d; taskIds t');
  });

  test.each([undefined, null, 'x'])('an acknowledgement of %j honours nothing', async (notifications) => {
    const { listen, script } = setUp();
    script.push((stream) => stream.notify('subscriptions/acknowledged', { notifications }));
    expect((await listen()).honored).toEqual({});
  });

  test('[CANC-09][P37] an acknowledgement that does not come is waited for no longer than ackTimeout', async () => {
    const { listen, script, clock, streams } = setUp();
    script.push(() => {});
    const listening = listen().catch((reason: unknown) => reason);
    await clock.advance(9_999);
    expect(streams[0]?.io.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(await listening).toMatchObject({ code: 'TIMEOUT', details: { option: 'ackTimeout', milliseconds: 10_000 } });
    expect(streams[0]?.io.signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
    script.push(() => {});
    void listen(tools, { ackTimeout: Number.POSITIVE_INFINITY });
    await settled();
    expect(clock.pending).toBe(0);
    await expect(listen(tools, { ackTimeout: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('[SUBS-24][T054] once open it has no deadline', async () => {
    const { listen, clock, streams } = setUp({ timeout: 10, maxTime: 10 });
    await listen();
    await clock.advance(1e9);
    expect(streams[0]?.io.signal.aborted).toBe(false);
    expect(clock.pending).toBe(0);
  });

  test('a refusal is the caller’s to know, and is not repeated', async () => {
    const { listen, script, streams, clock } = setUp();
    const refusal = new McpError(-32601, 'Method not found');
    script.push((stream) => stream.fail(refusal));
    await expect(listen()).rejects.toBe(refusal);
    await clock.advance(1e6);
    expect(streams).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('a stream that ends unacknowledged was none', async () => {
    const { listen, script } = setUp();
    script.push((stream) => stream.end());
    await expect(listen()).rejects.toMatchObject({ code: 'PROTOCOL_VIOLATION' });
  });

  test('a filter of the wrong shape is not sent', async () => {
    const { listen, streams } = setUp();
    await expect(listen({ toolsListChanged: 1 as never })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(streams).toEqual([]);
  });

  test('[SUBS-11] several at once do not know of each other', async () => {
    const { client, streams } = setUp();
    const heard: string[] = [];
    await client.listen(tools, { coalesce: 0, onEvent: ({ kind }) => heard.push(`1 ${kind}`) });
    await client.listen({ promptsListChanged: true }, { coalesce: 0, onEvent: ({ kind }) => heard.push(`2 ${kind}`) });
    streams[1]?.notify('prompts/list_changed');
    streams[0]?.notify('tools/list_changed', {});
    await settled();
    expect(heard).toEqual(['2 prompts', '1 tools']);
  });
});

describe('events', () => {
  const all: SubscriptionFilter = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['a:b'],
    taskIds: ['t'],
  };

  test('every kind, and what belongs to an extension as it came', async () => {
    const { listen, last, events, clock } = setUp();
    await listen(all);
    last().notify('tools/list_changed');
    last().notify('prompts/list_changed', {});
    last().notify('resources/list_changed', { _meta: {} });
    last().notify('resources/updated', { uri: 'a:b/part' });
    last().notify('resources/updated', {});
    last().notify('tasks', { taskId: 't', status: 'working' });
    await clock.advance(100);
    expect(events).toEqual([
      {
        kind: 'other',
        notification: { method: 'notifications/tasks', params: { taskId: 't', status: 'working' } },
        gap: false,
      },
      { kind: 'tools', gap: false },
      { kind: 'prompts', gap: false },
      { kind: 'resources', gap: false },
      { kind: 'resource', uri: 'a:b/part', gap: false },
    ]);
  });

  test('a storm is one event for each thing, soon', async () => {
    const { listen, last, events, clock } = setUp();
    await listen(all);
    for (let i = 0; i < 1_000; i++) {
      last().notify('tools/list_changed');
      last().notify('resources/updated', { uri: i % 2 === 0 ? 'a:b' : 'a:c' });
    }
    await clock.advance(99);
    expect(events).toEqual([]);
    await clock.advance(1);
    expect(events).toHaveLength(3);
    last().notify('tools/list_changed');
    await clock.advance(100);
    expect(events).toHaveLength(4);
    expect(clock.pending).toBe(0);
  });

  test('a storm that does not end is told of again and again', async () => {
    const { listen, last, events, clock } = setUp();
    await listen(tools, { coalesce: 50 });
    for (let i = 0; i < 100; i++) {
      last().notify('tools/list_changed');
      await clock.advance(10);
    }
    expect(events.length).toBeGreaterThanOrEqual(15);
  });

  test('[CACHE-17][N03] what changed is forgotten before anyone hears of it', async () => {
    const { listen, last, client, clock } = setUp();
    const seen: unknown[] = [];
    await listen(all, {
      onEvent: () => void client.listTools().then(({ n }) => seen.push(n)),
      coalesce: 0,
    });
    expect((await client.listTools()).n).toBe(1);
    expect((await client.listTools({ cursor: '2' })).n).toBe(2);
    expect((await client.listPrompts()).n).toBe(3);
    expect((await client.listResources()).n).toBe(4);
    expect((await client.listResourceTemplates()).n).toBe(5);
    expect((await client.readResource('a:b')).n).toBe(6);
    expect((await client.readResource('a:b/part')).n).toBe(7);
    expect((await client.readResource('z:z')).n).toBe(8);
    last().notify('tools/list_changed');
    await settled();
    expect(seen).toEqual([9]);
    expect((await client.listTools({ cursor: '2' })).n).toBe(10);
    expect((await client.listPrompts()).n).toBe(3);
    last().notify('prompts/list_changed');
    last().notify('resources/list_changed');
    await clock.advance(0);
    expect((await client.listPrompts()).n).toBe(11);
    expect((await client.listResources()).n).toBe(12);
    expect((await client.listResourceTemplates()).n).toBe(13);
    expect((await client.readResource('z:z')).n).toBe(8);
    // A part of what was subscribed to: both are old now, others are not (SUBS-20).
    last().notify('resources/updated', { uri: 'a:b/part' });
    await settled();
    expect((await client.readResource('a:b/part')).n).toBe(14);
    expect((await client.readResource('a:b')).n).toBe(15);
    expect((await client.readResource('z:z')).n).toBe(8);
  });

  test('without a cache they come just the same', async () => {
    const { listen, last, events } = setUp({ cache: false });
    await listen(tools, { coalesce: 0 });
    last().notify('tools/list_changed');
    expect(events).toEqual([{ kind: 'tools', gap: false }]);
  });

  test('[SUBS-04] before the acknowledgement they are told, with a warning', async () => {
    const { listen, script, events, clock, warnings } = setUp();
    script.push((stream) => {
      stream.notify('tools/list_changed');
      stream.notify('tools/list_changed');
      stream.acknowledge();
    });
    await listen();
    await clock.advance(100);
    expect(events).toHaveLength(1);
    expect(warnings).toMatchObject([
      { kind: 'subscription', message: expect.stringContaining('before it acknowledged') },
    ]);
  });

  test('a callback that throws stops neither the others nor the stream', async () => {
    const { listen, last, warnings } = setUp();
    const heard: string[] = [];
    const subscription = await listen(tools, {
      coalesce: 0,
      onEvent: () => {
        throw new Error('oops');
      },
    });
    const stop = subscription.on(({ kind }) => heard.push(kind));
    last().notify('tools/list_changed');
    await settled();
    stop();
    last().notify('tools/list_changed');
    await settled();
    expect(heard).toEqual(['tools']);
    expect(warnings).toMatchObject([{ kind: 'callback-failed' }, { kind: 'callback-failed' }]);
    expect(warnings[0]?.message).toContain('oops');
  });
});

describe('reading', () => {
  test('one by one, what waits is merged, and the end ends it', async () => {
    const { listen, last, clock } = setUp();
    const subscription = await listen({ toolsListChanged: true, promptsListChanged: true }, { coalesce: 0 });
    for (const name of ['tools', 'prompts', 'tools']) last().notify(`${name}/list_changed`);
    await settled();
    const iterator = subscription[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: { kind: 'tools', gap: false } });
    expect(await iterator.next()).toEqual({ done: false, value: { kind: 'prompts', gap: false } });
    const waiting = [iterator.next(), iterator.next()];
    last().notify('tools/list_changed');
    expect(await waiting[0]).toMatchObject({ value: { kind: 'tools' } });
    last().end();
    expect(await waiting[1]).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(clock.pending).toBe(0);
  });

  test('what was there at the end can still be read', async () => {
    const { listen, last } = setUp();
    const subscription = await listen();
    last().notify('tools/list_changed');
    last().end();
    const kinds: string[] = [];
    for await (const { kind } of subscription) kinds.push(kind);
    expect(kinds).toEqual(['tools']);
    expect(await subscription.closed).toBe('graceful');
  });

  test('leaving early closes it', async () => {
    const { listen, last } = setUp();
    const subscription = await listen(tools, { coalesce: 0 });
    last().notify('tools/list_changed');
    for await (const event of subscription) {
      expect(event.kind).toBe('tools');
      break;
    }
    expect(await subscription.closed).toBe('local');
    expect(last().io.signal.aborted).toBe(true);
  });

  test('nobody who reads: the oldest go, with one warning', async () => {
    const { listen, last, warnings } = setUp({ limits: { bufferedEvents: 3 } });
    const subscription = await listen({ taskIds: ['t'] });
    for (let n = 0; n < 6; n++) last().notify('tasks', { n });
    await settled();
    await subscription.close();
    const seen: unknown[] = [];
    for await (const event of subscription) seen.push(event.kind === 'other' && event.notification.params?.n);
    expect(seen).toEqual([3, 4, 5]);
    expect(warnings).toMatchObject([{ kind: 'subscription', message: expect.stringContaining('More than 3 events') }]);
  });
});

describe('the end', () => {
  test('[SUBS-12] by close, once; the server is told, and what was gathered is dropped', async () => {
    const { listen, last, clock, events } = setUp();
    const subscription = await listen();
    last().notify('tools/list_changed');
    await settled();
    await Promise.all([subscription.close(), subscription.close()]);
    expect(await subscription.closed).toBe('local');
    expect(last().io.signal.aborted).toBe(true);
    await clock.advance(1_000);
    expect(events).toEqual([]);
    expect(clock.pending).toBe(0);
    await expect(subscription.update(tools)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    await subscription[Symbol.asyncDispose]();
  });

  test('by its signal, before, while and after it opens', async () => {
    const { listen, last, script, streams } = setUp();
    await expect(listen(tools, { signal: AbortSignal.abort('why') })).rejects.toMatchObject({
      code: 'ABORTED',
      cause: 'why',
    });
    expect(streams).toEqual([]);
    const early = new AbortController();
    script.push(() => {});
    const opening = listen(tools, { signal: early.signal }).catch((reason: unknown) => reason);
    await settled();
    early.abort('enough');
    expect(await opening).toMatchObject({ code: 'ABORTED', cause: 'enough' });
    expect(last().io.signal.aborted).toBe(true);
    const late = new AbortController();
    const subscription = await listen(tools, { signal: late.signal });
    late.abort();
    expect(await subscription.closed).toBe('local');
    expect(last().io.signal.aborted).toBe(true);
  });

  test('[SUBS-13] by the server in good order is no drop', async () => {
    const { listen, last, clock, streams, warnings } = setUp();
    const subscription = await listen();
    last().end();
    expect(await subscription.closed).toBe('graceful');
    await clock.advance(1e6);
    expect(streams).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test('with the client', async () => {
    const { listen, client, clock } = setUp();
    const open = await listen();
    await client.close();
    expect(await open.closed).toBe('local');
    expect(clock.pending).toBe(0);
    await expect(listen()).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  });

  test('with a wire that the far side ended: there is nothing to listen on', async () => {
    const { listen, last, wire, clock, streams } = setUp({ kind: 'stdio' });
    const subscription = await listen();
    last().drop();
    await settled();
    expect(clock.pending).toBe(1);
    wire.lose();
    expect(await subscription.closed).toBe('lost');
    await clock.advance(1e6);
    expect(streams).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });
});

describe('[N01] after a drop', () => {
  test('[SUBS-16][SUBS-23][HTTP-26] it listens again, and all it listens to counts as changed', async () => {
    const { listen, last, clock, streams, events, client, warnings } = setUp();
    const drops: number[] = [];
    const filter = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['a:b'],
      taskIds: ['t'],
    };
    const subscription = await listen(filter, { onDrop: ({ retryInMs }) => drops.push(retryInMs) });
    expect((await client.listTools()).n).toBe(1);
    last().drop();
    await clock.advance(499);
    expect(streams).toHaveLength(1);
    expect((await client.listTools()).n).toBe(1);
    await clock.advance(1);
    expect(streams).toHaveLength(2);
    expect(last().filter).toEqual(filter);
    expect((await client.listTools()).n).toBe(2);
    await clock.advance(100);
    expect(events).toEqual([
      { kind: 'tools', gap: true },
      { kind: 'prompts', gap: true },
      { kind: 'resources', gap: true },
      { kind: 'resource', uri: 'a:b', gap: true },
    ]);
    expect(drops).toEqual([500]);
    expect(warnings).toMatchObject([
      { kind: 'subscription', message: expect.stringContaining('broke off: the stream broke off') },
    ]);
    expect(subscription.honored).toEqual(filter);
    last().notify('tools/list_changed');
    await clock.advance(100);
    expect(events.at(-1)).toEqual({ kind: 'tools', gap: false });
  });

  test('a gap is not lost among later changes', async () => {
    const { listen, last, clock, events } = setUp();
    await listen();
    last().drop();
    await clock.advance(500);
    last().notify('tools/list_changed');
    await clock.advance(100);
    expect(events).toEqual([{ kind: 'tools', gap: true }]);
  });

  test('[P08] it tries again until it works, at times that grow to a cap', async () => {
    const { listen, last, script, clock, streams } = setUp();
    const waits: number[] = [];
    const subscription = await listen(tools, { onDrop: ({ retryInMs }) => waits.push(retryInMs) });
    for (let i = 0; i < 9; i++) script.push((stream) => stream.fail(new DragomanError('CONNECTION_FAILED', 'refused')));
    last().drop();
    for (let i = 0; i < 10; i++) await clock.advance(30_000);
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
    expect(streams).toHaveLength(11);
    expect(subscription.honored).toEqual(tools);
    expect(clock.pending).toBe(0);
  });

  test('the times are random from 0 up, and the user’s to set', async () => {
    const waits: number[] = [];
    const { listen, last, clock } = setUp({ random: () => 0.25 });
    await listen(tools, { backoff: { base: 100, cap: 150 }, onDrop: ({ retryInMs }) => waits.push(retryInMs) });
    for (let i = 0; i < 3; i++) {
      last().drop();
      await clock.advance(1_000);
    }
    expect(waits).toEqual([25, 37.5, 37.5]);
  });

  test('a stream that lasted starts the count anew, one that broke at once does not', async () => {
    const { listen, last, clock } = setUp();
    const waits: number[] = [];
    await listen(tools, { onDrop: ({ retryInMs }) => waits.push(retryInMs) });
    last().drop();
    await clock.advance(500);
    last().drop();
    await clock.advance(1_000);
    await clock.advance(5_000);
    last().drop();
    await clock.advance(500);
    expect(waits).toEqual([500, 1_000, 500]);
  });

  test('an acknowledgement that does not come is one more failure', async () => {
    const { listen, last, script, clock, streams } = setUp();
    await listen(tools, { ackTimeout: 1_000 });
    script.push(() => {});
    last().drop();
    await clock.advance(500 + 1_000 + 1_000);
    expect(streams).toHaveLength(3);
    expect(streams[1]?.io.signal.aborted).toBe(true);
  });

  test('fewer types than before are told', async () => {
    const { listen, last, script, clock } = setUp();
    const subscription = await listen();
    script.push((stream) => stream.acknowledge({}));
    last().drop();
    await clock.advance(500);
    expect(subscription.honored).toEqual({});
    expect(subscription.missing).toEqual(tools);
  });

  test('relisten: false ends it', async () => {
    const { listen, last, streams, clock } = setUp();
    const subscription = await listen(tools, { relisten: false });
    last().drop();
    expect(await subscription.closed).toBe('lost');
    await clock.advance(1e6);
    expect(streams).toHaveLength(1);
  });

  test.each([
    new McpError(-32601, 'no'),
    new McpError(-32602, 'no'),
    new McpError(-32021, 'no'),
    new DragomanError('UNAUTHORIZED', 'no'),
    new DragomanError('VERSION_MISMATCH', 'no'),
  ])('an error that time does not heal ends it: %o', async (reason) => {
    const { listen, last, script, clock, streams } = setUp();
    const subscription = await listen();
    script.push((stream) => stream.fail(reason));
    last().drop();
    await clock.advance(500);
    expect(await subscription.closed).toBe('lost');
    await clock.advance(1e6);
    expect(streams).toHaveLength(2);
  });

  test('[P10] closed while it waits, or while it opens, it stays closed', async () => {
    const waiting = setUp();
    const first = await waiting.listen();
    waiting.last().drop();
    await settled();
    await first.close();
    await waiting.clock.advance(1e6);
    expect(waiting.streams).toHaveLength(1);
    expect(waiting.clock.pending).toBe(0);

    const opening = setUp();
    const second = await opening.listen();
    opening.script.push(() => {});
    opening.last().drop();
    await opening.clock.advance(500);
    await second.close();
    expect(opening.last().io.signal.aborted).toBe(true);
    opening.last().acknowledge();
    await settled();
    expect(await second.closed).toBe('local');
    expect(opening.clock.pending).toBe(0);
  });

  test('acknowledged just as it is closed, the stream is closed too', async () => {
    const { listen, last, script, clock } = setUp();
    const subscription = await listen();
    script.push((stream) => {
      stream.acknowledge();
      void subscription.close();
    });
    last().drop();
    await clock.advance(500);
    expect(last().io.signal.aborted).toBe(true);
    expect(await subscription.closed).toBe('local');
  });
});

describe('[N01] another filter', () => {
  const prompts: SubscriptionFilter = { promptsListChanged: true };

  test('takes over when it is acknowledged, and not before', async () => {
    const { listen, streams, script, events, clock } = setUp();
    const subscription = await listen();
    script.push(() => {});
    const updating = subscription.update(prompts);
    await settled();
    expect(subscription.honored).toEqual(tools);
    expect(streams[0]?.io.signal.aborted).toBe(false);
    streams[0]?.notify('tools/list_changed');
    streams[1]?.acknowledge();
    await updating;
    expect(subscription.honored).toEqual(prompts);
    expect(streams[0]?.io.signal.aborted).toBe(true);
    await clock.advance(100);
    expect(events).toEqual([{ kind: 'tools', gap: false }]);
    streams[1]?.drop();
    await clock.advance(500);
    expect(streams[2]?.filter).toEqual(prompts);
    expect(await Promise.race([subscription.closed, 'open'])).toBe('open');
  });

  test('that is refused leaves the old one in force', async () => {
    const { listen, last, script, streams, events, clock } = setUp();
    const subscription = await listen();
    const refusal = new McpError(-32603, 'no');
    script.push((stream) => stream.fail(refusal));
    await expect(subscription.update(prompts)).rejects.toBe(refusal);
    expect(subscription.honored).toEqual(tools);
    streams[0]?.notify('tools/list_changed');
    await clock.advance(100);
    expect(events).toHaveLength(1);
    expect(last()).toBe(streams[1]);
    streams[0]?.drop();
    await clock.advance(500);
    expect(last().filter).toEqual(tools);
  });

  test('during a gap ends the gap', async () => {
    const { listen, last, script, streams, events, clock } = setUp();
    const subscription = await listen();
    last().drop();
    await settled();
    await subscription.update(prompts);
    await clock.advance(1e6);
    expect(streams).toHaveLength(2);
    expect(events).toEqual([{ kind: 'prompts', gap: true }]);
    // And while the old filter is being opened again:
    script.push(
      () => {},
      (stream) => stream.acknowledge(),
    );
    last().drop();
    await clock.advance(500);
    await subscription.update(tools);
    streams[2]?.acknowledge();
    await settled();
    expect(streams[2]?.io.signal.aborted).toBe(true);
    expect(subscription.honored).toEqual(tools);
  });

  test('one after another', async () => {
    const { listen, streams } = setUp();
    const subscription = await listen();
    await Promise.all([subscription.update(prompts), subscription.update({ resourcesListChanged: true })]);
    expect(subscription.honored).toEqual({ resourcesListChanged: true });
    expect(streams.map(({ io }) => io.signal.aborted)).toEqual([true, true, false]);
  });
});

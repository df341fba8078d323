import type { SubscriptionFilter } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { setUp, tools } from '../../test/support/listening-server.ts';
import { settled } from '../../test/support/manual-clock.ts';

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
    const { client, last, warnings } = setUp({ limits: { bufferedEvents: 3 } });
    const subscription = await client.listen({ taskIds: ['t'] });
    for (let n = 0; n < 6; n++) last().notify('tasks', { n });
    await settled();
    await subscription.close();
    const seen: unknown[] = [];
    for await (const event of subscription) seen.push(event.kind === 'other' && event.notification.params?.n);
    expect(seen).toEqual([3, 4, 5]);
    expect(warnings).toMatchObject([{ kind: 'subscription', message: expect.stringContaining('More than 3 events') }]);
  });

  test('whoever is called for every event and reads none misses none, and is not warned', async () => {
    const { listen, last, warnings, events } = setUp({ limits: { bufferedEvents: 3 } });
    const subscription = await listen({ taskIds: ['t'] });
    for (let n = 0; n < 6; n++) last().notify('tasks', { n });
    await settled();
    expect(events).toHaveLength(6);
    expect(warnings).toEqual([]);
    const reader = subscription[Symbol.asyncIterator]();
    await reader.next();
    for (let n = 6; n < 12; n++) last().notify('tasks', { n });
    await settled();
    expect(warnings).toHaveLength(1);
  });

  test('large events are held as far as they may weigh', async () => {
    const { client, last, warnings } = setUp({ limits: { bufferedBytes: 100_000 } });
    const subscription = await client.listen({ taskIds: ['t'], resourceSubscriptions: ['a:'] }, { coalesce: 0 });
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const large = 'x'.repeat(20_000);
    last().notify('tasks', { n: 0, deep });
    for (let n = 1; n < 4; n++) last().notify('tasks', { n, large: [null, { large }] });
    for (let n = 4; n < 6; n++) last().notify('resources/updated', { uri: `a:${n}${large}` });
    await settled();
    expect(warnings).toHaveLength(1);
    await subscription.close();
    const seen: unknown[] = [];
    for await (const event of subscription) {
      if (event.kind === 'other') seen.push(event.notification.params?.n);
      else if (event.kind === 'resource') seen.push(Number(event.uri[2]));
    }
    expect(seen).toEqual([4, 5]);
  });
});

import { DragomanError, McpError, type SubscriptionFilter } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { setUp, tools } from '../../test/support/listening-server.ts';
import { settled } from '../../test/support/manual-clock.ts';

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

describe('a source of chance that is none', () => {
  test.each([Number.NaN, -1, 7])('%d makes for a whole pause, not for none', async (chance) => {
    const { listen, last, clock, streams } = setUp({ random: () => chance });
    await listen();
    last().drop();
    await clock.advance(499);
    expect(streams).toHaveLength(1);
    await clock.advance(1);
    expect(streams).toHaveLength(2);
  });

  test('or that throws ends the subscription', async () => {
    const { listen, last, warnings } = setUp({
      random: () => {
        throw new Error('no entropy');
      },
    });
    const subscription = await listen();
    last().drop();
    expect(await subscription.closed).toBe('lost');
    expect(warnings.at(-1)?.message).toContain('no entropy');
  });
});

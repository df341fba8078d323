import { McpError } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { setUp, tools } from '../../test/support/listening-server.ts';
import { settled } from '../../test/support/manual-clock.ts';

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

describe('a server that acknowledges more than it was asked', () => {
  test('[SUBS-07] has that left out, and cannot make the client work for it', async () => {
    const { listen, script, last, clock, events } = setUp();
    const uris = Array.from({ length: 50_000 }, (_, at) => `a:${at}`);
    const acknowledge = (stream: { acknowledge(filter: unknown): void }) =>
      stream.acknowledge({ ...tools, promptsListChanged: true, resourceSubscriptions: ['a:mine', ...uris] });
    script.push(acknowledge, acknowledge);
    const subscription = await listen({ ...tools, resourceSubscriptions: ['a:mine', 'a:other'] });
    expect(subscription.honored).toEqual({ ...tools, resourceSubscriptions: ['a:mine'] });
    expect(subscription.missing).toEqual({ resourceSubscriptions: ['a:other'] });
    last().drop();
    await clock.advance(1_000);
    await clock.advance(100);
    expect(events).toEqual([
      { kind: 'tools', gap: true },
      { kind: 'resource', uri: 'a:mine', gap: true },
    ]);
  });
});

test.each([
  { backoff: { base: 0 } },
  { backoff: { base: -1 } },
  { backoff: { base: Number.NaN } },
  { backoff: { cap: 0 } },
  { backoff: { cap: Number.NaN } },
  { coalesce: -1 },
  { coalesce: Number.NaN },
  { ackTimeout: 0 },
])(
  'a time that is none is refused, or a server that drops every stream would be asked without a pause: %o',
  async (options) => {
    const { listen, streams } = setUp();
    await expect(listen(tools, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(streams).toEqual([]);
  },
);

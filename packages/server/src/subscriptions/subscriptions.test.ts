import type { ExchangeIO, Notification, Request, Result, ServerCapabilities } from '@dragoman/protocol';
import { expect, test, vi } from 'vitest';
import { type ChangeEvent, LocalBus } from './bus.ts';
import { Subscriptions, type SubscriptionsOptions } from './subscriptions.ts';

const everything: ServerCapabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};

const make = (options: Partial<SubscriptionsOptions> = {}): Subscriptions =>
  new Subscriptions({ capabilities: () => everything, ...options });

interface Opened {
  readonly got: Notification[];
  readonly methods: () => string[];
  readonly done: Promise<Result>;
  readonly abort: () => void;
}

function open(subscriptions: Subscriptions, notifications: unknown, principal?: string): Opened {
  const controller = new AbortController();
  const got: Notification[] = [];
  const io: ExchangeIO = {
    signal: controller.signal,
    notify: (notification) => got.push(notification),
    ...(principal === undefined ? {} : { auth: { principal } }),
  };
  const done = subscriptions.listen({ method: 'subscriptions/listen', params: { notifications } } as Request, io);
  done.catch(() => {});
  return { got, methods: () => got.map((n) => n.method), done, abort: () => controller.abort() };
}

const ACK = 'notifications/subscriptions/acknowledged';

test('[SUBS-04] the acknowledgement comes first, and at once', () => {
  const subscriptions = make();
  const stream = open(subscriptions, { toolsListChanged: true });
  subscriptions.publish({ kind: 'tools' });
  expect(stream.methods()).toEqual([ACK, 'notifications/tools/list_changed']);
});

test('[SUBS-06] [T052] only what the server declares is acknowledged and sent', () => {
  const subscriptions = make({ capabilities: () => ({ tools: { listChanged: true }, resources: {} }) });
  const asked = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['x:1'],
  };
  const stream = open(subscriptions, asked);
  expect(stream.got[0]?.params).toEqual({ notifications: { toolsListChanged: true } });
  const events: ChangeEvent[] = [{ kind: 'prompts' }, { kind: 'resources' }, { kind: 'resource', uri: 'x:1' }];
  for (const event of events) subscriptions.publish(event);
  expect(stream.got).toHaveLength(1);
});

test('[SUBS-21] URIs are honoured where resources.subscribe is declared, each once', () => {
  const stream = open(make({ capabilities: () => ({ resources: { subscribe: true } }) }), {
    resourcesListChanged: true,
    resourceSubscriptions: ['x:1', 'x:2', 'x:1'],
  });
  expect(stream.got[0]?.params).toEqual({ notifications: { resourceSubscriptions: ['x:1', 'x:2'] } });
});

test('[T055] [SUBS-03] a stream gets the kinds that it asked for and no others', () => {
  const subscriptions = make();
  const prompts = open(subscriptions, { promptsListChanged: true, toolsListChanged: false });
  const one = open(subscriptions, { resourceSubscriptions: ['x:1'] });
  subscriptions.publish({ kind: 'tools' });
  subscriptions.publish({ kind: 'prompts' });
  subscriptions.publish({ kind: 'resource', uri: 'x:1' });
  subscriptions.publish({ kind: 'resource', uri: 'x:2' });
  expect(prompts.methods()).toEqual([ACK, 'notifications/prompts/list_changed']);
  expect(one.got.slice(1)).toEqual([{ method: 'notifications/resources/updated', params: { uri: 'x:1' } }]);
});

test.each([[{}], [{ toolsListChanged: false }], [{ resourceSubscriptions: [] }], [{ taskIds: ['t'] }]])(
  '[SUBS-25] a filter of which nothing is honoured is acknowledged and ends at once: %j',
  async (filter) => {
    const subscriptions = make();
    const stream = open(subscriptions, filter);
    await expect(stream.done).resolves.toEqual({ resultType: 'complete' });
    expect(stream.got).toEqual([{ method: ACK, params: { notifications: {} } }]);
    expect(subscriptions.size).toBe(0);
  },
);

test('a filter that is no object is refused', async () => {
  await expect(open(make(), undefined).done).rejects.toMatchObject({ code: -32602 });
});

test('one notification object goes to every stream, so that it is written out once', () => {
  const subscriptions = make();
  const streams = Array.from({ length: 1_000 }, () => open(subscriptions, { toolsListChanged: true }));
  const uris = Array.from({ length: 10 }, () => open(subscriptions, { resourceSubscriptions: ['x:1'] }));
  subscriptions.publish({ kind: 'tools' });
  subscriptions.publish({ kind: 'resource', uri: 'x:1' });
  expect(new Set(streams.map((stream) => stream.got[1])).size).toBe(1);
  expect(new Set(uris.map((stream) => stream.got[1])).size).toBe(1);
  expect(Object.isFrozen(streams[0]?.got[1])).toBe(true);
});

test('[SUBS-20] with subResources a change below a subscribed URI is told, once, under its own URI', () => {
  const subscriptions = make({ subResources: true });
  const dir = open(subscriptions, { resourceSubscriptions: ['file:///a', 'file:///a/', 'file:///a/b'] });
  const exact = open(subscriptions, { resourceSubscriptions: ['file:///a/b/c', 'file:///a'] });
  const other = open(subscriptions, { resourceSubscriptions: ['file:///ab', 'file:///a/b/c/d'] });
  subscriptions.publish({ kind: 'resource', uri: 'file:///a/b/c' });
  expect(dir.got.slice(1)).toEqual([{ method: 'notifications/resources/updated', params: { uri: 'file:///a/b/c' } }]);
  expect(exact.got).toHaveLength(2);
  expect(other.got).toHaveLength(1);
});

test('without subResources URIs are compared as they are', () => {
  const subscriptions = make();
  const dir = open(subscriptions, { resourceSubscriptions: ['file:///a'] });
  subscriptions.publish({ kind: 'resource', uri: 'file:///a/b' });
  expect(dir.got).toHaveLength(1);
});

test('an abort ends a stream quietly, and everything of it is forgotten', async () => {
  const subscriptions = make();
  const stream = open(subscriptions, { toolsListChanged: true, resourceSubscriptions: ['x:1'] }, 'ann');
  stream.abort();
  stream.abort();
  await stream.done;
  subscriptions.publish({ kind: 'tools' });
  subscriptions.publish({ kind: 'resource', uri: 'x:1' });
  expect(stream.got).toHaveLength(1);
  expect(subscriptions.size).toBe(0);
});

test('a signal that was aborted before ends the stream at once', async () => {
  const subscriptions = make();
  const io = { signal: AbortSignal.abort(), notify: vi.fn() };
  await subscriptions.listen(
    { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } },
    io,
  );
  expect(subscriptions.size).toBe(0);
});

test('[SUBS-13] close ends every stream with a result and refuses new ones; closing again does nothing', async () => {
  const subscriptions = make();
  const streams = [open(subscriptions, { toolsListChanged: true }), open(subscriptions, { promptsListChanged: true })];
  subscriptions.close();
  subscriptions.close();
  expect(await Promise.all(streams.map((stream) => stream.done))).toEqual([
    { resultType: 'complete' },
    { resultType: 'complete' },
  ]);
  const late = open(subscriptions, { toolsListChanged: true });
  await expect(late.done).rejects.toMatchObject({ code: -32603, httpStatus: 503 });
  expect(late.got).toEqual([]);
});

test('over the cap of a principal a stream is refused before anything is sent; others and the anonymous are not', async () => {
  const subscriptions = make({ limits: { maxStreamsPerPrincipal: 2 } });
  const filter = { toolsListChanged: true };
  const first = open(subscriptions, filter, 'ann');
  open(subscriptions, filter, 'ann');
  const third = open(subscriptions, filter, 'ann');
  await expect(third.done).rejects.toMatchObject({
    code: -32603,
    httpStatus: 429,
    data: { limit: 'maxStreamsPerPrincipal', value: 2 },
  });
  expect(third.got).toEqual([]);
  expect(open(subscriptions, filter, 'bob').got).toHaveLength(1);
  for (let i = 0; i < 3; i++) expect(open(subscriptions, filter).got).toHaveLength(1);
  first.abort();
  await first.done;
  expect(open(subscriptions, filter, 'ann').got).toHaveLength(1);
});

test('over the cap of all streams a stream is refused', async () => {
  const subscriptions = make({ limits: { maxStreams: 1 } });
  open(subscriptions, { toolsListChanged: true });
  await expect(open(subscriptions, { toolsListChanged: true }).done).rejects.toMatchObject({
    httpStatus: 503,
    data: { limit: 'maxStreams', value: 1 },
  });
  await expect(open(subscriptions, {}).done).resolves.toBeDefined();
});

test('over the cap of URIs a stream is refused with -32602', async () => {
  const subscriptions = make({ limits: { maxUrisPerStream: 2 } });
  await expect(open(subscriptions, { resourceSubscriptions: ['x:1', 'x:2', 'x:3'] }).done).rejects.toMatchObject({
    code: -32602,
    data: { limit: 'maxUrisPerStream', value: 2 },
  });
});

test('a stream that cannot be told ends with the reason; the others are told', async () => {
  const subscriptions = make();
  const io: ExchangeIO = {
    signal: new AbortController().signal,
    notify: (notification) => {
      if (notification.method !== ACK) throw new Error('broken');
    },
  };
  const params = { notifications: { toolsListChanged: true } };
  const broken = subscriptions.listen({ method: 'subscriptions/listen', params }, io);
  const whole = open(subscriptions, { toolsListChanged: true });
  subscriptions.publish({ kind: 'tools' });
  await expect(broken).rejects.toThrow('broken');
  expect(whole.got).toHaveLength(2);
  expect(subscriptions.size).toBe(1);
});

test('the bus is subscribed to by the first stream and left by close', () => {
  const bus = new LocalBus();
  const leave = vi.fn();
  const subscribe = vi.spyOn(bus, 'subscribe').mockReturnValue(leave);
  const subscriptions = make({ bus });
  open(subscriptions, {});
  expect(subscribe).not.toHaveBeenCalled();
  open(subscriptions, { toolsListChanged: true });
  open(subscriptions, { toolsListChanged: true });
  expect(subscribe).toHaveBeenCalledTimes(1);
  subscriptions.close();
  subscriptions.close();
  expect(leave).toHaveBeenCalledTimes(1);
});

test('two servers on one bus tell each other', () => {
  const bus = new LocalBus();
  const stream = open(make({ bus }), { toolsListChanged: true });
  make({ bus }).publish({ kind: 'tools' });
  expect(stream.got).toHaveLength(2);
});

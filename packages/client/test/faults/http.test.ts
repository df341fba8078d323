import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import type { SubscriptionEvent } from '../../src/index.ts';
import {
  type Act,
  both,
  cutAfter,
  cutAt,
  doubleByte,
  type Fault,
  flip,
  gate,
  inject,
  repeat,
  seeded,
  shred,
  split,
} from './faults.ts';
import type { Plan } from './proxy.ts';
import { batches, type Outcome, outcome, range, type World, world } from './world.ts';

let current: World | undefined;
const start = async (...given: Parameters<typeof world>): Promise<World> => {
  current = await world(...given);
  return current;
};
// Whatever a test did, nothing may be left of it.
afterEach(async () => {
  const ending = current;
  current = undefined;
  await ending?.end();
});

/** Spoils the next connection only. */
const once = ({ proxy }: World, plan: Plan): void => {
  proxy.plan = () => {
    proxy.plan = () => undefined;
    return plan;
  };
};

/** How many bytes of each direction a call takes on a new connection. */
async function measure(world: World, call: () => Promise<unknown>): Promise<{ up: number; down: number }> {
  const lengths = { up: 0, down: 0 };
  const counting = (way: 'up' | 'down'): Fault =>
    async function* (bytes) {
      for await (const chunk of bytes) {
        lengths[way] += chunk.length;
        yield chunk;
      }
    };
  once(world, { up: counting('up'), down: counting('down') });
  await call();
  await world.renew();
  return lengths;
}

const hows: readonly Act[] = ['fin', 'rst', 'half'];
/** What a broken connection may look like from here; anything else would be a lie. */
const broken = ['CONNECTION_CLOSED', 'CONNECTION_FAILED'];

const forgedBody =
  '{"jsonrpc":"2.0","id":0,"result":{"resultType":"complete","content":[{"type":"text","text":"forged"}]}}';
const forged = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${forgedBody.length}\r\n\r\n${forgedBody}`;

describe.each(['http', 'fetch'] as const)('over %s', (wire) => {
  const step = wire === 'http' ? 1 : 11;

  test.each([
    ['in JSON, cut at every byte,', 'echo', step],
    ['in a stream, cut at every other byte,', 'steps', 2 * step],
  ])('an answer %s settles its call, and the next call has a new connection', async (_, tool, by) => {
    const world = await start(wire);
    const { client, proxy } = world;
    const { down } = await measure(world, () => client.callTool(tool, { token: 'aß', count: 3 }));
    let right = 0;
    for (const batch of batches(range(0, down, by), 25)) {
      const cuts = batch.map((length) => cutAt(length, hows[length % 3] as Act));
      proxy.plan = () => ({ down: cuts.pop() });
      const heard = batch.map(() => [] as number[]);
      const became = await Promise.all(
        heard.map((values) =>
          outcome(
            client.callTool(tool, { token: 'aß', count: 3 }, { onProgress: ({ progress }) => values.push(progress) }),
          ),
        ),
      );
      for (const [index, each] of became.entries()) {
        expect(heard[index]).toEqual([1, 2, 3].slice(0, heard[index]?.length));
        if ('text' in each) expect(each).toEqual({ text: 'aß' });
        else expect(broken).toContain(each.code);
        if ('text' in each) right++;
      }
      await world.renew();
      expect(await outcome(client.callTool('echo', { token: 'b' }))).toEqual({ text: 'b' });
      await world.renew();
    }
    // Behind the answer there is only the end of its framing.
    expect(right).toBeLessThan(30);
  });

  test('a request cut at every byte settles its call', async () => {
    const world = await start(wire);
    const { client, proxy } = world;
    const { up } = await measure(world, () => client.callTool('echo', { token: 'a' }));
    for (const batch of batches(range(0, up, step), 25)) {
      const cuts = batch.map((length) => cutAt(length, hows[length % 3] as Act));
      proxy.plan = () => ({ up: cuts.pop() });
      const became = await Promise.all(batch.map(() => outcome(client.callTool('echo', { token: 'a' }))));
      // To half a request a server may still say that it is half a request.
      for (const each of became) expect([...broken, 'HTTP_ERROR']).toContain('code' in each ? each.code : each.text);
      await world.renew();
    }
    expect(await outcome(client.callTool('echo', { token: 'b' }))).toEqual({ text: 'b' });
  });

  test.each<[string, Plan]>([
    ['before the answer', { down: cutAt(0, 'stall') }],
    ['in the head', { down: cutAt(30, 'stall') }],
    ['in the body', { down: cutAfter('"resu', 'stall') }],
    ['in an event', { down: cutAfter('"progress":2', 'stall') }],
    ['between events', { down: cutAfter('\n\n', 'stall', { nth: 2 }) }],
    ['in the request', { up: cutAt(30, 'stall') }],
  ])(
    'a connection that falls silent %s ends with the deadline, the caller or the client, whichever comes first',
    async (_, plan) => {
      const world = await start(wire);
      const { client, clock } = world;
      const call = (signal?: AbortSignal): Promise<Outcome> =>
        outcome(client.callTool('steps', { token: 'a', count: 3 }, { signal, timeout: 1000 }));

      once(world, plan);
      const late = call();
      await clock.advance(999);
      await clock.advance(1000);
      expect(await late).toEqual({ code: 'TIMEOUT' });
      await world.renew();

      once(world, plan);
      const controller = new AbortController();
      const abandoned = call(controller.signal);
      await clock.advance(1);
      controller.abort();
      expect(await abandoned).toEqual({ code: 'ABORTED' });
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
      await world.renew();

      expect(await outcome(client.callTool('echo', { token: 'b' }))).toEqual({ text: 'b' });
      await world.renew();

      once(world, plan);
      const closed = call();
      await clock.advance(1);
      await client.close();
      expect(await closed).toEqual({ code: 'CONNECTION_CLOSED' });
    },
  );

  test('bytes that come one by one, or in any pieces, are the same bytes', async () => {
    const world = await start(wire);
    const { client, proxy } = world;
    for (const fault of [split(1), split(2), shred(seeded(1)), shred(seeded(2), 7)]) {
      proxy.plan = () => ({ up: fault, down: fault });
      const heard: number[] = [];
      const calls = Promise.all([
        outcome(client.callTool('echo', { token: 'a\r\n\u2028ß€𝄞' })),
        outcome(
          client.callTool('steps', { token: '𝄞', count: 4 }, { onProgress: ({ progress }) => heard.push(progress) }),
        ),
        outcome(client.callTool('big', { token: 'x', count: 300 })),
      ]);
      expect(await calls).toEqual([{ text: 'a\r\n\u2028ß€𝄞' }, { text: '𝄞' }, { text: `x${'é'.repeat(300)}` }]);
      expect(heard).toEqual([1, 2, 3, 4]);
      await world.renew();
    }
  });

  test('what is held up on the way arrives, or arrives at nobody', async () => {
    const world = await start(wire);
    const { client, clock, proxy } = world;
    const held = gate();
    proxy.plan = () => ({ down: held.fault });
    const controller = new AbortController();
    const calls = ['a', 'b', 'c'].map((token) =>
      outcome(client.callTool('echo', { token }, token === 'b' ? { signal: controller.signal } : {})),
    );
    const late = outcome(client.callTool('steps', { token: 'd', count: 2 }, { timeout: 50 }));
    await held.reached;
    controller.abort();
    expect(await calls[1]).toEqual({ code: 'ABORTED' });
    await clock.advance(50);
    expect(await late).toEqual({ code: 'TIMEOUT' });
    held.open();
    expect(await Promise.all(calls)).toEqual([{ text: 'a' }, { code: 'ABORTED' }, { text: 'c' }]);
    proxy.plan = () => undefined;
    expect(await outcome(client.callTool('echo', { token: 'e' }))).toEqual({ text: 'e' });
  });

  test.each<[string, Plan]>([
    ['an answer that comes twice in one piece', { down: repeat(1) }],
    ['an answer that comes twice in two pieces', { down: repeat(2) }],
    ['another answer before it', { down: inject(forged) }],
    ['another answer before each', { down: inject('HTTP/1.1 204 No Content\r\n\r\n', true) }],
    ['what is no answer before it', { down: inject('SSH-2.0-x\r\n') }],
    [
      'a hundred informational answers before it',
      { down: inject('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100)) },
    ],
  ])('%s never becomes the answer of another call', async (_, plan) => {
    const world = await start(wire);
    const { client, proxy } = world;
    proxy.plan = () => plan;
    for (let round = 0; round < 12; round++) {
      const tokens = Array.from({ length: 3 }, (_, at) => `${round}.${at}`);
      const became = await Promise.all(tokens.map((token) => outcome(client.callTool(at(token), { token, count: 1 }))));
      for (const [index, each] of became.entries()) {
        if ('text' in each) expect(each).toEqual({ text: tokens[index] });
        else expect([...broken, 'PROTOCOL_VIOLATION', 'HTTP_ERROR']).toContain(each.code);
      }
    }
    proxy.plan = () => undefined;
    await world.renew();
    expect(await outcome(client.callTool('echo', { token: 'b' }))).toEqual({ text: 'b' });
  });

  test('one spoilt byte of an answer, wherever it is, costs no other call anything', async () => {
    const world = await start(wire, { timeout: 1000 });
    const { client, clock } = world;
    const random = seeded(7);
    const { down } = await measure(world, () => client.callTool('steps', { token: 'a', count: 1 }));
    for (const index of range(0, down, step * 5)) {
      once(world, { down: index % 2 === 0 ? flip(index, Math.floor(random() * 8)) : doubleByte(index) });
      let settled = false;
      const spoilt = outcome(client.callTool('steps', { token: 'a', count: 1 })).finally(() => {
        settled = true;
      });
      const beside = outcome(client.callTool('echo', { token: `${index}` }));
      expect(await beside).toEqual({ text: `${index}` });
      // Some leave the answer waiting for more; only a deadline ends that.
      while (!settled) await clock.advance(1000);
      await spoilt;
      await world.renew();
    }
    expect(await outcome(client.callTool('echo', { token: 'b' }))).toEqual({ text: 'b' });
  });

  test('among many calls at once, each is answered with its own or told that it broke', async () => {
    const world = await start(wire, { timeout: 5000 });
    const { client, clock, proxy } = world;
    const random = seeded(42);
    const any = (): Plan => {
      const cut = cutAt(
        Math.floor(random() * 900),
        (['fin', 'rst', 'half', 'stall'] as const)[Math.floor(random() * 4)] as Act,
      );
      switch (Math.floor(random() * 5)) {
        case 0:
          return { down: cut };
        case 1:
          return { up: cut };
        case 2:
          return { down: both(shred(random), cut) };
        case 3:
          return { down: repeat(2) };
        default:
          return {};
      }
    };
    proxy.plan = any;
    let right = 0;
    for (let round = 0; round < 6; round++) {
      const tokens = Array.from({ length: 40 }, (_, index) => `${round}:${index}`);
      let open = tokens.length;
      const calls = tokens.map((token) =>
        outcome(client.callTool(at(token), { token, count: 3 })).finally(() => {
          open--;
        }),
      );
      while (open > 0) await clock.advance(1000);
      for (const [index, each] of (await Promise.all(calls)).entries()) {
        if ('text' in each) expect(each).toEqual({ text: tokens[index] });
        else expect([...broken, 'TIMEOUT', 'PROTOCOL_VIOLATION', 'HTTP_ERROR']).toContain(each.code);
        if ('text' in each) right++;
      }
    }
    expect(right).toBeGreaterThan(40);
    expect(right).toBeLessThan(240);
    proxy.plan = () => undefined;
    await world.renew();
    const after = await Promise.all(
      Array.from({ length: 40 }, (_, index) => outcome(client.callTool('echo', { token: `${index}` }))),
    );
    expect(after).toEqual(Array.from({ length: 40 }, (_, index) => ({ text: `${index}` })));
  });

  test('[HTTP-28] handlers of calls whose connection broke are aborted, however it broke', async () => {
    const world = await start(wire);
    const { client, proxy, tokens } = world;
    const calls = Array.from({ length: 20 }, () => outcome(client.callTool('hold', { token: 'a' })));
    await tokens.holding(20);
    proxy.reset();
    for (const each of await Promise.all(calls)) expect(broken).toContain('code' in each ? each.code : each.text);
    await expect.poll(() => tokens.running).toBe(0);
    const alive = outcome(client.callTool('hold', { token: 'b' }));
    await tokens.holding(1);
    tokens.release();
    expect(await alive).toEqual({ text: 'b' });
  });

  test('a question that is asked again over a broken connection ends the call, not the client', async () => {
    let asked = 0;
    const form = async () => {
      asked++;
      return { action: 'accept', content: { word: 'yes' } } as const;
    };
    const world = await start(wire, { handlers: { elicitForm: form } });
    const { client } = world;
    // The first answer, which asks, comes whole; the second is cut.
    world.proxy.plan = () => ({ down: cutAfter('"text":"a y', 'rst') });
    expect(broken).toContain(((await outcome(client.callTool('ask', { token: 'a' }))) as { code: string }).code);
    world.proxy.plan = () => undefined;
    await world.renew();
    expect(await outcome(client.callTool('ask', { token: 'b' }))).toEqual({ text: 'b yes' });
    expect(asked).toBe(2);
  });

  test.each<[string, Plan]>([
    ['between events', { down: cutAfter('acknowledged', 'rst', { beyond: 60 }) }],
    ['in an event', { down: cutAfter('resources/upd', 'fin') }],
    ['in the acknowledgement', { down: cutAfter('acknow', 'half') }],
    ['in the head', { down: cutAt(20, 'rst') }],
  ])('[N01] a subscription whose connection breaks %s is listened to again and tells of the gap', async (_, plan) => {
    const world = await start(wire);
    const { client, clock, proxy, server } = world;
    const events: SubscriptionEvent[] = [];
    const drops: unknown[] = [];
    const subscription = await client.listen(
      { resourceSubscriptions: ['res://a'] },
      { coalesce: 0, onEvent: (event) => events.push(event), onDrop: (drop) => drops.push(drop) },
    );
    for (let round = 1; round <= 3; round++) {
      let dropped = drops.length;
      once(world, plan);
      proxy.reset();
      // Until the spoilt connection has broken too, and the one after it holds.
      const seen = events.length;
      while (!events.slice(seen).some(({ gap }) => gap)) {
        await expect.poll(() => drops.length > dropped || events.length > seen, { interval: 1 }).toBe(true);
        dropped = drops.length;
        server.changed.resource('res://a');
        await clock.advance(30_000);
        server.changed.resource('res://a');
      }
    }
    await expect
      .poll(
        async () => {
          server.changed.resource('res://a');
          await clock.advance(30_000);
          return events.at(-1);
        },
        { interval: 1 },
      )
      .toMatchObject({ kind: 'resource', uri: 'res://a', gap: false });
    await subscription.close();
    expect(await subscription.closed).toBe('local');
  });
});

/** Every other call is answered by a stream. */
const at = (token: string): string => (token.length % 2 === 0 ? 'steps' : 'echo');

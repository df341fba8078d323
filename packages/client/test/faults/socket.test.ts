import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import type { Client, SubscriptionEvent } from '../../src/index.ts';
import {
  type Act,
  both,
  copyLines,
  cutAfter,
  cutAt,
  doubleByte,
  type Fault,
  flip,
  gate,
  inject,
  mergeLines,
  reorderLines,
  seeded,
  shred,
  split,
} from './faults.ts';
import type { Plan } from './proxy.ts';
import { batches, type Outcome, outcome, range, type World, world } from './world.ts';

let current: World | undefined;
const start = async (options?: Parameters<typeof world>[1]): Promise<World> => {
  current = await world('socket', options);
  return current;
};
// Whatever a test did, nothing may be left of it.
afterEach(async () => {
  const ending = current;
  current = undefined;
  await ending?.end();
});

/** A client whose connection is spoilt. */
const spoilt = ({ proxy, connect }: World, plan: Plan): Promise<Client> => {
  proxy.plan = () => {
    proxy.plan = () => undefined;
    return plan;
  };
  return connect();
};

const steps = (client: Client, token: string, heard: string[] = [], signal?: AbortSignal): Promise<Outcome> =>
  outcome(
    client.callTool(
      'steps',
      { token, count: 3 },
      { signal, onProgress: ({ progress, message }) => heard.push(`${progress} ${message}`) },
    ),
  );

const hows: readonly Act[] = ['fin', 'rst', 'half'];

/** Lets time pass until all calls are settled, once nothing comes any more. */
async function waitOut({ clock, proxy }: World, ...calls: Promise<unknown>[]): Promise<void> {
  let open = true;
  void Promise.all(calls).finally(() => {
    open = false;
  });
  while (open) {
    await proxy.still();
    await clock.advance(1000);
  }
}

async function measure(
  world: World,
  call: (client: Client) => Promise<unknown>,
): Promise<{ up: number; down: number }> {
  const lengths = { up: 0, down: 0 };
  const counting = (way: 'up' | 'down'): Fault =>
    async function* (bytes) {
      for await (const chunk of bytes) {
        lengths[way] += chunk.length;
        yield chunk;
      }
    };
  await call(await spoilt(world, { up: counting('up'), down: counting('down') }));
  return lengths;
}

describe.each(['up', 'down'] as const)('the stream %s', (way) => {
  test('cut at every byte settles its call, and a new connection works', async () => {
    const world = await start();
    const lengths = await measure(world, (client) => steps(client, 'aß'));
    let right = 0;
    for (const batch of batches(range(0, lengths[way], 2), 25)) {
      const cuts = batch.map((length) => cutAt(length, hows[length % 3] as Act));
      world.proxy.plan = () => ({ [way]: cuts.pop() });
      const calls = batch.map(async () => {
        const client = await world.connect();
        const heard: string[] = [];
        const became = await steps(client, 'aß', heard);
        expect(heard).toEqual(['1 aß', '2 aß', '3 aß'].slice(0, heard.length));
        // A server whose client has said all it has to say still answers what came whole, and refuses what did not.
        if ('text' in became) right++;
        else expect(['CONNECTION_CLOSED', way === 'up' ? -32700 : undefined]).toContain(became.code);
        expect((await client.closed).by).toBe('peer');
        expect(await steps(client, 'b')).toEqual({ code: 'CONNECTION_CLOSED' });
        await client.close();
      });
      await Promise.all(calls);
    }
    expect(right).toBeLessThan(5);
    world.proxy.plan = () => undefined;
    expect(await steps(await world.connect(), 'c')).toEqual({ text: 'c' });
  });

  test('that falls silent ends with the deadline, the caller or the client, whichever comes first', async () => {
    const world = await start({ timeout: 1000 });
    for (const length of [0, 40, 150]) {
      const acted = world.proxy.acted();
      const client = await spoilt(world, { [way]: cutAt(length, 'stall') });
      const late = steps(client, 'a');
      await acted;
      await world.clock.advance(1000);
      expect(await late).toEqual({ code: 'TIMEOUT' });
      const controller = new AbortController();
      const abandoned = steps(client, 'b', [], controller.signal);
      controller.abort();
      expect(await abandoned).toEqual({ code: 'ABORTED' });
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
      const closed = steps(client, 'c');
      await client.close();
      expect(await closed).toEqual({ code: 'CONNECTION_CLOSED' });
    }
  });

  test('in pieces, in one piece and with empty lines in between is the same stream', async () => {
    const world = await start();
    const faults = [
      split(1),
      shred(seeded(1)),
      shred(seeded(2), 7),
      mergeLines(2),
      copyLines(() => 1),
      inject('\r\n\n', true),
    ];
    for (const fault of faults) {
      const client = await spoilt(world, { [way]: fault });
      const heard: string[] = [];
      const calls = ['a', 'ß€𝄞\u2028', 'c', 'd'].map((token) => steps(client, token, heard));
      expect(await Promise.all(calls)).toEqual([{ text: 'a' }, { text: 'ß€𝄞\u2028' }, { text: 'c' }, { text: 'd' }]);
      expect(heard).toHaveLength(12);
      await client.close();
    }
  });

  test('whose lines come in another order still joins each answer to its call', async () => {
    const world = await start();
    for (const seed of range(0, 10)) {
      const client = await spoilt(world, { [way]: reorderLines(8, seeded(seed)) });
      const tokens = range(0, 16).map((index) => `${seed}.${index}`);
      const heard = tokens.map(() => [] as string[]);
      const calls = tokens.map((token, index) => steps(client, token, heard[index]));
      expect(await Promise.all(calls)).toEqual(tokens.map((text) => ({ text })));
      // Progress may come late and is dropped then; it never reaches another call.
      for (const [index, lines] of heard.entries()) {
        for (const line of lines) expect(line.slice(2)).toBe(tokens[index]);
      }
      await client.close();
    }
  });

  test('with one spoilt byte costs no other call anything but that line', async () => {
    const world = await start({ timeout: 1000 });
    const random = seeded(3);
    const lengths = await measure(world, (client) => steps(client, 'a'));
    for (const batch of batches(range(0, lengths[way], 5), 20)) {
      const clients: Client[] = [];
      const calls: Promise<Outcome>[] = [];
      for (const at of batch) {
        const fault = at % 2 === 0 ? flip(at, Math.floor(random() * 8)) : doubleByte(at);
        const client = await spoilt(world, { [way]: fault });
        clients.push(client);
        calls.push(steps(client, 'a'));
      }
      // A byte that is doubled or turned may be one of the text's own, or of the name of the tool.
      await waitOut(world, ...calls);
      await Promise.all(calls);
      // What comes after the line that was spoilt is read, except where its own end was.
      const after = clients.map((client) => [steps(client, 'b'), steps(client, 'c')] as const);
      for (const [, second] of after) expect(await second).toEqual({ text: 'c' });
      await waitOut(world, ...after.map(([first]) => first));
      for (const [first] of after) expect(['b', 'TIMEOUT', -32700]).toContain(Object.values(await first)[0]);
      await Promise.all(clients.map((client) => client.close()));
    }
  });
});

test('answers that come twice, and to calls that were given up, are nobody else’s', async () => {
  const world = await start();
  const held = gate();
  const client = await spoilt(world, {
    down: both(
      held.fault,
      copyLines((line) => (line.includes('"result"') ? 2 : 1)),
    ),
  });
  const controller = new AbortController();
  const abandoned = steps(client, 'a', [], controller.signal);
  const calls = ['b', 'c'].map((token) => steps(client, token));
  await held.reached;
  controller.abort();
  held.open();
  expect(await abandoned).toEqual({ code: 'ABORTED' });
  expect(await Promise.all(calls)).toEqual([{ text: 'b' }, { text: 'c' }]);
  expect(await steps(client, 'd')).toEqual({ text: 'd' });
  expect(new Set(world.warnings.map(({ kind }) => kind))).toEqual(new Set(['duplicate-answer']));
});

test('requests that come twice are answered once and refused once, and the call has its answer or the refusal', async () => {
  const world = await start();
  const client = await spoilt(world, { up: copyLines(() => 2) });
  for (const token of ['a', 'b', 'c']) {
    const became = await steps(client, token);
    if ('text' in became) expect(became).toEqual({ text: token });
    else expect(became).toEqual({ code: -32600 });
  }
});

test('[N01] a subscription ends as lost with its stream, and events before that were whole', async () => {
  const world = await start();
  const plans: Plan[] = [
    { down: cutAfter('resources/updated', 'rst', { nth: 2 }) },
    { down: cutAfter('resources/updated', 'fin', { nth: 2 }) },
    { down: cutAfter('resources/updated', 'half', { nth: 2 }) },
  ];
  for (const plan of plans) {
    const client = await spoilt(world, plan);
    const events: SubscriptionEvent[] = [];
    const subscription = await client.listen(
      { resourceSubscriptions: ['res://a'] },
      { coalesce: 0, onEvent: (event) => events.push(event) },
    );
    world.server.changed.resource('res://a');
    await expect.poll(() => events.length, { interval: 1 }).toBe(1);
    world.server.changed.resource('res://a');
    expect(await subscription.closed).toBe('lost');
    expect(events).toEqual([{ kind: 'resource', uri: 'res://a', gap: false }]);
    await client.close();
  }
});

test('handlers are aborted when their connection breaks, and answer when only the other half is closed', async () => {
  const world = await start();
  const { tokens } = world;
  const one = await world.connect();
  const broken = range(0, 10).map(() => outcome(one.callTool('hold', { token: 'a' })));
  await tokens.holding(10);
  world.proxy.reset();
  for (const each of await Promise.all(broken)) expect(each).toEqual({ code: 'CONNECTION_CLOSED' });
  await expect.poll(() => tokens.running).toBe(0);

  const acted = world.proxy.acted();
  const other = await spoilt(world, { up: cutAfter('"tools/call"', 'half', { nth: 10 }) });
  const half = range(0, 10).map((index) => outcome(other.callTool('hold', { token: `${index}` })));
  await acted;
  await tokens.holding(9);
  tokens.release();
  const became = await Promise.all(half);
  expect(became.slice(0, 9)).toEqual(range(0, 9).map((index) => ({ text: `${index}` })));
  // To half a request a server may still say that it is half a request.
  expect(['CONNECTION_CLOSED', -32700]).toContain(Object.values(became[9] as Outcome)[0]);
});

test('among many clients at once, each call is answered with its own or told that it broke', async () => {
  const world = await start({ timeout: 5000 });
  const random = seeded(11);
  const any = (): Plan => {
    const how = (['fin', 'rst', 'half', 'stall'] as const)[Math.floor(random() * 4)] as Act;
    const cut = cutAt(Math.floor(random() * 12_000), how);
    switch (Math.floor(random() * 5)) {
      case 0:
        return { down: cut };
      case 1:
        return { up: both(shred(random), cut) };
      case 2:
        return { down: both(reorderLines(3, random), cut) };
      case 3:
        return { down: copyLines(() => 1 + Math.floor(random() * 2)) };
      default:
        return { up: shred(random), down: shred(random) };
    }
  };
  world.proxy.plan = any;
  const clients = await Promise.all(range(0, 20).map(() => world.connect()));
  const calls = clients.flatMap((client, who) =>
    range(0, 20).map(async (index) => ({ token: `${who}:${index}`, became: await steps(client, `${who}:${index}`) })),
  );
  await waitOut(world, ...calls);
  let right = 0;
  for (const { token, became } of await Promise.all(calls)) {
    if ('text' in became) expect(became).toEqual({ text: token });
    else expect(['CONNECTION_CLOSED', 'TIMEOUT']).toContain(became.code);
    if ('text' in became) right++;
  }
  expect(right).toBeGreaterThan(100);
  expect(right).toBeLessThan(400);
});

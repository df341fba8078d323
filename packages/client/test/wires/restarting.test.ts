import { afterEach, describe, expect, test } from 'vitest';
import {
  type Client,
  connect,
  DragomanError,
  type StdioOptions,
  type StdioWire,
  type SubscriptionEvent,
} from '../../src/index.ts';
import type { WireIO } from '../../src/wires/wire.ts';
import { rejection, request, surroundings, watch } from './far-side.ts';
import { lives, serverSource, serve as start } from './process-far-side.ts';

/** A server that says which process it is, and dies when it is told to. */
const mortal = `
  const { id, method, params } = message;
  globalThis.count = (globalThis.count ?? 0) + 1;
  const subscriptionId = { 'io.modelcontextprotocol/subscriptionId': id };
  if (method === 'server/discover') {
    answer(id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private' });
  } else if (method === 'subscriptions/listen') {
    say({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: params.notifications, _meta: subscriptionId } });
  } else if (params.name === 'die') {
    process.stderr.write('out of memory\\n', () => process.exit(3));
  } else if (params.name === 'count') {
    answer(id, { resultType: 'complete', count });
  } else if (params.name === 'who') {
    answer(id, { resultType: 'complete', content: [{ type: 'text', text: String(process.pid) }] });
  }
`;
const command = { command: process.execPath, args: ['-e', serverSource(mortal)] };

const open: { close(): Promise<unknown> }[] = [];
const kept = <T extends { close(): Promise<unknown> }>(one: T): T => {
  open.push(one);
  return one;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const serve = async (options: StdioOptions): Promise<StdioWire> => kept(await start(mortal, options));
const call = (wire: StdioWire, name: string) => wire.exchange(request('tools/call', { name }), surroundings());
const who = async (client: Client): Promise<number> => {
  const [block] = (await client.callTool('who')).content;
  return Number(block?.type === 'text' ? block.text : Number.NaN);
};

describe('[STDIO-19] [P05] [P22] a process that ends by itself', () => {
  test('is started again with the next call, and what was pending is lost', async () => {
    const client = kept(await connect(command, { restarts: 1 }));
    const warnings: string[] = [];
    client.on('warning', ({ kind, message }) => warnings.push(`${kind}: ${message}`));
    const before = await who(client);
    // [STDIO-20] The server may have acted on it, so it is not sent again.
    const pending = client.callTool('never');
    const died = await rejection(client.callTool('die'));
    expect(died).toMatchObject({ code: 'CONNECTION_CLOSED', details: { exitCode: 3 } });
    expect(await rejection(pending)).toMatchObject({ code: 'CONNECTION_CLOSED' });

    const after = await Promise.all([who(client), who(client)]);
    expect(after[0]).not.toBe(before);
    expect(after[1]).toBe(after[0]);
    expect(warnings).toEqual([
      expect.stringMatching(/^restart: The server process exited with code 3 .*out of memory/),
    ]);
  });

  test('ends the connection where that was once too often', async () => {
    const client = kept(await connect(command, { restarts: 1 }));
    await rejection(client.callTool('die'));
    await rejection(client.callTool('die'));
    expect(await client.closed).toMatchObject({ by: 'peer', error: { details: { exitCode: 3 } } });
    expect(await rejection(client.callTool('who'))).toMatchObject({ code: 'CONNECTION_CLOSED' });
  });

  test('may end any number of times, one window after another', async () => {
    const client = kept(await connect(command, { restarts: 1, restartWindow: 0 }));
    const seen = new Set<number>();
    for (let n = 0; n < 3; n++) {
      seen.add(await who(client));
      await rejection(client.callTool('die'));
    }
    expect(seen.size).toBe(3);
  });

  test('ends the connection where nobody said otherwise', async () => {
    const client = kept(await connect(command));
    await rejection(client.callTool('die'));
    expect(await client.closed).toMatchObject({ by: 'peer' });
    await rejection(client.callTool('who'));
  });
});

test('[STDIO-21] [SUBS-17] a subscription is opened again at the new process, with a gap', async () => {
  const client = kept(await connect(command, { restarts: 1 }));
  const events: SubscriptionEvent[] = [];
  let told = (): void => {};
  const came = new Promise<void>((resolve) => {
    told = resolve;
  });
  const subscription = await client.listen(
    { toolsListChanged: true },
    {
      backoff: { base: 1 },
      coalesce: 0,
      onEvent: (event) => {
        events.push(event);
        told();
      },
    },
  );
  await rejection(client.callTool('die'));
  await came;
  expect(events).toEqual([{ kind: 'tools', gap: true }]);
  expect(subscription.honored).toEqual({ toolsListChanged: true });
  await subscription.close();
});

describe('while another process is being started', () => {
  /** A wire whose process has died, and whose next one starts when it is let to. */
  async function between(): Promise<{ wire: StdioWire; release: () => void; pids: number[] }> {
    const { spawn } = await import('node:child_process');
    const pids: number[] = [];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const wire = await serve({
      restarts: 5,
      spawn: (...args) => {
        const child = spawn(...args);
        if (child.pid !== undefined) pids.push(child.pid);
        if (pids.length > 1) {
          // It runs; that it does is told later.
          const emit = child.emit.bind(child);
          child.emit = ((event: string, ...more: unknown[]) => {
            if (event !== 'spawn') return emit(event, ...more);
            void held.then(() => emit(event, ...more));
            return true;
          }) as typeof child.emit;
        }
        return child;
      },
    });
    await rejection(call(wire, 'die'));
    return { wire, release, pids };
  }

  test('a call can be given up, by its signal and by its canceller', async () => {
    const { wire, release } = await between();
    const given = surroundings();
    const aborted = rejection(wire.exchange(request('tools/call', { name: 'who' }), given));
    given.abort();
    expect(await aborted).toMatchObject({ code: 'ABORTED' });
    let cancel: ((error: DragomanError) => void) | undefined;
    const io: WireIO = {
      ...surroundings(),
      onCancel: (pending) => {
        cancel = (error) => pending.cancel(error);
      },
    };
    const cancelled = rejection(wire.exchange(request('tools/call', { name: 'who' }), io));
    cancel?.(new DragomanError('TIMEOUT', 'enough'));
    expect((await cancelled).message).toBe('enough');
    release();
    // Neither was ever sent.
    expect(await call(wire, 'count')).toMatchObject({ count: 1 });
  });

  test('[P10] [P11] a wire that is closed leaves no process behind', async () => {
    const { wire, release, pids } = await between();
    const pending = rejection(call(wire, 'who'));
    const closing = wire.close();
    release();
    await closing;
    expect(await pending).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(await wire.closed).toEqual({ by: 'local' });
    expect(pids.filter(lives)).toEqual([]);
  });
});

test('a program that cannot be started again ends the connection, and every call is told why', async () => {
  const { spawn } = await import('node:child_process');
  let starts = 0;
  const wire = await serve({
    restarts: 1,
    spawn: (program, args, options) => spawn(++starts === 1 ? program : '/no/such/program', args, options),
  });
  await rejection(call(wire, 'die'));
  expect(await rejection(call(wire, 'who'))).toMatchObject({ code: 'CONNECTION_FAILED' });
  expect(await wire.closed).toMatchObject({ by: 'peer', error: { code: 'CONNECTION_FAILED' } });
  expect(await rejection(call(wire, 'who'))).toMatchObject({ code: 'CONNECTION_FAILED' });
});

test('whoever listens hears of every process, until he stops', async () => {
  const wire = await serve({ restarts: 5 });
  const seen = watch(wire);
  const texts: string[] = [];
  const stop = wire.observe?.({ stderr: (text) => texts.push(text) });
  const first = wire.pid;
  await rejection(call(wire, 'die'));
  await call(wire, 'who');
  expect(wire.pid).not.toBe(first);
  expect(seen.traces.length).toBe(3);
  await rejection(call(wire, 'die'));
  expect(wire.stderrTail()).toBe('out of memory\n');
  expect(texts.join('')).toBe('out of memory\nout of memory\n');
  stop?.();
  await call(wire, 'who');
  await rejection(call(wire, 'die'));
  expect(texts.join('')).toBe('out of memory\nout of memory\n');
  expect(seen.kinds()).toEqual(['restart']);
});

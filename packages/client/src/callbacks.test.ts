import { DragomanError, type Middleware } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { ask, failureOf, form, setUp } from '../test/support/asking-server.ts';
import { ManualClock, settled } from '../test/support/manual-clock.ts';
import { ScriptedWire, silence, text } from '../test/support/scripted-wire.ts';
import { Client } from './client.ts';
import type { InputContext } from './input/handlers.ts';

/** What an async function does that was given where nothing is to be returned. */
const boom = (): unknown => Promise.reject(new Error('boom'));

describe('functions of the user', () => {
  test('that are async and reject cost a warning, not the process', async () => {
    const { call, client, warnings } = setUp(
      [
        (_request, io) => {
          io.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
          io.notify({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
          return ask({ k: form() });
        },
        text('done'),
      ],
      { elicitForm: () => ({ action: 'decline' }) },
    );
    client.on('close', boom);
    await call({ onProgress: boom, onLog: boom, onRound: boom, onReply: boom });
    await client.close();
    await settled();
    const failed = warnings.map(({ kind, message }) => `${kind}: ${message}`);
    for (const name of ['onProgress', 'onLog', 'onRound', 'onReply', 'A listener of close']) {
      expect(failed).toContain(`callback-failed: ${name} threw: boom`);
    }
  });

  test('may take themselves out and put themselves in again while they are told', async () => {
    const { client } = setUp([{ content: [] }]);
    let told = 0;
    let stop = (): void => {};
    const again = (): void => {
      stop();
      told += 1;
      if (told > 100) throw new Error('told without end');
      stop = client.on('warning', again);
    };
    stop = client.on('warning', again);
    await client.callTool('a');
    expect(told).toBe(1);
  });
});

describe('a middleware', () => {
  test('that cannot be wrapped around the others leaves them as they are', async () => {
    const { client } = setUp([text('done')]);
    const throwing: Middleware = () => {
      throw new Error('boom');
    };
    expect(() => client.use(throwing)).toThrow('boom');
    expect(() => client.use(7 as never)).toThrow(/must be a function, not 7/);
    expect(() => client.use((() => undefined) as never)).toThrow(/must return a function, not nothing/);
    const passed: string[] = [];
    client.use((exchange) => (request, io) => {
      passed.push(request.method);
      return exchange(request, io);
    });
    await client.callTool('a');
    expect(passed).toEqual(['tools/call']);
  });

  test('that throws before there is a promise leaves no timer behind', async () => {
    const clock = new ManualClock();
    const client = new Client(new ScriptedWire(silence), {
      era: 'modern',
      clock,
      middleware: [
        () => () => {
          throw new Error('boom');
        },
      ],
    });
    await expect(client.callTool('a')).rejects.toThrow('boom');
    await expect(client.callTool('a', {}, { maxTime: 60_000 })).rejects.toThrow('boom');
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow('boom');
    expect(clock.pending).toBe(0);
  });

  test('that waits for ever does not keep a call that was given up', async () => {
    const client = new Client(new ScriptedWire(silence), {
      era: 'modern',
      middleware: [() => () => new Promise(() => {})],
    });
    const controller = new AbortController();
    const call = failureOf(client.callTool('a', {}, { signal: controller.signal }));
    controller.abort('enough');
    expect(await call).toMatchObject({ code: 'ABORTED', cause: 'enough' });
  });
});

test.each([{}, 7, { aborted: false }, 'x'])('a signal that is none is refused: %j', async (signal) => {
  const { client, wire } = setUp([text('done')]);
  expect(await failureOf(client.callTool('a', {}, { signal: signal as never }))).toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
  expect(await failureOf(client.listen({}, { signal: signal as never }))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(wire.seen).toEqual([]);
  await client.close();
});

describe('a question that is being answered', () => {
  function asking() {
    let asked: (context: InputContext) => void = () => {};
    const question = new Promise<InputContext>((resolve) => {
      asked = resolve;
    });
    const given = setUp([ask({ k: form() })], {
      elicitForm: (_params, context) => {
        asked(context);
        return new Promise(() => {});
      },
    });
    return { ...given, question };
  }

  test('ends with the client', async () => {
    const { call, client, question } = asking();
    const failure = failureOf(call());
    const { signal } = await question;
    await client.close();
    expect(await failure).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(signal.aborted).toBe(true);
  });

  test('ends with the connection', async () => {
    const { call, wire, question } = asking();
    const failure = failureOf(call());
    const { signal } = await question;
    wire.lose(new DragomanError('CONNECTION_CLOSED', 'the process exited'));
    expect(await failure).toMatchObject({ code: 'CONNECTION_CLOSED', message: 'the process exited' });
    expect(signal.aborted).toBe(true);
  });

  test('is not asked any more after the end', async () => {
    const { client, wire } = setUp([ask({ k: form() })], { elicitForm: () => expect.unreachable('nobody is there') });
    client.use((exchange) => async (request, io) => {
      wire.lose();
      await client.closed;
      return exchange(request, io);
    });
    expect(await failureOf(client.callTool('a'))).toMatchObject({ code: 'CONNECTION_CLOSED' });
  });
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'smb://host/x', 'search-ms:query=x'])(
  '[Z03] %s is shown to nobody',
  async (address) => {
    const question = { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: address } };
    const { call, wire, warnings } = setUp([ask({ k: question }), text('done')], {
      elicitUrl: () => expect.unreachable('it was shown'),
    });
    await call();
    expect(wire.seen[1]?.params.inputResponses).toEqual({ k: { action: 'cancel' } });
    expect(warnings.map(({ kind }) => kind)).toEqual(['elicitation']);
  },
);

test('a wire that cannot be closed does not make close reject', async () => {
  const wire = new ScriptedWire(() => text('done'));
  wire.close = () => Promise.reject(new Error('stuck'));
  const kinds: string[] = [];
  const client = new Client(wire, { era: 'modern', onWarning: ({ kind }) => kinds.push(kind) });
  await client.close();
  expect(kinds).toEqual(['callback-failed']);
});

test.each([
  ['rounds', [-1, 0.5, Number.NaN, '3', null]],
  ['idleRounds', [0, Number.NaN]],
  ['pages', [0, -1, 1.5, Number.NaN, '3']],
  ['bufferedEvents', [0, Number.NaN]],
] as const)('a bound that bounds nothing is refused: %s', (name, values) => {
  const make = (value: unknown) =>
    new Client(new ScriptedWire(silence), { limits: { [name]: value } as { rounds: number } });
  for (const value of values) expect(() => make(value)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  make(Number.POSITIVE_INFINITY);
});

test('a bound that is named without a value is the default', async () => {
  const { call, wire } = setUp(
    [ask({ k: { method: 'roots/list' } })],
    { roots: [] },
    { limits: { rounds: undefined } as never },
  );
  expect(await failureOf(call())).toMatchObject({ code: 'INPUT_LOOP' });
  expect(wire.seen).toHaveLength(11);
});

test.each([
  [7, {}],
  ['x', null],
  ['x', 7],
])('a request that is none is refused: %j with %j', async (method, params) => {
  const { client, wire } = setUp([text('done')]);
  const failure = await failureOf(client.request(method as string, params as never));
  expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(wire.seen).toEqual([]);
});

test('a wire whose end cannot be known has ended', async () => {
  const wire = Object.assign(new ScriptedWire(() => text('done')), { closed: Promise.reject(new Error('broken')) });
  const client = new Client(wire, { era: 'modern' });
  expect(await client.closed).toMatchObject({ by: 'peer', error: { cause: { message: 'broken' } } });
});

import { DragomanError, type ExchangeIO, type Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { ManualClock, settled } from '../../test/support/manual-clock.ts';
import { type Answering, ScriptedWire, silence, text } from '../../test/support/scripted-wire.ts';
import { Client } from '../client.ts';
import { LONGEST_TIMER, systemClock } from '../clock.ts';
import type { ClientOptions } from '../options.ts';
import type { Cancellable, WireIO } from '../wires/wire.ts';

function setUp(answering: Answering, options?: ClientOptions) {
  const clock = new ManualClock();
  const wire = new ScriptedWire(answering);
  const client = new Client(wire, { clock, era: 'modern', ...options });
  return { clock, wire, client };
}

/** A server that tells of progress whenever the test says so, and answers when it says so. */
function slow() {
  let io: ExchangeIO | undefined;
  let answer: (result: Result) => void = () => {};
  return {
    answering: (_request: unknown, given: ExchangeIO): Promise<Result> => {
      io = given;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    progress: (progress: number) =>
      io?.notify({ method: 'notifications/progress', params: { progressToken: 1, progress } }),
    log: () => io?.notify({ method: 'notifications/message', params: { level: 'info', data: 1 } }),
    signal: () => io?.signal,
    answer: () => answer(text('done')),
  };
}

describe('timeout', () => {
  test('[M01][CANC-09][CANC-10] ends a call that is not answered, and cancels it at the wire', async () => {
    const server = slow();
    const { clock, client } = setUp(server.answering);
    const call = client.callTool('work').catch((reason: unknown) => reason);
    await clock.advance(59_999);
    expect(server.signal()?.aborted).toBe(false);
    await clock.advance(1);
    const error = (await call) as DragomanError;
    expect(error).toMatchObject({
      code: 'TIMEOUT',
      details: { method: 'tools/call', option: 'timeout', milliseconds: 60_000 },
    });
    expect(error.message).toBe(
      'tools/call "work" got no answer from http://scripted.test/mcp within 60000 ms; allow more with "timeout"',
    );
    expect(server.signal()?.reason).toBe(error);
    expect(clock.pending).toBe(0);
  });

  test.each(['http', 'stdio', 'stream', 'memory'] as const)('[P23][M01] holds over %s', async (kind) => {
    const clock = new ManualClock();
    const client = new Client(new ScriptedWire(silence, kind), { clock, era: 'modern', timeout: 10 });
    const call = client.callTool('work').catch((reason: unknown) => reason);
    await clock.advance(10);
    expect(await call).toMatchObject({ code: 'TIMEOUT' });
  });

  test('[G01][CANC-12] starts anew with progress that nobody listens to, with one timer', async () => {
    const server = slow();
    const { clock, client, wire } = setUp(server.answering);
    const call = client.callTool('work');
    await settled();
    expect(wire.seen[0]?.meta.progressToken).toBe(1);
    for (let step = 1; step <= 9; step++) {
      await clock.advance(40_000);
      server.progress(step);
      server.log();
    }
    expect(clock.pending).toBe(1);
    expect(clock.set).toBeLessThan(20);
    server.answer();
    expect(await call).toEqual(text('done'));
    expect(clock.pending).toBe(0);
  });

  test('[T054] does not hold for a subscription, whoever asks for it', async () => {
    const { clock, client } = setUp(silence, { timeout: 10 });
    const controller = new AbortController();
    const raw = client.request('subscriptions/listen', { notifications: {} }).catch((reason: unknown) => reason);
    const io = { signal: controller.signal, notify: () => {} };
    void client.exchange({ method: 'subscriptions/listen', params: { notifications: {} } }, io).catch(() => {});
    await settled();
    expect(clock.pending).toBe(0);
    await client.close();
    expect(await raw).toMatchObject({ code: 'CONNECTION_CLOSED' });
  });

  test('does not start anew with log messages', async () => {
    const server = slow();
    const { clock, client } = setUp(server.answering, { timeout: 100 });
    const call = client.callTool('work').catch((reason: unknown) => reason);
    await clock.advance(60);
    server.log();
    await clock.advance(40);
    expect(await call).toMatchObject({ code: 'TIMEOUT' });
  });

  test('[CANC-11] can be set for one call, and Infinity sets no timer', async () => {
    const { clock, client } = setUp(silence);
    const call = client.callTool('work', {}, { timeout: 5 }).catch((reason: unknown) => reason);
    await clock.advance(5);
    expect(await call).toMatchObject({ code: 'TIMEOUT', details: { milliseconds: 5 } });
    void client.callTool('work', {}, { timeout: Number.POSITIVE_INFINITY }).catch(() => {});
    await settled();
    expect(clock.pending).toBe(0);
  });

  test.each([0, -1, Number.NaN])('of %s is refused, for a call and for a client', async (timeout) => {
    const { client, wire } = setUp(silence);
    await expect(client.callTool('work', {}, { timeout })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(wire.methods).toEqual([]);
    expect(() => new Client(wire, { timeout })).toThrow(/timeout must be more than 0 ms/);
    expect(() => new Client(wire, { startTimeout: timeout })).toThrow(/startTimeout/);
  });

  test('[CANC-07] an answer, an error or a notification that comes too late changes nothing', async () => {
    let io: ExchangeIO | undefined;
    let settle: { resolve(result: Result): void; reject(reason: unknown): void } | undefined;
    const heard: number[] = [];
    const { clock, client } = setUp((_request, given) => {
      io = given;
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
      });
    });
    const options = { timeout: 5, onProgress: ({ progress }: { progress: number }) => heard.push(progress) };
    for (const late of ['resolve', 'reject'] as const) {
      const call = client.callTool('work', {}, options).catch((reason: unknown) => reason);
      await clock.advance(5);
      expect(await call).toMatchObject({ code: 'TIMEOUT' });
      io?.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 9 } });
      if (late === 'resolve') settle?.resolve(text('late'));
      else settle?.reject(new Error('late'));
      await settled();
    }
    expect(heard).toEqual([]);
  });

  test('a wire that wants the call rather than a signal is handed its end', async () => {
    const cancelled: unknown[] = [];
    const { clock, client, wire } = setUp(silence, { timeout: 5 });
    Object.assign(wire, {
      exchange: (_request: unknown, io: WireIO) => {
        const call: Cancellable = { cancel: (error) => cancelled.push(error) };
        io.onCancel?.(call);
        return new Promise(() => {});
      },
    });
    const other = new Client(wire, { clock, era: 'modern', timeout: 5 });
    const call = other.callTool('work').catch((reason: unknown) => reason);
    await clock.advance(5);
    expect(cancelled).toEqual([await call]);
    await client.close();
  });
});

describe('signal', () => {
  test('[CANC-01] gives a call up with the reason as cause, and leaves no listener behind', async () => {
    const server = slow();
    const { client, clock } = setUp(server.answering);
    const controller = new AbortController();
    const call = client.callTool('work', {}, { signal: controller.signal }).catch((reason: unknown) => reason);
    await settled();
    const why = new Error('changed my mind');
    controller.abort(why);
    const error = await call;
    expect(error).toMatchObject({
      code: 'ABORTED',
      cause: why,
      message: 'tools/call "work" was aborted by its caller',
    });
    expect(server.signal()?.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('that has aborted already keeps the call from being sent', async () => {
    const { client, wire } = setUp(silence);
    const call = client.callTool('work', {}, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    expect(wire.methods).toEqual([]);
  });

  test('that aborts after the answer does nothing', async () => {
    let signal: AbortSignal | undefined;
    const { client } = setUp((_request, io) => {
      signal = io.signal;
      return text('done');
    });
    const controller = new AbortController();
    await client.callTool('work', {}, { signal: controller.signal });
    controller.abort();
    expect(signal?.aborted).toBe(false);
  });

  test('a signal first looked at after the end has aborted', async () => {
    let io: ExchangeIO | undefined;
    const { client, clock } = setUp((_request, given) => {
      io = given;
      return new Promise(() => {});
    });
    const call = client.callTool('work', {}, { timeout: 1 }).catch((reason: unknown) => reason);
    await clock.advance(1);
    expect(io?.signal.reason).toBe(await call);
  });
});

describe('maxTime', () => {
  test('[CANC-13] ends a call whatever progress there is', async () => {
    const server = slow();
    const { clock, client } = setUp(server.answering);
    const call = client.callTool('work', {}, { maxTime: 100_000 }).catch((reason: unknown) => reason);
    for (let step = 1; step <= 3; step++) {
      await clock.advance(30_000);
      server.progress(step);
    }
    await clock.advance(10_000);
    expect(await call).toMatchObject({
      code: 'TIMEOUT',
      message: 'tools/call "work" took longer than 100000 ms in all; allow more with "maxTime"',
      details: { option: 'maxTime', milliseconds: 100_000 },
    });
    expect(server.signal()?.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('can be the client’s, and leaves a call that is answered alone', async () => {
    const server = slow();
    const { clock, client } = setUp(server.answering, { maxTime: 50 });
    const late = client.callTool('work').catch((reason: unknown) => reason);
    await clock.advance(50);
    expect(await late).toMatchObject({ code: 'TIMEOUT', details: { option: 'maxTime' } });
    const intime = client.callTool('work');
    await clock.advance(49);
    server.answer();
    expect(await intime).toEqual(text('done'));
    expect(clock.pending).toBe(0);
  });

  test('counts the time of questions to the user too, whose handler is told', async () => {
    let signal: AbortSignal | undefined;
    const asking: Answering = () => ({ resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } });
    const { clock, client } = setUp(asking, {
      handlers: {
        roots: (context) => {
          signal = context.signal;
          return new Promise(() => {});
        },
      },
    });
    const call = client.callTool('work', {}, { maxTime: 1_000_000 }).catch((reason: unknown) => reason);
    await clock.advance(1_000_000);
    expect(await call).toMatchObject({ code: 'TIMEOUT', details: { option: 'maxTime' } });
    expect(signal?.aborted).toBe(true);
  });

  test('lets the caller’s signal go first', async () => {
    const { clock, client } = setUp(silence, { maxTime: 50 });
    const controller = new AbortController();
    const call = client.callTool('work', {}, { signal: controller.signal }).catch((reason: unknown) => reason);
    await settled();
    controller.abort();
    expect(await call).toMatchObject({ code: 'ABORTED' });
    expect(clock.pending).toBe(0);
    const early = client.callTool('work', {}, { signal: AbortSignal.abort() });
    await expect(early).rejects.toMatchObject({ code: 'ABORTED' });
    expect(clock.pending).toBe(0);
  });

  test('holds even where something in between does not listen', async () => {
    const { clock, client } = setUp(silence);
    client.use(() => () => new Promise(() => {}));
    const call = client.callTool('work', {}, { maxTime: 5 }).catch((reason: unknown) => reason);
    await clock.advance(5);
    expect(await call).toMatchObject({ code: 'TIMEOUT' });
  });

  test.each([-1, Number.NaN])('of %s is refused', async (maxTime) => {
    const { client } = setUp(silence);
    await expect(client.callTool('work', {}, { maxTime })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('of Infinity is none', async () => {
    const { client, clock } = setUp(() => text('done'));
    await client.callTool('work', {}, { maxTime: Number.POSITIVE_INFINITY, timeout: Number.POSITIVE_INFINITY });
    expect(clock.set).toBe(0);
  });
});

describe('close', () => {
  test('ends what is under way, refuses what comes after, and is told once', async () => {
    const { client, wire, clock } = setUp(silence);
    const reasons: unknown[] = [];
    client.on('close', (reason) => reasons.push(reason));
    const calls = [client.callTool('a'), client.readResource('x:y')].map((call) =>
      call.catch((reason: unknown) => reason),
    );
    await settled();
    await Promise.all([client.close(), client.close()]);
    for (const call of calls) expect(await call).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(await client.closed).toEqual({ by: 'local' });
    expect(reasons).toEqual([{ by: 'local' }]);
    expect(wire.closes).toBe(1);
    expect(clock.pending).toBe(0);
    await expect(client.callTool('a')).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    const io = { signal: new AbortController().signal, notify: () => {} };
    await expect(client.exchange({ method: 'x', params: {} }, io)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(wire.methods).toEqual(['tools/call', 'resources/read']);
  });

  test('by the far side is told too', async () => {
    const { client, wire } = setUp(silence);
    const error = new DragomanError('CONNECTION_CLOSED', 'gone');
    wire.lose(error);
    expect(await client.closed).toEqual({ by: 'peer', error });
  });

  test('with await using', async () => {
    const { client, wire } = setUp(silence);
    await client[Symbol.asyncDispose]();
    expect(wire.closes).toBe(1);
  });
});

test('a timer that fires early, as that of a very long wait does, is set again', async () => {
  class ShortTimers extends ManualClock {
    override setTimeout(callback: () => void, milliseconds: number) {
      return super.setTimeout(callback, Math.min(milliseconds, 1_000));
    }
  }
  const clock = new ShortTimers();
  const client = new Client(new ScriptedWire(silence), { clock, era: 'modern' });
  for (const options of [{ timeout: 3_500 }, { maxTime: 3_500 }]) {
    const call = client.callTool('work', {}, options).catch((reason: unknown) => reason);
    await clock.advance(3_499);
    expect(clock.pending).toBeGreaterThan(0);
    await clock.advance(1);
    expect(await call).toMatchObject({ code: 'TIMEOUT', details: { milliseconds: 3_500 } });
    expect(clock.pending).toBe(0);
  }
});

test('the machine’s clock takes delays that its timers do not', () => {
  const timer = systemClock.setTimeout(() => {}, 1e12);
  systemClock.clearTimeout(timer);
  expect(LONGEST_TIMER).toBe(2_147_483_647);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
  expect(systemClock.monotonic()).toBeGreaterThan(0);
});

import { DragomanError, type Exchange, McpError, type Request } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { rejection, request, surroundings, watch } from '../../test/wires/far-side.ts';
import { memoryWire } from './memory.ts';

const overExchange = (exchange: Exchange) => memoryWire({ exchange });

describe('messages', () => {
  test('[TRN-02] requests, notifications and results go through JSON as on any wire', async () => {
    let got: Request | undefined;
    const result = { resultType: 'complete', list: [1, undefined], gone: undefined, date: new Date(0) };
    const wire = overExchange(async (asked, io) => {
      got = asked;
      io.notify({ method: 'notifications/progress', params: { progressToken: 'p', progress: 1, gone: undefined } });
      return result;
    });
    const sent = request('tools/call', { name: 'x', arguments: { date: new Date(0), gone: undefined } });
    const io = surroundings();
    const answer = await wire.exchange(sent, io);
    expect(got).toEqual({
      method: 'tools/call',
      params: { name: 'x', arguments: { date: '1970-01-01T00:00:00.000Z' }, _meta: sent.params._meta },
    });
    expect(got?.params).not.toBe(sent.params);
    expect(answer).toStrictEqual({ resultType: 'complete', list: [1, null], date: '1970-01-01T00:00:00.000Z' });
    expect(io.notified).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
    ]);
    expect(io.notified[0]?.params).not.toHaveProperty('gone');
  });

  test('an McpError crosses with code, message and data', async () => {
    const wire = overExchange(async () => {
      throw new McpError(-32602, 'Unknown tool', { data: { name: 'x', gone: undefined } });
    });
    const error = await rejection(wire.exchange(request('tools/call'), surroundings()));
    expect(error).toBeInstanceOf(McpError);
    expect(error).toMatchObject({ code: -32602, message: 'Unknown tool', data: { name: 'x' } });
  });

  test.each([
    [
      'an error',
      () => {
        throw new Error('the password is x');
      },
    ],
    [
      'an error of ours',
      () => {
        throw new DragomanError('TIMEOUT', 'the password is x');
      },
    ],
    [
      'text',
      () => {
        throw 'the password is x';
      },
    ],
    ['a result that is no JSON', () => Promise.resolve({ big: 1n })],
  ] as [string, Exchange][])(
    'anything else that goes wrong is an internal error without its text: %s',
    async (_what, fail) => {
      const wire = overExchange(async (asked, io) => fail(asked, io));
      const error = await rejection(wire.exchange(request('tools/call'), surroundings()));
      expect(error).toMatchObject({ code: -32603, message: 'Internal error' });
    },
  );

  test('a request that is no JSON is not sent', async () => {
    let called = false;
    const wire = overExchange(async () => {
      called = true;
      return {};
    });
    expect(await rejection(wire.exchange(request('tools/call', { big: 1n }), surroundings()))).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect(called).toBe(false);
  });

  test('what answers with no object has not answered', async () => {
    const wire = overExchange((async () => undefined) as unknown as Exchange);
    expect(await rejection(wire.exchange(request('tools/call'), surroundings()))).toMatchObject({
      code: 'PROTOCOL_VIOLATION',
    });
  });

  test('nothing is delivered before the caller has got hold of the call', async () => {
    const wire = overExchange((_asked, io) => {
      io.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
      return Promise.resolve({});
    });
    const io = surroundings();
    const pending = wire.exchange(request('tools/call'), io);
    expect(io.notified).toEqual([]);
    await pending;
    expect(io.notified).toHaveLength(1);
  });

  test('[P44] what is notified after the answer is dropped', async () => {
    let late: (() => void) | undefined;
    const wire = overExchange(async (_asked, io) => {
      late = () => io.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
      return {};
    });
    const io = surroundings();
    await wire.exchange(request('tools/call'), io);
    late?.();
    await Promise.resolve();
    expect(io.notified).toEqual([]);
  });

  test("[SUBS-08] a subscription's notifications and result bear its id, and one notification may go to many", async () => {
    const change = { method: 'notifications/tools/list_changed' };
    const wire = overExchange(async (_asked, io) => {
      io.notify(change);
      return { resultType: 'complete', _meta: { kept: 1 } };
    });
    const ios = [surroundings(), surroundings()];
    const results = await Promise.all(
      ios.map((io) => wire.exchange(request('subscriptions/listen', { notifications: {} }), io)),
    );
    const ids = results.map(({ _meta }) => _meta?.['io.modelcontextprotocol/subscriptionId']);
    expect(new Set(ids).size).toBe(2);
    expect(results[0]?._meta).toMatchObject({ kept: 1 });
    expect(ios.map(({ notified }) => notified[0]?.params)).toEqual(
      ids.map((id) => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } })),
    );
  });

  test('who asks is handed on', async () => {
    let principal: string | undefined;
    const wire = overExchange(async (_asked, io) => {
      principal = io.auth?.principal;
      return {};
    });
    await wire.exchange(request('tools/list'), { ...surroundings(), auth: { principal: 'me' } });
    expect(principal).toBe('me');
  });

  test('a receiver that throws stops nothing', async () => {
    const wire = overExchange(async (_asked, io) => {
      io.notify({ method: 'notifications/progress' });
      return { done: true };
    });
    const seen = watch(wire);
    const io = {
      signal: new AbortController().signal,
      notify() {
        throw new Error('mine');
      },
    };
    expect(await wire.exchange(request('tools/call'), io)).toEqual({ done: true });
    expect(seen.kinds()).toEqual(['receiver-failed']);
  });

  test('everything is traced as it would stand on a wire', async () => {
    const wire = overExchange(async (_asked, io) => {
      io.notify({ method: 'notifications/progress' });
      return {};
    });
    const seen = watch(wire);
    await wire.exchange(request('tools/list'), surroundings());
    expect(
      seen.traces.map((event) =>
        event.type === 'message' ? `${event.direction} ${JSON.parse(event.text).method ?? 'result'}` : '',
      ),
    ).toEqual(['sent tools/list', 'received notifications/progress', 'received result']);
  });
});

describe('the end', () => {
  /** An exchange that ends only when it is aborted. */
  function hanging(): { exchange: Exchange; aborted: Promise<unknown> } {
    let tell: (reason: unknown) => void = () => undefined;
    const aborted = new Promise((resolve) => {
      tell = resolve;
    });
    return {
      aborted,
      exchange: (_asked, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            tell(signal.reason);
            reject(new Error('stopped'));
          });
        }),
    };
  }

  test('an abort reaches the other side, and the call rejects at once', async () => {
    const { exchange, aborted } = hanging();
    const wire = overExchange(exchange);
    const io = surroundings();
    const pending = wire.exchange(request('tools/call'), io);
    await Promise.resolve();
    io.abort(new Error('enough'));
    expect(await rejection(pending)).toMatchObject({ code: 'ABORTED', cause: { message: 'enough' } });
    expect(await aborted).toMatchObject({ code: 'ABORTED' });
  });

  test('a call whose signal has aborted already is not sent', async () => {
    let called = false;
    const wire = overExchange(async () => {
      called = true;
      return {};
    });
    const io = surroundings();
    io.abort();
    expect(await rejection(wire.exchange(request('tools/call'), io))).toMatchObject({ code: 'ABORTED' });
    await Promise.resolve();
    expect(called).toBe(false);
  });

  test('close rejects what is pending, tells the other side, and refuses later calls', async () => {
    const { exchange, aborted } = hanging();
    const wire = overExchange(exchange);
    const pending = wire.exchange(request('tools/call'), surroundings());
    await Promise.resolve();
    await wire.close();
    await wire.close();
    expect(await rejection(pending)).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(await aborted).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(await wire.closed).toEqual({ by: 'local' });
    expect(await rejection(wire.exchange(request('tools/call'), surroundings()))).toMatchObject({
      code: 'CONNECTION_CLOSED',
    });
  });

  test('wires to one exchange share an identity, wires to two do not', () => {
    const one: Exchange = async () => ({});
    expect(overExchange(one).identity).toBe(overExchange(one).identity);
    expect(overExchange(one).identity).not.toBe(overExchange(async () => ({})).identity);
  });
});

import { DragomanError, McpError } from '@dragoman/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  errorOf,
  notificationOf,
  rejection,
  request,
  resultOf,
  type Surroundings,
  surroundings,
} from '../../test/wires/far-side.ts';
import { Correlator, type Outgoing } from './correlator.ts';
import { Observers } from './observers.ts';
import type { Cancellable, WireIO, WireWarning } from './wire.ts';

let sent: { id: number; method: string; params: { [member: string]: unknown } }[];
let waiting: Outgoing[];
let warnings: WireWarning[];
let observers: Observers;
let correlator: Correlator;
let holding: boolean;

beforeEach(() => {
  sent = [];
  waiting = [];
  warnings = [];
  holding = false;
  observers = new Observers();
  observers.add({ warning: (warning) => warnings.push(warning) });
  correlator = new Correlator(observers, (item) => {
    waiting.push(item);
    if (!holding) write();
  });
});

/** Writes what waits, as a channel does. */
function write(): void {
  for (const item of waiting) {
    if (item.line === undefined) continue;
    sent.push(JSON.parse(item.line));
    item.line = undefined;
  }
  waiting = [];
}

const kinds = (): string[] => warnings.map(({ kind }) => kind);
const listen = (io: Surroundings) => correlator.exchange(request('subscriptions/listen', { notifications: {} }), io);
const subscribed = (method: string, id: unknown): string =>
  notificationOf(method, { _meta: { 'io.modelcontextprotocol/subscriptionId': id } });

describe('answers', () => {
  test('[P25] answers find their calls by id, in whatever order they come', async () => {
    const calls = ['a', 'b', 'c'].map((name) => correlator.exchange(request('tools/call', { name }), surroundings()));
    for (const { id, params } of [...sent].reverse()) correlator.receive(resultOf(id, { is: params.name }));
    expect(await Promise.all(calls)).toEqual([{ is: 'a' }, { is: 'b' }, { is: 'c' }]);
    expect(warnings).toEqual([]);
  });

  test('[T030][BASE-07] ids are integers and never come twice', async () => {
    for (let count = 0; count < 5; count++) {
      const call = correlator.exchange(request('tools/list'), surroundings());
      correlator.receive(resultOf(sent[count]?.id));
      await call;
    }
    const ids = sent.map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    expect(ids.every(Number.isSafeInteger)).toBe(true);
  });

  test('[T028] an answer whose id is text does not settle the call whose id is that number', async () => {
    const call = correlator.exchange(request('tools/list'), surroundings());
    correlator.receive(resultOf(String(sent[0]?.id), { wrong: true }));
    correlator.receive(resultOf(sent[0]?.id, { right: true }));
    expect(await call).toEqual({ right: true });
    expect(kinds()).toEqual(['unmatched-answer']);
  });

  test('[P47] an error keeps code, message and data', async () => {
    const call = correlator.exchange(request('tools/list'), surroundings());
    correlator.receive(errorOf(sent[0]?.id, -32602, 'cursor expired', { cursor: 'x' }));
    const error = await rejection(call);
    expect(error).toBeInstanceOf(McpError);
    expect(error).toMatchObject({ code: -32602, message: 'cursor expired', data: { cursor: 'x' } });
  });

  test('[BASE-20] members of a result that are not known are kept', async () => {
    const call = correlator.exchange(request('tools/list'), surroundings());
    correlator.receive(resultOf(sent[0]?.id, { tools: [], later: { revision: true } }));
    expect(await call).toEqual({ tools: [], later: { revision: true } });
  });

  test('[P40] a second answer is a warning, and an answer to nothing another', async () => {
    const call = correlator.exchange(request('tools/list'), surroundings());
    correlator.receive(resultOf(sent[0]?.id));
    await call;
    correlator.receive(resultOf(sent[0]?.id));
    correlator.receive(resultOf(4711));
    correlator.receive(resultOf(''));
    expect(kinds()).toEqual(['duplicate-answer', 'unmatched-answer']);
  });

  test('[BASE-12] an error without an id, or with null, is that of the only pending call', async () => {
    for (const id of [undefined, null]) {
      const call = correlator.exchange(request('server/discover'), surroundings());
      correlator.receive(errorOf(id, -32600, 'what?'));
      expect(await rejection(call)).toMatchObject({ code: -32600, message: 'what?' });
    }
    expect(kinds()).toEqual(['unmatched-answer']);
  });

  test('an error without an id settles nothing where it could mean several calls', async () => {
    const calls = [1, 2].map(() => correlator.exchange(request('tools/list'), surroundings()));
    correlator.receive(errorOf(undefined, -32600, 'what?'));
    for (const { id } of sent) correlator.receive(resultOf(id, { id }));
    expect(await Promise.all(calls)).toEqual(sent.map(({ id }) => ({ id })));
  });

  test('an answer that is no JSON-RPC response rejects its call at once', async () => {
    const call = correlator.exchange(request('tools/list'), surroundings());
    correlator.receive(JSON.stringify({ jsonrpc: '2.0', id: sent[0]?.id, result: 'text' }));
    expect(await rejection(call)).toMatchObject({ code: 'PROTOCOL_VIOLATION' });
    expect(kinds()).toEqual(['malformed-message']);
  });

  test('a malformed request of the server settles no call that has the same id', async () => {
    const call = correlator.exchange(request('tools/list'), surroundings());
    correlator.receive(JSON.stringify({ jsonrpc: '2.0', id: sent[0]?.id, method: 7 }));
    correlator.receive(resultOf(sent[0]?.id, { right: true }));
    expect(await call).toEqual({ right: true });
  });

  test('junk between messages is a warning with a sample whose control characters are escaped', async () => {
    const call = correlator.exchange(request('tools/list'), surroundings());
    correlator.receive('\u001b[31mServer listening');
    correlator.receive(resultOf(sent[0]?.id));
    await call;
    expect(warnings).toEqual([
      { kind: 'junk', count: 1, message: 'The server wrote a line that is not JSON: \\u001b[31mServer listening' },
    ]);
  });

  test('[TRN-01][STDIO-05][BASE-18] a request of the server is a warning and never answered', () => {
    correlator.receive(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'sampling/createMessage', params: {} }));
    correlator.receive(JSON.stringify({ jsonrpc: '2.0', id: '', method: 'roots/list' }));
    expect(kinds()).toEqual(['server-request']);
    expect(sent).toEqual([]);
  });

  test('a kind of warning is reported the first, tenth and hundredth time', () => {
    for (let count = 0; count < 150; count++) correlator.receive('noise');
    expect(warnings.map(({ count }) => count)).toEqual([1, 10, 100]);
  });
});

describe('notifications', () => {
  test('[PROG-02] progress goes to the call that gave the token; 0 and "" are tokens', async () => {
    const [zero, empty] = [surroundings(), surroundings()];
    const calls = [
      correlator.exchange(request('tools/call', {}, { progressToken: 0 }), zero),
      correlator.exchange(request('tools/call', {}, { progressToken: '' }), empty),
    ];
    correlator.receive(notificationOf('notifications/progress', { progressToken: '', progress: 1 }));
    correlator.receive(notificationOf('notifications/progress', { progressToken: 0, progress: 2 }));
    for (const { id } of sent) correlator.receive(resultOf(id));
    await Promise.all(calls);
    expect(zero.notified.map(({ params }) => params)).toEqual([{ progressToken: 0, progress: 2 }]);
    expect(empty.notified.map(({ params }) => params)).toEqual([{ progressToken: '', progress: 1 }]);
  });

  test('[PROG-02] a token that another pending call uses is another one on the wire and the same to the caller', async () => {
    const [first, second] = [surroundings(), surroundings()];
    const asked = request('tools/call', { name: 'x' }, { progressToken: 'p' });
    const calls = [correlator.exchange(asked, first), correlator.exchange(asked, second)];
    const tokens = sent.map(({ params }) => (params._meta as { progressToken: string }).progressToken);
    expect(tokens[0]).toBe('p');
    expect(tokens[1]).not.toBe('p');
    expect(sent[1]?.params).toMatchObject({ name: 'x' });
    correlator.receive(notificationOf('notifications/progress', { progressToken: tokens[1], progress: 1 }));
    for (const { id } of sent) correlator.receive(resultOf(id));
    await Promise.all(calls);
    expect(first.notified).toEqual([]);
    expect(second.notified).toMatchObject([{ params: { progressToken: 'p', progress: 1 } }]);
    expect(asked.params._meta?.progressToken).toBe('p');
  });

  test('a token is free again when its call is settled', async () => {
    const asked = request('tools/call', {}, { progressToken: 'p' });
    for (const round of [0, 1]) {
      const call = correlator.exchange(asked, surroundings());
      expect(sent[round]?.params._meta).toMatchObject({ progressToken: 'p' });
      correlator.receive(resultOf(sent[round]?.id));
      await call;
    }
  });

  test('[PROG-12] progress for a token that is finished or was never given is dropped without a word', async () => {
    const io = surroundings();
    const call = correlator.exchange(request('tools/call', {}, { progressToken: 'p' }), io);
    correlator.receive(resultOf(sent[0]?.id));
    await call;
    correlator.receive(notificationOf('notifications/progress', { progressToken: 'p', progress: 1 }));
    correlator.receive(notificationOf('notifications/progress', { progressToken: 'q', progress: 1 }));
    expect(io.notified).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('[LOG-04] log messages go to the pending calls that asked for logs', async () => {
    const [quiet, loud] = [surroundings(), surroundings()];
    const calls = [
      correlator.exchange(request('tools/call'), quiet),
      correlator.exchange(request('tools/call', {}, { 'io.modelcontextprotocol/logLevel': 'info' }), loud),
    ];
    correlator.receive(notificationOf('notifications/message', { level: 'info', data: 'hello' }));
    for (const { id } of sent) correlator.receive(resultOf(id));
    await Promise.all(calls);
    correlator.receive(notificationOf('notifications/message', { level: 'info', data: 'late' }));
    expect(quiet.notified).toEqual([]);
    expect(loud.notified).toMatchObject([{ params: { data: 'hello' } }]);
    expect(kinds()).toEqual(['unmatched-notification']);
  });

  test('[SUBS-10] changes go to the subscription whose id they bear', async () => {
    const [first, second] = [surroundings(), surroundings()];
    const ends = [listen(first), listen(second)];
    const [a, b] = sent.map(({ id }) => id);
    correlator.receive(subscribed('notifications/subscriptions/acknowledged', b));
    correlator.receive(subscribed('notifications/subscriptions/acknowledged', a));
    correlator.receive(subscribed('notifications/tools/list_changed', a));
    correlator.receive(subscribed('notifications/tools/list_changed', String(a)));
    correlator.receive(subscribed('notifications/tools/list_changed', 4711));
    expect(first.notified.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ]);
    expect(second.notified.map(({ method }) => method)).toEqual(['notifications/subscriptions/acknowledged']);
    expect(kinds()).toEqual(['unmatched-notification']);
    for (const id of [a, b]) correlator.receive(resultOf(id));
    await Promise.all(ends);
  });

  test('[SUBS-22] a change without a subscription id is a warning, and goes to the only subscription there is', async () => {
    correlator.receive(notificationOf('notifications/tools/list_changed'));
    expect(kinds()).toEqual(['unmatched-notification']);
    const io = surroundings();
    const end = listen(io);
    correlator.receive(notificationOf('notifications/tools/list_changed'));
    expect(io.notified).toHaveLength(1);
    correlator.receive(resultOf(sent[0]?.id));
    await end;
  });

  test.each([
    ['the result alone', ['result']],
    ['notifications/cancelled alone', ['cancelled']],
    ['the result, then cancelled', ['result', 'cancelled']],
    ['cancelled, then the result', ['cancelled', 'result']],
  ])('[T057] a subscription ends in good order by %s', async (_name, signs) => {
    const end = listen(surroundings());
    const { id } = sent[0] as { id: number };
    for (const sign of signs) {
      if (sign === 'result') {
        correlator.receive(
          resultOf(id, { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': id } }),
        );
      } else correlator.receive(notificationOf('notifications/cancelled', { requestId: id }));
    }
    expect(await end).toEqual({ resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
    expect(warnings).toEqual([]);
  });

  test('[SUBS-15] the server cannot cancel a call', async () => {
    const call = correlator.exchange(request('tools/call'), surroundings());
    correlator.receive(notificationOf('notifications/cancelled', { requestId: sent[0]?.id }));
    correlator.receive(resultOf(sent[0]?.id, { done: true }));
    expect(await call).toEqual({ done: true });
    expect(kinds()).toEqual(['server-cancelled']);
  });

  test('[P19] a receiver that throws stops neither its call nor the others', async () => {
    const io = surroundings();
    const call = correlator.exchange(request('tools/call', {}, { progressToken: 1 }), {
      signal: io.signal,
      notify() {
        throw new Error('mine');
      },
    });
    correlator.receive(notificationOf('notifications/progress', { progressToken: 1, progress: 1 }));
    correlator.receive(resultOf(sent[0]?.id, { done: true }));
    expect(await call).toEqual({ done: true });
    expect(kinds()).toEqual(['receiver-failed']);
  });
});

describe('cancellation', () => {
  test('[STDIO-12] a call is cancelled by notifications/cancelled with its id', async () => {
    const io = surroundings();
    const call = correlator.exchange(request('tools/call'), io);
    io.abort(new Error('changed my mind'));
    const error = await rejection(call);
    expect(error).toMatchObject({ code: 'ABORTED', cause: { message: 'changed my mind' } });
    expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: sent[0]?.id } });
    expect(sent[1]).not.toHaveProperty('id');
  });

  test('a reason of ours is what the call rejects with, and what the server is told', async () => {
    const io = surroundings();
    const call = correlator.exchange(request('tools/call'), io);
    const reason = new DragomanError('TIMEOUT', 'no answer within 5 ms');
    io.abort(reason);
    expect(await rejection(call)).toBe(reason);
    expect(sent[1]?.params.reason).toBe('no answer within 5 ms');
  });

  test('[K01] what still comes for a cancelled call is dropped without a word', async () => {
    const io = surroundings();
    const call = correlator.exchange(request('tools/call'), io);
    io.abort();
    await rejection(call);
    correlator.receive(errorOf(sent[0]?.id, 0, 'Request cancelled'));
    correlator.receive(resultOf(sent[0]?.id));
    expect(warnings).toEqual([]);
  });

  test('[K01] what still comes for a cancelled subscription is dropped without a word', async () => {
    const io = surroundings();
    const end = listen(io);
    io.abort();
    await rejection(end);
    correlator.receive(subscribed('notifications/tools/list_changed', sent[0]?.id));
    correlator.receive(notificationOf('notifications/cancelled', { requestId: sent[0]?.id }));
    expect(io.notified).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('[K01] only so many cancelled ids are remembered, and no answer to an old one ever settles anything', async () => {
    for (let count = 0; count < 1100; count++) {
      const io = surroundings();
      const call = correlator.exchange(request('tools/call'), io);
      io.abort();
      await rejection(call);
    }
    const [oldest, newest] = [sent[0]?.id, sent[sent.length - 2]?.id];
    correlator.receive(resultOf(newest));
    expect(warnings).toEqual([]);
    correlator.receive(resultOf(oldest));
    expect(kinds()).toEqual(['duplicate-answer']);
  });

  test('[CANC-04] a call that was never written is taken back instead of cancelled', async () => {
    holding = true;
    const io = surroundings();
    const call = correlator.exchange(request('tools/call'), io);
    io.abort();
    await rejection(call);
    write();
    expect(sent).toEqual([]);
  });

  test('a call whose signal has aborted already is not sent', async () => {
    const io = surroundings();
    io.abort();
    expect(await rejection(correlator.exchange(request('tools/call'), io))).toMatchObject({ code: 'ABORTED' });
    expect(sent).toEqual([]);
  });

  test('a settled call is not cancelled, and its signal is let go', async () => {
    const io = surroundings();
    const call = correlator.exchange(request('tools/call'), io);
    correlator.receive(resultOf(sent[0]?.id));
    await call;
    io.abort();
    expect(sent).toHaveLength(1);
  });

  test('who takes the call in hand cancels it without a signal', async () => {
    let taken: Cancellable | undefined;
    const io: WireIO = {
      get signal(): AbortSignal {
        throw new Error('nobody should look');
      },
      notify() {},
      onCancel(cancellable) {
        taken = cancellable;
      },
    };
    const call = correlator.exchange(request('tools/call'), io);
    const reason = new DragomanError('TIMEOUT', 'too long');
    taken?.cancel(reason);
    taken?.cancel(reason);
    expect(await rejection(call)).toBe(reason);
    expect(sent.map(({ method }) => method)).toEqual(['tools/call', 'notifications/cancelled']);
  });
});

describe('the end', () => {
  test('everything pending is rejected once, and everything after', async () => {
    const ios = [surroundings(), surroundings()];
    const calls = ios.map((io) => correlator.exchange(request('tools/call'), io));
    const error = new DragomanError('CONNECTION_CLOSED', 'gone');
    correlator.fail(error);
    correlator.fail(new DragomanError('CONNECTION_CLOSED', 'again'));
    for (const call of calls) expect(await rejection(call)).toBe(error);
    expect(await rejection(correlator.exchange(request('tools/call'), surroundings()))).toBe(error);
    for (const io of ios) io.abort();
    correlator.receive(resultOf(sent[0]?.id));
    expect(sent).toHaveLength(2);
  });

  test('parameters that are no JSON reject the call, and its token is not taken', async () => {
    const circular: { [member: string]: unknown } = {};
    circular.self = circular;
    const call = correlator.exchange(request('tools/call', circular, { progressToken: 'p' }), surroundings());
    expect(await rejection(call)).toMatchObject({ code: 'INVALID_ARGUMENT' });
    void correlator.exchange(request('tools/call', {}, { progressToken: 'p' }), surroundings());
    expect(sent[0]?.params._meta).toMatchObject({ progressToken: 'p' });
  });
});

describe('nesting without end', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  test.each([
    ['an id', `{"jsonrpc":"2.0","id":${deep},"result":{}}`, 'malformed-message'],
    ['an error without an id', `{"jsonrpc":"2.0","error":{"code":-1,"message":"","data":${deep}}}`, 'unmatched-answer'],
    [
      'a cancelled id',
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${deep}}}`,
      'server-cancelled',
    ],
    [
      'a subscription id',
      `{"jsonrpc":"2.0","method":"x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":${deep}}}}`,
      'unmatched-notification',
    ],
    ['a whole line', deep, 'malformed-message'],
  ])('[ERR-16] in %s is a warning like any other', (_where, line, kind) => {
    correlator.receive(line);
    expect(kinds()).toEqual([kind]);
    expect(warnings[0]?.message.length).toBeLessThan(400);
  });
});

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server as NetServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { ExchangeIO } from '@dragoman/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type StreamOptions, type StreamServing, serveStream } from './stream.ts';
import { call, listen, modern } from './testing/request.ts';
import { Stub, text } from './testing/stub.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Message = any;

/** The client's end of a stream. */
class Peer {
  readonly input = new PassThrough();
  readonly output: Writable;
  readonly messages: Message[] = [];
  readonly writes: string[] = [];
  #wake: (() => void) | undefined;

  constructor(write?: (text: string, done: () => void) => void, highWaterMark?: number) {
    this.output = new Writable({
      decodeStrings: false,
      ...(highWaterMark === undefined ? {} : { highWaterMark }),
      write: (text: string, _encoding, done) => {
        this.writes.push(text);
        for (const line of text.split('\n').slice(0, -1)) this.messages.push(JSON.parse(line));
        this.#wake?.();
        if (write === undefined) done();
        else write(text, done);
      },
    });
  }

  send(...messages: object[]): void {
    this.input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  raw(bytes: string | Uint8Array): void {
    this.input.write(bytes);
  }

  /** The next message. */
  async next(): Promise<Message> {
    while (this.messages.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.messages.shift();
  }
}

let stub: Stub;
let serving: StreamServing | undefined;

beforeEach(() => {
  stub = new Stub();
});
afterEach(() => serving?.close());

function serve(peer = new Peer(), options: StreamOptions = {}): Peer {
  serving = serveStream(stub, { readable: peer.input, writable: peer.output }, { grace: 50, ...options });
  return peer;
}

const echo = (id: string | number, value = 'x') => call('echo', { text: value }, id);
const cancelled = (requestId: unknown, reason?: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason },
});
const progress = (value: number) => ({
  method: 'notifications/progress',
  params: { progressToken: 1, progress: value },
});

/** A tool that waits until the test lets it go on. */
function holdable(name = 'hold') {
  let enter!: (io: ExchangeIO) => void;
  let finish!: () => void;
  const entered = new Promise<ExchangeIO>((resolve) => {
    enter = resolve;
  });
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  stub.tools.set(name, async (_, io) => {
    enter(io);
    await finished;
    return text('held');
  });
  return { entered, finish: () => finish() };
}

test('[STDIO-02] a message a line, answered under its id, one line each', async () => {
  const peer = serve();
  peer.send(echo(1, 'two\nlines'));
  expect(await peer.next()).toMatchObject({ jsonrpc: '2.0', id: 1, result: { content: [{ text: 'two\nlines' }] } });
  expect(peer.writes.join('').match(/\n/g)).toHaveLength(1);
});

test('[T027] [T028] ids of 0, "", 1 and "1" are four requests at once', async () => {
  const peer = serve();
  const { finish, entered } = holdable();
  for (const id of [0, '', 1, '1']) peer.send(call('hold', {}, id));
  await entered;
  await vi.waitFor(() => finish(), { interval: 1 });
  const ids = [await peer.next(), await peer.next(), await peer.next(), await peer.next()].map((m) => m.id);
  expect(new Set(ids)).toEqual(new Set([0, '', 1, '1']));
});

test('[T01] bytes one at a time, and many messages in one chunk', async () => {
  const peer = serve();
  for (const byte of Buffer.from(`${JSON.stringify(echo(1, 'é€😀'))}\r\n`)) peer.raw(Uint8Array.of(byte));
  expect((await peer.next()).result.content[0].text).toBe('é€😀');
  peer.raw([2, 3, 4].map((id) => `${JSON.stringify(echo(id))}\n`).join('\n'));
  expect([(await peer.next()).id, (await peer.next()).id, (await peer.next()).id]).toEqual([2, 3, 4]);
});

test('requests are answered as they finish, not as they came', async () => {
  const peer = serve();
  const { finish, entered } = holdable();
  peer.send(call('hold', {}, 1), echo(2));
  await entered;
  expect((await peer.next()).id).toBe(2);
  finish();
  expect((await peer.next()).id).toBe(1);
});

test('what is answered in one turn leaves in one write', async () => {
  const peer = serve();
  peer.send(...Array.from({ length: 100 }, (_, id) => echo(id)));
  for (let i = 0; i < 100; i++) await peer.next();
  expect(peer.writes.length).toBeLessThan(5);
});

test('[BASE-07] an id that is still in flight is refused; once answered it is free', async () => {
  const peer = serve();
  const { finish, entered } = holdable();
  peer.send(call('hold', {}, 7), echo(7));
  expect(await peer.next()).toMatchObject({ id: 7, error: { code: -32600, message: expect.stringContaining('7') } });
  await entered;
  finish();
  expect((await peer.next()).result.content[0].text).toBe('held');
  peer.send(echo(7));
  expect((await peer.next()).result).toBeDefined();
});

test('[STDIO-13] [STDIO-14] [T062] a cancelled request is aborted and nothing more is sent for it', async () => {
  const peer = serve();
  const { finish, entered } = holdable();
  peer.send(call('hold', {}, 'a'));
  const io = await entered;
  peer.send(cancelled('a', 'changed my mind'));
  await vi.waitFor(() => expect(io.signal.aborted).toBe(true), { interval: 1 });
  expect(io.signal.reason.message).toContain('changed my mind');
  io.notify(progress(1));
  finish();
  peer.send(echo('b'));
  expect((await peer.next()).id).toBe('b');
  peer.send(echo('a'));
  expect((await peer.next()).id).toBe('a');
  expect(peer.messages).toEqual([]);
});

test('an error thrown because of the cancellation is not sent either, nor reported', async () => {
  const peer = serve();
  let entered!: () => void;
  const inside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  stub.tools.set(
    'abortable',
    (_, io) =>
      new Promise((_, reject) => {
        io.signal.addEventListener('abort', () => reject(io.signal.reason));
        entered();
      }),
  );
  peer.send(call('abortable', {}, 1));
  await inside;
  peer.send(cancelled(1), echo(2));
  expect((await peer.next()).id).toBe(2);
  expect(peer.messages).toEqual([]);
  expect(stub.errors).toEqual([]);
});

test.each([
  [cancelled(99)],
  [cancelled('1')],
  [cancelled(null)],
  [cancelled({})],
  [{ jsonrpc: '2.0', method: 'notifications/cancelled' }],
])('[CANC-06] [CANC-14] a cancellation of nothing is ignored: %j', async (notification) => {
  const peer = serve();
  const { finish, entered } = holdable();
  peer.send(call('hold', {}, 1));
  await entered;
  peer.send(notification);
  finish();
  expect((await peer.next()).id).toBe(1);
});

test('[J03] [K03] other notifications are handed on and never answered', async () => {
  const peer = serve();
  peer.send(
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'unknown', params: {} },
    echo(1),
  );
  expect((await peer.next()).id).toBe(1);
  expect(stub.received.map((n) => n.method)).toEqual(['notifications/initialized', 'unknown']);
  expect(peer.messages).toEqual([]);
});

test.each([
  ['{"id":', { code: -32700 }, undefined],
  ['[]', { code: -32600 }, undefined],
  [`[${JSON.stringify(echo(1))}]`, { code: -32600 }, undefined],
  ['7', { code: -32600 }, undefined],
  ['{"id":5,"method":1}', { code: -32600 }, 5],
  ['{"jsonrpc":"1.0","id":"q","method":"x"}', { code: -32600 }, 'q'],
  ['{"jsonrpc":"2.0","id":0,"method":"x","params":[]}', { code: -32600 }, 0],
  ['{"jsonrpc":"2.0","id":null,"method":"tools/list"}', { code: -32600 }, undefined],
])(
  '[J06] [J05] [BASE-11] what is no message is answered with what could be read of it: %s',
  async (line, error, id) => {
    const peer = serve();
    peer.raw(`${line}\n`);
    const answer = await peer.next();
    expect(answer.error).toMatchObject(error);
    expect(answer.id).toBe(id);
    if (id === undefined) expect(answer).not.toHaveProperty('id');
  },
);

test.each([
  ['{"method":"x"}'],
  ['{"jsonrpc":"2.0","method":"x","params":"y"}'],
  ['{"id":1,"result":7}'],
  ['{"jsonrpc":"2.0","id":1,"result":{}}'],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}'],
  ['{"id":1,"error":"x"}'],
])('[TRN-01] [J06] [BASE-16] notifications and responses get no answer, malformed or not: %s', async (line) => {
  const peer = serve();
  peer.raw(`${line}\n`);
  peer.send(echo(2));
  expect((await peer.next()).id).toBe(2);
  expect(peer.messages).toEqual([]);
  expect(stub.warnings.map((warning) => warning.code)).toEqual(['STRAY_MESSAGE']);
});

test('[Z10] a line that is too long is refused and the next one read', async () => {
  const peer = serve(new Peer(), { limits: { maxMessageBytes: 500 } });
  peer.raw(`"${'x'.repeat(600)}`);
  peer.raw(`${'x'.repeat(600)}"\n`);
  peer.send(echo(1));
  expect((await peer.next()).error).toMatchObject({ code: -32600, message: expect.stringContaining('500') });
  expect((await peer.next()).id).toBe(1);
});

test('a line that is not UTF-8 is -32700 and costs its neighbours nothing', async () => {
  const peer = serve();
  peer.raw(
    Buffer.concat([
      Buffer.from(`${JSON.stringify(echo(1))}\n"`),
      Buffer.of(0xff),
      Buffer.from(`"\n${JSON.stringify(echo(2))}\n`),
    ]),
  );
  const answers = [await peer.next(), await peer.next(), await peer.next()];
  expect(answers.map((answer) => answer.id ?? answer.error.code).sort()).toEqual([-32700, 1, 2]);
});

test('[ERA-24] [ERA-25] initialize of an older client is answered with the versions that are served', async () => {
  const peer = serve();
  peer.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
  expect(await peer.next()).toMatchObject({
    id: 0,
    error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
  });
});

test('what is not admitted is answered with the reason, an unknown method included', async () => {
  const peer = serve();
  peer.send(modern('unknown'), { jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} });
  expect((await peer.next()).error.code).toBe(-32601);
  expect((await peer.next()).error.code).toBe(-32602);
});

test('errors of the exchange: McpErrors cross, anything else is internal and reported', async () => {
  const peer = serve();
  stub.tools.set('broken', () => {
    throw new Error('secret');
  });
  stub.tools.set('big', () => ({ resultType: 'complete', big: 1n }));
  peer.send(call('nothing', {}, 1), call('broken', {}, 2), call('big', {}, 3));
  const answers = [await peer.next(), await peer.next(), await peer.next()];
  expect(Object.fromEntries(answers.map((answer) => [answer.id, answer.error.code]))).toEqual({
    1: -32602,
    2: -32603,
    3: -32603,
  });
  expect(JSON.stringify(answers)).not.toContain('secret');
  expect(stub.errors).toHaveLength(2);
});

test('a server that throws where it should not costs the request, not the process', async () => {
  const peer = serve();
  stub.admit = () => {
    throw new Error('bug');
  };
  peer.send(echo(1));
  expect((await peer.next()).error.code).toBe(-32603);
  const late = serve();
  stub.admit = () => undefined;
  stub.dispatch = () => {
    throw new Error('bug');
  };
  late.send(echo(1), echo(1));
  expect([await late.next(), await late.next()]).toMatchObject([
    { error: { code: -32603 } },
    { error: { code: -32603 } },
  ]);
  expect(stub.errors).toHaveLength(3);
});

test('[STDIO-10] [SUBS-08] listen streams share the stream, each change under its own id; cancelled ones end without a word', async () => {
  const peer = serve();
  const key = 'io.modelcontextprotocol/subscriptionId';
  peer.send(listen({ toolsListChanged: true }, 0), listen({ resourceSubscriptions: ['x:1'] }, '0'));
  expect((await peer.next()).params).toEqual({ notifications: { toolsListChanged: true }, _meta: { [key]: 0 } });
  expect((await peer.next()).params).toEqual({
    notifications: { resourceSubscriptions: ['x:1'] },
    _meta: { [key]: '0' },
  });
  stub.subscriptions.publish({ kind: 'resource', uri: 'x:1' });
  expect((await peer.next()).params).toEqual({ uri: 'x:1', _meta: { [key]: '0' } });
  peer.send(cancelled(0));
  await vi.waitFor(() => expect(stub.subscriptions.size).toBe(1), { interval: 1 });
  stub.subscriptions.publish({ kind: 'tools' });
  peer.send(echo(9));
  expect((await peer.next()).id).toBe(9);
});

test('[SUBS-14] [C1] [T057] at teardown a listen stream gets its result, then notifications/cancelled with its id', async () => {
  const peer = serve();
  peer.send(listen({ toolsListChanged: true }, 'l'));
  await peer.next();
  await serving?.close();
  const key = 'io.modelcontextprotocol/subscriptionId';
  expect(peer.messages).toEqual([
    { jsonrpc: '2.0', id: 'l', result: { resultType: 'complete', _meta: { [key]: 'l' } } },
    {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'l', reason: expect.any(String), _meta: { [key]: 'l' } },
    },
  ]);
});

test('[T058] no other request is ever cancelled by the server', async () => {
  const peer = serve();
  const { entered } = holdable();
  peer.send(call('hold', {}, 1));
  const io = await entered;
  await serving?.close();
  expect(io.signal.aborted).toBe(true);
  expect(peer.messages).toEqual([]);
});

test('when the client closes its end, calls have their grace; then they are aborted and all is over', async () => {
  const peer = serve(new Peer(), { grace: 60_000 });
  const { entered, finish } = holdable();
  peer.send(call('hold', {}, 1), listen({ toolsListChanged: true }, 2));
  await entered;
  peer.input.end();
  await once(peer.input, 'close');
  finish();
  await serving?.closed;
  expect(peer.messages.map((m) => m.id ?? m.method)).toEqual(
    expect.arrayContaining(['notifications/subscriptions/acknowledged', 2, 'notifications/cancelled', 1]),
  );

  const second = serve(new Peer(), { grace: 5 });
  const { entered: alsoEntered } = holdable();
  second.send(call('hold', {}, 1));
  const io = await alsoEntered;
  second.input.end();
  await serving?.closed;
  expect(io.signal.aborted).toBe(true);
  expect(second.messages).toEqual([]);
});

test('the last line counts without its line end', async () => {
  const peer = serve();
  peer.raw(JSON.stringify(echo(1)));
  peer.input.end();
  await serving?.closed;
  expect(peer.messages[0].id).toBe(1);
});

test('[T11] a client that cannot be written to any more is gone: handlers stop, and nothing is thrown', async () => {
  const peer = serve();
  const { entered, finish } = holdable();
  peer.send(call('hold', {}, 1));
  const io = await entered;
  peer.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await serving?.closed;
  expect(io.signal.aborted).toBe(true);
  finish();
  await serving?.close();
  expect(stub.errors).toEqual([]);
});

test('a slow reader: nothing more is read, progress is joined, the result arrives whole and last', async () => {
  const done: (() => void)[] = [];
  const peer = serve(new Peer((_, callback) => done.push(callback), 1), { limits: { maxBufferedLength: 2_000 } });
  const { entered, finish } = holdable();
  peer.send(call('hold', {}, 1));
  const io = await entered;
  for (let i = 1; i <= 10_000; i++) {
    io.notify(progress(i));
    if (i % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(peer.input.isPaused()).toBe(true);
  finish();
  while (peer.messages.at(-1)?.id !== 1) {
    done.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const values = peer.messages.map((m) => m.params?.progress ?? 'result');
  expect(values.length).toBeLessThan(3_000);
  expect(values.slice(-2)).toEqual([10_000, 'result']);
  for (const callback of done) callback();
  await vi.waitFor(() => expect(peer.input.isPaused()).toBe(false), { interval: 1 });
});

test('changes wait for a slow reader as one of each', async () => {
  const done: (() => void)[] = [];
  const peer = serve(new Peer((_, callback) => done.push(callback), 1));
  peer.send(listen({ toolsListChanged: true, resourceSubscriptions: ['x:1'] }, 1));
  await peer.next();
  for (let i = 0; i < 1_000; i++) {
    stub.subscriptions.publish({ kind: 'tools' });
    stub.subscriptions.publish({ kind: 'resource', uri: 'x:1' });
  }
  while (peer.messages.length < 2) {
    done.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(peer.messages.map((m) => m.method)).toEqual([
    'notifications/tools/list_changed',
    'notifications/resources/updated',
  ]);
});

test('what finds no room is dropped with a warning', async () => {
  const done: (() => void)[] = [];
  const peer = serve(new Peer((_, callback) => done.push(callback), 1), {
    limits: { maxBufferedLength: 0, maxWaitingNotifications: 1 },
  });
  const { entered, finish } = holdable();
  peer.send(call('hold', {}, 1));
  const io = await entered;
  const log = (data: unknown) => ({ method: 'notifications/message', params: { level: 'info', data } });
  io.notify(log('first'));
  await peer.next();
  for (const data of ['pending', 'waiting', 'lost', 'lost too']) io.notify(log(data));
  finish();
  await vi.waitFor(() => expect(stub.warnings[0]?.code).toBe('SLOW_READER'), { interval: 1 });
  expect(stub.warnings[0]?.message).toContain('2 notifications');
  for (const callback of done) callback();
});

test('beyond maxConcurrentRequests a request is refused; listen streams are counted elsewhere', async () => {
  const peer = serve(new Peer(), { limits: { maxConcurrentRequests: 1 } });
  const { entered, finish } = holdable();
  peer.send(
    listen({ toolsListChanged: true }, 'l'),
    call('hold', {}, 1),
    echo(2),
    listen({ toolsListChanged: true }, 'm'),
  );
  await entered;
  await peer.next();
  expect(await peer.next()).toMatchObject({ id: 2, error: { data: { limit: 'maxConcurrentRequests', value: 1 } } });
  expect((await peer.next()).method).toBe('notifications/subscriptions/acknowledged');
  finish();
  await peer.next();
  peer.send(echo(3));
  expect((await peer.next()).result).toBeDefined();
});

test('callTimeout answers with an error, aborts the handler, and sends nothing after', async () => {
  const peer = serve(new Peer(), { limits: { callTimeout: 10 } });
  const { entered, finish } = holdable();
  peer.send(call('hold', {}, 1));
  const io = await entered;
  expect((await peer.next()).error).toMatchObject({ code: -32603, data: { limit: 'callTimeout' } });
  expect(io.signal.aborted).toBe(true);
  finish();
  peer.send(echo(2));
  expect((await peer.next()).id).toBe(2);
});

test('handlers learn who is at the other end, where that is known', async () => {
  stub.tools.set('who', (_, io) => text(String(io.auth?.principal)));
  const peer = serve(new Peer(), { auth: { principal: 'uid:1000' } });
  peer.send(call('who', {}, 1));
  expect((await peer.next()).result.content[0].text).toBe('uid:1000');
});

test('a stray notification from a handler that is over is not sent', async () => {
  let kept!: ExchangeIO;
  stub.tools.set('keep', (_, io) => {
    kept = io;
    return text('x');
  });
  const peer = serve();
  peer.send(call('keep', {}, 1));
  await peer.next();
  kept.notify(progress(1));
  peer.send(echo(2));
  expect((await peer.next()).id).toBe(2);
});

test('close returns although the client never reads', async () => {
  const peer = serve(new Peer(() => {}, 1), { grace: 5 });
  peer.send(echo(1), listen({ toolsListChanged: true }, 2));
  await peer.next();
  await serving?.close();
  expect(peer.output.destroyed).toBe(true);
});

test('close is idempotent and always returns', async () => {
  serve();
  await Promise.all([serving?.close(), serving?.close()]);
  await serving?.closed;
});

let listener: NetServer | undefined;
let directory: string | undefined;
afterEach(async () => {
  listener?.close();
  if (directory !== undefined) await rm(directory, { recursive: true });
  listener = directory = undefined;
});

test('[TRN-08] [Z15] two clients of a Unix socket, with the same ids at once', async () => {
  directory = await mkdtemp(join(tmpdir(), 'dragoman-'));
  const path = join(directory, 's');
  const servings: StreamServing[] = [];
  listener = createServer({ allowHalfOpen: true }, (socket) => {
    servings.push(
      serveStream(stub, { readable: socket, writable: socket }, { auth: { principal: `p${servings.length}` } }),
    );
  }).listen(path);
  await once(listener, 'listening');
  const waiting: (() => void)[] = [];
  stub.tools.set('meet', async (args, io) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 2) for (const go of waiting) go();
    });
    return text(`${String(args.name)} ${io.auth?.principal}`);
  });
  const ask = async (socket: Socket, name: string): Promise<string> => {
    // All is said at once, and the writing end closed: the answer still comes.
    socket.end(`${JSON.stringify(call('meet', { name }, 1))}\n`);
    let got = '';
    for await (const chunk of socket) got += chunk;
    return JSON.parse(got).result.content[0].text;
  };
  const first = connect(path);
  await once(first, 'connect');
  const second = connect(path);
  expect(await Promise.all([ask(first, 'a'), ask(second, 'b')])).toEqual(['a p0', 'b p1']);
  await Promise.all(servings.map((each) => each.closed));
});

test.each([
  ['params', (deep: string) => `{"jsonrpc":"2.0","id":1,"method":"x","params":${deep}}`],
  ['an id', (deep: string) => `{"jsonrpc":"2.0","id":${deep},"method":"x"}`],
])('nesting without end in place of %s is refused like anything else', async (_, message) => {
  const peer = serve();
  peer.raw(`${message(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)}\n`);
  peer.send(call('echo', { text: 'x' }, 2));
  expect((await peer.next()).error.code).toBe(-32600);
  expect((await peer.next()).id).toBe(2);
});

test('a byte order mark in front of a message is passed over, as over HTTP', async () => {
  const peer = serve();
  peer.raw(`\ufeff${JSON.stringify(call('echo', { text: 'x' }, 1))}\n`);
  expect((await peer.next()).result.content[0].text).toBe('x');
});

test('a dispatch that is no promise costs the request, and its id is free again', async () => {
  const peer = serve();
  const dispatch = vi.spyOn(stub, 'dispatch').mockReturnValueOnce(undefined as never);
  peer.send(call('echo', { text: 'x' }, 1));
  expect((await peer.next()).error).toEqual({ code: -32603, message: 'Internal error' });
  peer.send(call('echo', { text: 'x' }, 1));
  expect((await peer.next()).result.content[0].text).toBe('x');
  dispatch.mockRestore();
});

test('a grace or a time limit of Infinity does not come after a millisecond', async () => {
  let go = (): void => {};
  stub.tools.set(
    'wait',
    () =>
      new Promise((resolve) => {
        go = () => resolve(text('waited'));
      }),
  );
  const peer = serve(new Peer(), {
    grace: Number.POSITIVE_INFINITY,
    limits: { callTimeout: Number.POSITIVE_INFINITY },
  });
  peer.send(call('wait', {}, 1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const closed = serving?.close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  go();
  expect((await peer.next()).result.content[0].text).toBe('waited');
  await closed;
});

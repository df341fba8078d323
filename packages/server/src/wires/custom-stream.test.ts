import { PassThrough } from 'node:stream';
import type { ExchangeIO } from '@dragoman/protocol';
import { afterEach, expect, test } from 'vitest';
import { quietServer } from '../testing.ts';
import { type StreamServing, serveStream } from './stream.ts';
import { call, listen } from './testing/request.ts';
import { Stub, text } from './testing/stub.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Message = any;

let serving: StreamServing | undefined;
afterEach(() => serving?.close());

const everything = {
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
};

/** Sends all of it over a channel of our own and reads until the server has nothing more to say. */
async function exchanged(server: Parameters<typeof serveStream>[0], ...messages: object[]): Promise<Message[]> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  serving = serveStream(server, { readable: toServer, writable: toClient });
  for (const message of messages) toServer.write(`${JSON.stringify(message)}\n`);
  toServer.end();
  await serving.closed;
  const said = toClient.read() as Buffer;
  expect(said.at(-1)).toBe(0x0a);
  return said
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

function asking() {
  const server = quietServer();
  server.tool('ask', {}, async (_args, ctx) => {
    ctx.progress(1);
    await Promise.all([
      ctx.elicit('form', { message: 'Who?', schema: { type: 'object', properties: { a: { type: 'string' } } } }),
      ctx.elicitUrl('page', { message: 'Go', url: 'https://x.example/' }),
      ctx.sample('model', { messages: [{ role: 'user', content: { type: 'text', text: 'é€𝄞' } }], maxTokens: 1 }),
      ctx.roots('roots'),
    ]);
    return 'never';
  });
  return server;
}

test('[TRN-06] a channel of one’s own carries the same messages, patterns and per-request metadata', async () => {
  const bare = { jsonrpc: '2.0', id: 3, method: 'tools/list', params: {} };
  const messages = await exchanged(
    asking(),
    call('ask', {}, 1, everything),
    listen({ toolsListChanged: true }, 2),
    bare,
  );
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  const byId = new Map(messages.filter(({ id }) => id !== undefined).map((message) => [message.id, message]));
  expect(byId.get(1).result.resultType).toBe('input_required');
  expect(byId.get(2).result._meta['io.modelcontextprotocol/subscriptionId']).toBe(2);
  expect(byId.get(3).error.code).toBe(-32602);
  expect(messages.some(({ method }) => method === 'notifications/subscriptions/acknowledged')).toBe(true);
});

test('[STDIO-06] [BASE-17] [HTTP-20] whatever a handler asks, no request is written: questions ride in the result', async () => {
  const messages = await exchanged(asking(), call('ask', {}, 1, { ...everything, progressToken: 't' }));
  expect(messages.filter((message) => 'method' in message && 'id' in message)).toEqual([]);
  const { inputRequests } = messages.find(({ id }) => id === 1).result;
  expect(Object.values(inputRequests as Message[]).map(({ method }) => method)).toEqual([
    'elicitation/create',
    'elicitation/create',
    'sampling/createMessage',
    'roots/list',
  ]);
});

test('[BASE-15] nothing that is a notification has an id', async () => {
  const messages = await exchanged(
    asking(),
    call('ask', {}, 1, { ...everything, progressToken: 't' }),
    listen({ toolsListChanged: true }, 2),
  );
  const notifications = messages.filter(({ method }) => method !== undefined);
  expect(notifications.map(({ method }) => method)).toEqual(
    expect.arrayContaining([
      'notifications/progress',
      'notifications/subscriptions/acknowledged',
      'notifications/cancelled',
    ]),
  );
  for (const notification of notifications) expect(notification).not.toHaveProperty('id');
});

/** Sends one message after another, each when the last was answered. */
async function inTurn(server: Parameters<typeof serveStream>[0], ...messages: object[]): Promise<Message[]> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  serving = serveStream(server, { readable: toServer, writable: toClient });
  const said: Message[] = [];
  let wake = (): void => {};
  toClient.on('data', (chunk) => {
    for (const line of String(chunk).trim().split('\n')) said.push(JSON.parse(line));
    wake();
  });
  for (const message of messages) {
    const { id } = message as Message;
    const before = said.length;
    toServer.write(`${JSON.stringify(message)}\n`);
    while (id !== undefined && !said.slice(before).some((each) => each.id === id)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return said;
}

test('[CANC-08] a cancellation that crosses the answer changes nothing: one answer, and the id is free again', async () => {
  const stub = new Stub();
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const echo = (id: number) => call('echo', { text: 'x' }, id);
  // Together the cancellation is read before the answer is written; in turn, after.
  expect((await exchanged(stub, echo(1), cancel, cancel, echo(2))).map(({ id }) => id)).toEqual([2]);
  expect((await inTurn(stub, echo(1), cancel, echo(1))).map(({ id, result }) => [id, result.resultType])).toEqual([
    [1, 'complete'],
    [1, 'complete'],
  ]);
  expect(stub.errors).toEqual([]);
});

test('[PROG-07] [PROG-08] a token is named only while its request is in progress', async () => {
  const stub = new Stub();
  const kept: ExchangeIO[] = [];
  const progress = { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } };
  stub.tools.set('keep', (_args, io) => {
    io.notify(progress);
    kept.push(io);
    return text('kept');
  });
  stub.tools.set('after', () => {
    for (const io of kept) io.notify(progress);
    return text('after');
  });
  const messages = await inTurn(stub, call('keep', {}, 1), call('after', {}, 2));
  expect(messages.map(({ id, method }) => method ?? id)).toEqual(['notifications/progress', 1, 2]);
});

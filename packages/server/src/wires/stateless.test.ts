import { PassThrough } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { type QuietServer, quietServer } from '../testing.ts';
import { type HttpServeOptions, type HttpServing, serveHttp } from './http.ts';
import { serveStream } from './stream.ts';
import { call, listen, modern, post } from './testing/request.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Message = any;

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const asks = { [CAPABILITIES]: { elicitation: {} } };
const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** A byte stream to a server: one connection, as over stdio. */
function connection(server: QuietServer) {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  open.push(serveStream(server, { readable: toServer, writable: toClient }, { grace: 0 }));
  const lines = (async function* () {
    let rest = '';
    for await (const chunk of toClient) {
      const parts = `${rest}${chunk}`.split('\n');
      rest = parts.pop() as string;
      yield* parts;
    }
  })();
  return async (message: object): Promise<Message> => {
    toServer.write(`${JSON.stringify(message)}\n`);
    return JSON.parse((await lines.next()).value as string);
  };
}

async function serve(server: QuietServer, options: HttpServeOptions = {}): Promise<string> {
  const serving: HttpServing = await serveHttp(server, options);
  open.push(serving);
  return serving.url;
}

function asking(): QuietServer {
  const server = quietServer({ pageSize: 1, requestState: { keys: [{ id: 'k', secret: 'x'.repeat(32) }] } });
  server.tool(
    'greet',
    {},
    async (_args, ctx) => `Hello, ${(await ctx.elicit('who', { message: 'Who?', schema: name })).name}`,
  );
  server.tool('second', {}, () => 'second');
  return server;
}

test('[STATE-01] [T031] [VER-04] capabilities and version of a request say nothing of the next on the connection', async () => {
  const ask = connection(asking());
  expect((await ask(call('greet', {}, 1, asks))).result.resultType).toBe('input_required');
  expect((await ask(call('greet', {}, 2))).error.code).toBe(-32021);
  expect((await ask(modern('tools/list', {}, 3, { [VERSION]: '2031-01-01' }))).error.code).toBe(-32022);
  expect((await ask(modern('tools/list', {}, 4))).result.tools).toHaveLength(1);
  expect((await ask({ jsonrpc: '2.0', id: 5, method: 'tools/list', params: {} })).error.code).toBe(-32602);
});

test('[STATE-05] [MRTR-34] what goes on from an earlier request names it, and may come by another connection or to another process', async () => {
  const server = asking();
  const first = await connection(server)(modern('tools/list'));
  const { nextCursor } = first.result;
  const url = await serve(server);
  expect((await post(url, modern('tools/list', { cursor: nextCursor }))).json.result.tools).toMatchObject([
    { name: 'second' },
  ]);
  // Without the cursor there is nothing that would say where the list goes on.
  expect((await post(url, modern('tools/list'))).json.result.tools).toMatchObject([{ name: 'greet' }]);

  const { requestState } = (await post(url, call('greet', {}, 1, asks))).json.result;
  const answers = { who: { action: 'accept', content: { name: 'Ada' } } };
  const retry = modern('tools/call', { name: 'greet', arguments: {}, requestState, inputResponses: answers });
  const other = await serve(asking());
  expect((await post(other, retry)).json.result.content[0].text).toBe('Hello, Ada');
});

test('[TOOL-04] [RES-04] [PRM-03] [T096] lists are the same on every connection, whatever was called before', async () => {
  const server = quietServer();
  let users = 0;
  server.tool('login', {}, () => `you are number ${++users}`);
  server.tool('work', {}, () => 'done');
  server.prompt('p', {}, () => 'p');
  server.resource('x://r', { name: 'r' }, () => 'r');
  server.resourceTemplate('y://{z}', { name: 't' }, () => 't');
  const used = connection(server);
  const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
  const lists = async (ask: (message: object) => Promise<Message>) =>
    Promise.all(methods.map(async (method) => (await ask(modern(method))).result));
  const before: Message[] = [];
  for (const method of methods) before.push((await used(modern(method))).result);
  await used(call('login'));
  await used(modern('prompts/get', { name: 'p' }));
  await used(modern('resources/read', { uri: 'x://r' }));
  const after: Message[] = [];
  for (const method of methods) after.push((await used(modern(method))).result);
  expect(after).toEqual(before);
  const url = await serve(server);
  expect(await lists(async (message) => (await post(url, message as ReturnType<typeof modern>)).json)).toEqual(before);
});

const authenticate: HttpServeOptions['authenticate'] = (head) => {
  const token = head.header('authorization');
  return token === undefined ? { status: 401, wwwAuthenticate: 'Bearer' } : { principal: token };
};

test('[STATE-09] a state from an earlier answer is no credential, and nobody else’s', async () => {
  const url = await serve(asking(), { authenticate });
  const { requestState } = (await post(url, call('greet', {}, 1, asks), { authorization: 'ann' })).json.result;
  const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
  const retry = modern('tools/call', { name: 'greet', arguments: {}, requestState, inputResponses });
  expect((await post(url, retry)).status).toBe(401);
  expect((await post(url, retry, { authorization: 'bob' })).json.error.code).toBe(-32602);
  expect((await post(url, retry, { authorization: 'ann' })).json.result.content[0].text).toBe('Hello, Ada');
});

test('[ELIC-44] who asks is what authentication found out, whatever the request says of itself', async () => {
  const server = quietServer();
  server.tool('who', {}, (_args, ctx) => String(ctx.auth?.principal));
  const claims = {
    'io.modelcontextprotocol/clientInfo': { name: 'ann', version: '1', principal: 'ann' },
    principal: 'ann',
    auth: { principal: 'ann' },
  };
  const claimed = call('who', {}, 1, claims);
  const text = async (url: string, headers = {}) => (await post(url, claimed, headers)).json.result.content[0].text;
  expect(await text(await serve(server))).toBe('undefined');
  expect(await text(await serve(server, { authenticate }), { authorization: 'bob' })).toBe('bob');
  expect((await connection(server)(claimed)).result.content[0].text).toBe('undefined');
});

test('[TOOL-39] [COMP-10] [CACHE-24] what a caller may not use is refused every time, also where the last answer was for everybody', async () => {
  const server = quietServer({ cache: { tools: { ttlMs: 60_000, scope: 'public' } } });
  let calls = 0;
  server.tool('secret', {}, () => `${++calls}`);
  server.prompt('p', { arguments: [{ name: 'a' }], complete: { a: () => [`${++calls}`] } }, () => `${++calls}`);
  server.resource('x://secret', { name: 's', cache: { ttlMs: 60_000, scope: 'public' } }, () => `${++calls}`);
  server.use((next) => (request, io) => {
    if (io.auth?.principal === 'ann') return next(request, io);
    throw new Error('not yours');
  });
  const url = await serve(server, { authenticate });
  const requests = [
    call('secret'),
    modern('prompts/get', { name: 'p' }),
    modern('resources/read', { uri: 'x://secret' }),
    modern('completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }),
  ];
  for (const request of requests) {
    expect((await post(url, request, { authorization: 'ann' })).json.result).toBeDefined();
    const before = calls;
    expect((await post(url, request, { authorization: 'bob' })).json.error.code).toBe(-32603);
    expect((await post(url, request)).status).toBe(401);
    expect(calls).toBe(before);
  }
});

test('[T066] [SUBS-18] [LOG-04] [T050] what belongs to a request goes on its own stream, and changes only where they were listened for', async () => {
  const server = quietServer();
  server.tool('busy', {}, (_args, ctx) => {
    ctx.progress(1);
    ctx.log('info', 'working');
    server.tool(`made ${Math.random()}`, {}, () => 'x');
    ctx.progress(2);
    return 'done';
  });
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const serving = serveStream(server, { readable: toServer, writable: toClient });
  const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' };
  const key = 'io.modelcontextprotocol/subscriptionId';
  toServer.write(`${JSON.stringify(listen({ toolsListChanged: true }, 'l'))}\n`);
  toServer.write(`${JSON.stringify(call('busy', {}, 'c', meta))}\n`);
  toServer.end();
  await serving.closed;
  const messages: Message[] = String(toClient.read())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ofStream = messages.filter(({ id, params }) => id === 'l' || params?._meta?.[key] === 'l');
  expect(ofStream.map(({ id, method }) => method ?? id)).toEqual([
    'notifications/subscriptions/acknowledged',
    'notifications/tools/list_changed',
    'l',
    'notifications/cancelled',
  ]);
  const ofCall = messages.filter((message) => !ofStream.includes(message));
  expect(ofCall.map(({ id, method }) => method ?? id)).toEqual([
    'notifications/progress',
    'notifications/message',
    'notifications/progress',
    'c',
  ]);

  // Over HTTP the stream of a call hears of its own work and of no change.
  const events = (await post(await serve(server), call('busy', {}, 1, meta))).text;
  expect(events.match(/"method":"[^"]+"/g)).toEqual([
    '"method":"notifications/progress"',
    '"method":"notifications/message"',
    '"method":"notifications/progress"',
  ]);
});

import { PassThrough } from 'node:stream';
import { isMalformed, type Malformed, type Message } from '@dragoman/protocol';
import { afterEach, expect, test } from 'vitest';
import type { LegacyHttp } from '../http/legacy.ts';
import { type HttpServing, serveHttp } from './http.ts';
import { serveStream } from './stream.ts';
import { call, headersFor, post, send } from './testing/request.ts';
import { Stub } from './testing/stub.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const request = (method: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{}}`;

let serving: HttpServing | undefined;
afterEach(() => serving?.close());

/** An adapter that takes all it is offered, except `declined`. */
function adapter(): LegacyHttp & { readonly taken: string[] } {
  const taken: string[] = [];
  return {
    taken,
    methods: ['GET', 'DELETE'],
    receive(call, message) {
      const what = describe(message);
      if (what === 'declined') return false;
      taken.push(`${call.method} ${what}`);
      call.reply(200, 'application/json', '"legacy"');
      return true;
    },
  };
}

function describe(message: Message | Malformed | undefined): string {
  if (message === undefined) return 'nothing';
  if (isMalformed(message)) return 'malformed';
  return 'method' in message ? message.method : 'response';
}

test('[T016] [ERA-22] [ERA-23] what bears no mark of the modern era goes to the adapter, whatever it is; the rest never does', async () => {
  const legacy = adapter();
  serving = await serveHttp(new Stub(), { legacy });
  const { url } = serving;
  const bodies = [
    request('initialize'),
    request('tools/list'),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    `[${request('ping')}]`,
  ];
  for (const body of bodies) expect((await send(url, { headers: JSON_TYPE, body })).text).toBe('"legacy"');
  const versioned = { ...JSON_TYPE, 'mcp-protocol-version': '2025-11-25' };
  expect((await send(url, { headers: versioned, body: request('ping') })).text).toBe('"legacy"');
  for (const method of ['GET', 'DELETE']) expect((await send(url, { method })).text).toBe('"legacy"');
  expect(legacy.taken).toEqual([
    'POST initialize',
    'POST tools/list',
    'POST notifications/initialized',
    'POST response',
    'POST malformed',
    'POST ping',
    'GET nothing',
    'DELETE nothing',
  ]);
  const before = legacy.taken.length;
  const echo = call('echo', { text: 'x' });
  expect((await post(url, echo)).json.result.content[0].text).toBe('x');
  expect((await send(url, { headers: headersFor(echo), body: '[]' })).status).toBe(400);
  expect((await send(url, { headers: headersFor(echo), body: request('tools/call') })).status).toBe(400);
  expect((await send(url, { method: 'PUT' })).headers.allow).toBe('POST, GET, DELETE, OPTIONS');
  expect(legacy.taken).toHaveLength(before);
});

test('what the adapter leaves is answered as if there were none', async () => {
  serving = await serveHttp(new Stub(), { legacy: adapter() });
  const answer = await send(serving.url, { headers: JSON_TYPE, body: request('declined') });
  expect(answer.json.error.code).toBe(-32020);
});

test('[C01] pages may use the methods of the adapter', async () => {
  serving = await serveHttp(new Stub(), { legacy: adapter() });
  const preflight = await send(serving.url, { method: 'OPTIONS', headers: { origin: 'http://localhost:1' } });
  expect(preflight.headers['access-control-allow-methods']).toBe('POST, GET, DELETE');
});

test('[T016] [T017] [ERA-23] on a byte stream too', async () => {
  const taken: string[] = [];
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stream = serveStream(
    new Stub(),
    { readable: input, writable: output },
    {
      legacy: {
        receive(connection, message) {
          if (message.method === 'declined') return false;
          taken.push(message.method);
          if ('id' in message) connection.send('"legacy"');
          return true;
        },
      },
    },
  );
  const lines = [
    JSON.stringify(call('echo', { text: 'x' }, 8)),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    request('initialize'),
    request('declined'),
    JSON.stringify(call('echo', { text: 'x' }, 9)),
  ];
  input.end(lines.join('\n'));
  await stream.closed;
  const said = String(output.read())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(taken).toEqual(['notifications/initialized', 'initialize']);
  expect(said).toHaveLength(4);
  expect(said).toContain('legacy');
  expect(said.find(({ id }) => id === 1).error.code).toBe(-32602);
  for (const modern of [8, 9]) expect(said.find(({ id }) => id === modern)).toHaveProperty('result');
});

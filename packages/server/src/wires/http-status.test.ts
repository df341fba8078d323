import { afterAll, beforeAll, expect, test } from 'vitest';
import { quietServer } from '../testing.ts';
import { type HttpServing, serveHttp } from './http.ts';
import { call, headersFor, listen, modern, post, type Sent, send } from './testing/request.ts';

const server = quietServer();
const text = { type: 'string' };
const region = { type: 'string', 'x-mcp-header': 'Region' };
server.tool('echo', { input: { type: 'object', properties: { text } } }, ({ text }) => String(text));
server.tool('routed', { input: { type: 'object', properties: { region } } }, () => 'routed');
server.tool('asking', {}, async (_, ctx) => {
  await ctx.elicit('q', { message: 'ok?', schema: { type: 'object', properties: { ok: { type: 'boolean' } } } });
  return 'answered';
});
server.resource('note://été', { name: 'n' }, () => 'text');

let serving: HttpServing;
beforeAll(async () => {
  serving = await serveHttp(server);
});
afterAll(() => serving.close());

type Headers = NonNullable<Sent['headers']>;
type Message = ReturnType<typeof modern>;

const base64 = (value: string | Uint8Array): string => Buffer.from(value).toString('base64');
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const echo = call('echo', { text: 'hi' });
const read = modern('resources/read', { uri: 'note://été' });
const list = modern('tools/list');
const v999 = modern('tools/list', {}, 1, { [VERSION]: 'v999.0.0' });

/** Requests of 2026-07-28 with their own headers, some of them changed or (undefined) left out. */
const requests: [rule: string, status: number, code: number | undefined, message: Message, headers?: Headers][] = [
  ['[HTTP-16] a request', 200, undefined, echo],
  [
    '[HTTP-44] [HTTP-45] a session id and an event id, ignored',
    200,
    undefined,
    echo,
    { 'mcp-session-id': 'x', 'last-event-id': '7' },
  ],
  ['[HDR-09] Mcp-Method is missing', 400, -32020, echo, { 'mcp-method': undefined }],
  ['[HDR-09] Mcp-Name is missing', 400, -32020, echo, { 'mcp-name': undefined }],
  ['[HTTP-37] the version header is missing', 400, -32020, echo, { 'mcp-protocol-version': undefined }],
  ['[HDR-07] [HDR-08] Mcp-Method in other letters', 400, -32020, echo, { 'mcp-method': 'TOOLS/CALL' }],
  ['[TRN-04] [T083] [HDR-08] Mcp-Name differs', 400, -32020, echo, { 'mcp-name': 'other' }],
  ['[HDR-08] Mcp-Method twice', 400, -32020, echo, { 'mcp-method': 'tools/call, tools/call' }],
  [
    '[HDR-06] header names in other letters',
    200,
    undefined,
    echo,
    { 'mcp-method': undefined, 'MCP-METHOD': 'tools/call' },
  ],
  ['[HDR-18] spaces round a value', 200, undefined, echo, { 'mcp-name': '  echo\t ' }],
  ['[X01] a URI in its encoded form', 200, undefined, read, { 'mcp-name': `=?base64?${base64('note://été')}?=` }],
  ['[X01] markers in other letters', 400, -32020, read, { 'mcp-name': `=?BASE64?${base64('note://été')}?=` }],
  [
    '[X01] [ENC-09] encoded bytes that are not UTF-8',
    400,
    -32020,
    echo,
    { 'mcp-name': `=?base64?${base64(Uint8Array.of(255))}?=` },
  ],
  ['[X01] encoding that is no Base64', 400, -32020, echo, { 'mcp-name': '=?base64?ZWNobw?=' }],
  ['[X03] [HDR-10] raw bytes that decode to the right name', 400, -32020, read, { 'mcp-name': 'note://été' }],
  ['[HDR-13] a mirrored argument without its header', 400, -32020, call('routed', { region: 'eu' })],
  [
    '[HDR-13] a mirrored argument with its header',
    200,
    undefined,
    call('routed', { region: 'eu' }),
    { 'mcp-param-region': 'eu' },
  ],
  ['[HDR-14] no header for an argument of null', 200, undefined, call('routed', { region: null })],
  ['[HTTP-38] [META-06] _meta lacks the version', 400, -32602, modern('tools/list', {}, 1, { [VERSION]: undefined })],
  [
    '[HTTP-38] [META-06] _meta lacks the capabilities',
    400,
    -32602,
    modern('tools/list', {}, 1, { [CAPABILITIES]: undefined }),
  ],
  ['[HTTP-33] [T021] header and _meta name different versions', 400, -32020, v999],
  ['[HTTP-34] a version that is not served', 400, -32022, v999, { 'mcp-protocol-version': 'v999.0.0' }],
  ['[HTTP-39] [T025] a handler asks what the client cannot', 400, -32021, call('asking')],
  ['[HTTP-35] [T023] an unknown method', 404, -32601, modern('unknown/method')],
  ['[T018] initialize with the mark of the modern era', 404, -32601, modern('initialize')],
  ['[T022] an unknown tool', 200, -32602, call('nothing')],
  ['[H01] a charset and other letters', 200, undefined, echo, { 'content-type': 'Application/JSON; charset=UTF-8' }],
  ['[Z11] the encoding that is none', 200, undefined, echo, { 'content-encoding': 'identity' }],
  ['[H06] an Accept that takes all', 200, undefined, echo, { accept: '*/*' }],
  ['no Accept', 200, undefined, echo, { accept: undefined }],
  ['an Accept of JSON alone', 200, undefined, echo, { accept: 'application/json' }],
  [
    'a listen stream for a reader of JSON alone',
    406,
    -32600,
    listen({ toolsListChanged: true }),
    { accept: 'application/json' },
  ],
];

test.each(requests)('%s: %i', async (_, status, code, message, headers) => {
  const answer = await post(serving.url, message, headers);
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.headers['mcp-session-id']).toBeUndefined();
  expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: 1 });
  expect(answer.json.error?.code).toBe(code);
});

const JSON_TYPE = { 'content-type': 'application/json' };
const legacy = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';

/** Bodies and headers of all kinds, and the id that the error carries where one could be read. */
const others: [rule: string, status: number, code: number, sent: Sent, id?: string | number][] = [
  ['[HTTP-14] [J06] a malformed notification', 400, -32600, { body: '{"jsonrpc":"2.0","method":"x","params":[]}' }],
  [
    '[J01] a notification with an id, which makes it a request',
    400,
    -32020,
    { body: '{"jsonrpc":"2.0","id":0,"method":"notifications/x"}' },
    0,
  ],
  [
    '[HTTP-02] [T085] [HTTP-03] [C21] a foreign origin',
    403,
    -32600,
    { body: legacy, headers: { origin: 'https://evil.example' } },
  ],
  ['[Z01] the opaque origin', 403, -32600, { body: legacy, headers: { origin: 'null' } }],
  ['[T085] [Z01] [C21] a foreign host', 403, -32600, { body: legacy, headers: { host: 'evil.example:8088' } }],
  ['[HTTP-43] [H05] GET', 405, -32600, { method: 'GET', headers: { 'mcp-session-id': 'x', 'last-event-id': '7' } }],
  ['[HTTP-43] [H05] DELETE', 405, -32600, { method: 'DELETE' }],
  ['PUT', 405, -32600, { method: 'PUT', headers: JSON_TYPE, body: '{}' }],
  ['[T020] modern headers and no _meta at all', 400, -32602, { headers: headersFor(list), body: legacy }, 1],
  [
    '[C18] [ERA-24] initialize of an older client',
    400,
    -32022,
    { body: '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}' },
    7,
  ],
  ['[ERA-26] a request without a mark of any era', 400, -32020, { body: legacy }, 1],
  [
    '[ERA-26] a request of an older revision',
    400,
    -32022,
    { headers: { ...JSON_TYPE, 'mcp-protocol-version': '2025-11-25' }, body: legacy },
    1,
  ],
  ['[ERR-16] what is not JSON', 400, -32700, { body: '{"jsonrpc":' }],
  ['an empty body', 400, -32700, { body: '' }],
  ['[T01] bytes that are not UTF-8', 400, -32700, { body: Uint8Array.of(0x22, 0xff, 0x22) }],
  ['[BASE-21] a batch', 400, -32600, { body: `[${legacy}]` }],
  ['[J05] [T029] an id of null', 400, -32600, { body: '{"jsonrpc":"2.0","id":null,"method":"tools/list"}' }],
  ['[J06] a method that is no string', 400, -32600, { body: '{"jsonrpc":"2.0","id":5,"method":1}' }, 5],
  ['[J06] another JSON-RPC', 400, -32600, { body: '{"jsonrpc":"1.0","id":"5","method":"x"}' }, '5'],
  ['[BASE-18] a response', 400, -32600, { body: '{"jsonrpc":"2.0","id":5,"result":{}}' }],
  ['[HTTP-41] no content type', 415, -32600, { headers: {}, body: legacy }],
  ['[HTTP-41] another content type', 415, -32600, { headers: { 'content-type': 'text/plain' }, body: legacy }],
  [
    '[H01] another charset',
    415,
    -32600,
    { headers: { 'content-type': 'application/json; charset=latin1' }, body: legacy },
  ],
  ['[Z11] an encoded body', 415, -32600, { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: legacy }],
  [
    '[Z11] a stacked encoding',
    415,
    -32600,
    { headers: { ...JSON_TYPE, 'content-encoding': 'gzip, gzip' }, body: legacy },
  ],
  [
    '[HTTP-41] an Accept that leaves nothing',
    406,
    -32600,
    { headers: { ...JSON_TYPE, accept: 'text/html' }, body: legacy },
  ],
];

test.each(others)('%s: %i', async (_, status, code, sent, id) => {
  const answer = await send(serving.url, { headers: JSON_TYPE, ...sent });
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { code } });
  expect(answer.json.id).toBe(id);
  expect('id' in answer.json).toBe(id !== undefined);
});

test.each([
  ['[HTTP-13] [H03] any', '{"jsonrpc":"2.0","method":"notifications/x"}'],
  ['[J03] of an older handshake', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
  ['[HTTP-31] a cancellation', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'],
])('a notification, %s: 202 without a body', async (_, body) => {
  const answer = await send(serving.url, { headers: JSON_TYPE, body });
  expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([202, '', undefined]);
});

test('refusals say what would be right', async () => {
  const refused = async (sent: Sent) => (await send(serving.url, sent)).headers;
  expect((await refused({ method: 'GET' })).allow).toBe('POST, OPTIONS');
  expect((await refused({ body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'br' } }))['accept-encoding']).toBe(
    'identity',
  );
  const unserved = (await post(serving.url, v999, { 'mcp-protocol-version': 'v999.0.0' })).json.error.data;
  expect(unserved).toEqual({ supported: ['2026-07-28'], requested: 'v999.0.0' });
  const initialize = '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}';
  expect((await send(serving.url, { headers: JSON_TYPE, body: initialize })).json.error.data).toEqual({
    supported: ['2026-07-28'],
    requested: '2025-06-18',
  });
  expect((await post(serving.url, call('asking'))).json.error.data.requiredCapabilities).toHaveProperty('elicitation');
});

test('[T024] another path is 404 in plain words: JSON-RPC would read as a modern server without the method', async () => {
  const answer = await send(serving.url.replace('/mcp', '/other'), { headers: JSON_TYPE, body: legacy });
  expect(answer.status).toBe(404);
  expect(answer.headers['content-type']).toContain('text/plain');
  expect(answer.text).toContain('/mcp');
});

const ok = { ...JSON_TYPE, authorization: 'ok' };

/** Requests with two faults each: which one is told shows what is looked at first. */
const order: [first: string, status: number, sent: Sent, path?: string][] = [
  ['host before path, method and authentication', 403, { headers: { host: 'evil.example' }, method: 'GET' }, '/other'],
  ['path before method', 404, { method: 'GET' }, '/other'],
  ['method before authentication', 405, { method: 'GET' }],
  [
    'authentication before media types',
    401,
    { headers: { 'content-type': 'text/plain', accept: 'text/html' }, body: '{' },
  ],
  ['authentication before size', 401, { headers: JSON_TYPE, body: 'x'.repeat(100) }],
  ['content type before the body', 415, { headers: { ...ok, 'content-type': 'text/plain' }, body: '{' }],
  ['accept before the body', 406, { headers: { ...ok, accept: 'text/html' }, body: '{' }],
  ['size before JSON', 413, { headers: ok, body: '{'.repeat(100) }],
  ['JSON before all that it may say', 400, { headers: ok, body: '{' }],
];

test.each(order)('the order of validation: %s: %i', async (_, status, sent, path = '/mcp') => {
  const guarded = await serveHttp(server, {
    limits: { maxBodyBytes: 50 },
    authenticate: (head) => (head.header('authorization') === 'ok' ? { principal: 'ann' } : { status: 401 }),
  });
  expect((await send(guarded.url.replace('/mcp', path), sent)).status).toBe(status);
  await guarded.close();
});

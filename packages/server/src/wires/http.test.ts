import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Authenticate } from '../http/authenticate.ts';
import { quietServer } from '../testing.ts';
import { type HttpServeOptions, type HttpServing, serveHttp } from './http.ts';
import { call, headersFor, listen, messagesOf, modern, post, send } from './testing/request.ts';

const text = { type: 'string' };
let open: HttpServing[] = [];

function makeServer() {
  const server = quietServer();
  server.tool('echo', { input: { type: 'object', properties: { text }, required: ['text'] } }, ({ text }) =>
    String(text),
  );
  server.tool(
    'routed',
    { input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } },
    () => 'routed',
  );
  server.tool('asking', {}, async (_, ctx) => {
    const { ok } = (await ctx.elicit('q', {
      message: 'ok?',
      schema: { type: 'object', properties: { ok: { type: 'boolean' } } },
    })) as { ok: boolean };
    return String(ok);
  });
  server.resource('note://été', { name: 'n' }, () => 'text');
  return server;
}
let server = makeServer();

async function serve(options: HttpServeOptions = {}): Promise<HttpServing> {
  const serving = await serveHttp(server, options);
  open.push(serving);
  return serving;
}

beforeEach(() => {
  server = makeServer();
});
afterEach(async () => {
  await Promise.all(open.map((serving) => serving.close()));
  open = [];
});

const echo = call('echo', { text: 'hi' });

test('a request is answered with one JSON object on one line', async () => {
  const { url, port } = await serve();
  const answer = await post(url, echo);
  expect(url).toBe(`http://127.0.0.1:${port}/mcp`);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  expect(answer.text).not.toContain('\n');
  expect(answer.json.result.content).toEqual([{ type: 'text', text: 'hi' }]);
});

test.each([0, '', 'ä"', -1, Number.MAX_SAFE_INTEGER])('[J01] [BASE-08] the id comes back as it was: %j', async (id) => {
  const { url } = await serve();
  expect((await post(url, call('echo', { text: 'hi' }, id))).json.id).toBe(id);
});

interface Row {
  readonly rule: string;
  readonly sent?: Parameters<typeof send>[1] | undefined;
  readonly message?: ReturnType<typeof modern>;
  readonly headers?: { readonly [name: string]: string | undefined };
  readonly status: number;
  readonly code?: number;
  readonly id?: unknown;
  readonly answer?: (answer: Awaited<ReturnType<typeof send>>) => void;
}

const noClaim = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const json = { 'content-type': 'application/json' };
const raw = (body: string | Uint8Array, headers: Row['headers'] = json): Row['sent'] => ({ body, headers });
const version = 'io.modelcontextprotocol/protocolVersion';

const rows: Row[] = [
  {
    rule: '[HTTP-13] [H03] an accepted notification',
    sent: raw('{"jsonrpc":"2.0","method":"notifications/x"}'),
    status: 202,
    answer: ({ text, headers }) => {
      expect(text).toBe('');
      expect(headers['content-type']).toBeUndefined();
    },
  },
  {
    rule: '[J03] a notification of an older handshake',
    sent: raw('{"jsonrpc":"2.0","method":"notifications/initialized"}'),
    status: 202,
  },
  {
    rule: '[HTTP-31] a cancellation, which HTTP has no use for',
    sent: raw('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'),
    status: 202,
  },
  {
    rule: '[HTTP-14] [J06] a malformed notification',
    sent: raw('{"jsonrpc":"2.0","method":"x","params":[]}'),
    status: 400,
    code: -32600,
  },
  {
    rule: '[J01] a notification with an id is a request',
    sent: raw('{"jsonrpc":"2.0","id":0,"method":"notifications/x"}'),
    status: 400,
    code: -32020,
    id: 0,
  },
  {
    rule: '[HTTP-03] [C21] a foreign origin',
    message: echo,
    headers: { origin: 'https://evil.example' },
    status: 403,
    code: -32600,
  },
  { rule: '[Z01] the opaque origin', message: echo, headers: { origin: 'null' }, status: 403, code: -32600 },
  { rule: '[Z01] a foreign host', message: echo, headers: { host: 'evil.example:8088' }, status: 403, code: -32600 },
  {
    rule: '[HTTP-43] [H05] GET',
    sent: { method: 'GET', headers: { 'mcp-session-id': 'x', 'last-event-id': '7' } },
    status: 405,
    answer: ({ headers }) => {
      expect(headers.allow).toBe('POST, OPTIONS');
      expect(headers['mcp-session-id']).toBeUndefined();
    },
  },
  { rule: '[HTTP-43] DELETE', sent: { method: 'DELETE' }, status: 405 },
  { rule: 'PUT', sent: { method: 'PUT', headers: json, body: '{}' }, status: 405 },
  {
    rule: '[HTTP-44] [HTTP-45] a session id and an event id are ignored',
    message: echo,
    headers: { 'mcp-session-id': 'x', 'last-event-id': '7' },
    status: 200,
    id: 1,
    answer: ({ headers }) => expect(headers['mcp-session-id']).toBeUndefined(),
  },
  {
    rule: '[HDR-09] Mcp-Method is missing',
    message: echo,
    headers: { 'mcp-method': undefined },
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[HDR-09] Mcp-Name is missing',
    message: echo,
    headers: { 'mcp-name': undefined },
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[HTTP-37] the version header is missing',
    message: echo,
    headers: { 'mcp-protocol-version': undefined },
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[HDR-07] [HDR-08] Mcp-Method in other letters',
    message: echo,
    headers: { 'mcp-method': 'TOOLS/CALL' },
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[HDR-08] Mcp-Name differs',
    message: echo,
    headers: { 'mcp-name': 'other' },
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[HDR-08] Mcp-Method twice',
    message: echo,
    headers: { 'mcp-method': 'tools/call, tools/call' },
    status: 400,
    code: -32020,
    id: 1,
  },
  { rule: '[HDR-18] spaces round a value', message: echo, headers: { 'mcp-name': '  echo\t ' }, status: 200, id: 1 },
  {
    rule: '[X01] a URI in its encoded form',
    message: modern('resources/read', { uri: 'note://été' }),
    headers: { 'mcp-name': `=?base64?${Buffer.from('note://été').toString('base64')}?=` },
    status: 200,
    id: 1,
  },
  {
    rule: '[X01] markers in other letters',
    message: modern('resources/read', { uri: 'note://été' }),
    headers: { 'mcp-name': `=?BASE64?${Buffer.from('note://été').toString('base64')}?=` },
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[X01] [ENC-09] bytes that are not UTF-8 in an encoded value',
    message: echo,
    headers: { 'mcp-name': '=?base64?/w==?=' },
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[X03] [HDR-10] raw bytes that decode to the right name',
    message: modern('resources/read', { uri: 'note://été' }),
    headers: { 'mcp-name': 'note://été' },
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[HDR-13] a mirrored argument without its header',
    message: call('routed', { region: 'eu' }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[HDR-14] no header for an argument that is not there',
    message: call('routed', { region: null }),
    status: 200,
    id: 1,
  },
  {
    rule: '[HDR-13] a mirrored argument with its header',
    message: call('routed', { region: 'eu' }),
    headers: { 'mcp-param-region': 'eu' },
    status: 200,
    id: 1,
  },
  {
    rule: '[HTTP-38] [META-06] _meta lacks the version',
    message: modern('tools/list', {}, 1, { [version]: undefined }),
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    rule: '[HTTP-38] _meta lacks the capabilities',
    message: modern('tools/list', {}, 1, { 'io.modelcontextprotocol/clientCapabilities': undefined }),
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    rule: '[T020] modern headers and no _meta at all',
    sent: { headers: { ...headersFor(modern('tools/list')) }, body: JSON.stringify(noClaim) },
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    rule: '[HTTP-33] [T021] header and _meta name different versions',
    message: modern('tools/list', {}, 1, { [version]: 'v999.0.0' }),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[HTTP-34] a version that is not served',
    message: modern('tools/list', {}, 1, { [version]: 'v999.0.0' }),
    headers: { 'mcp-protocol-version': 'v999.0.0' },
    status: 400,
    code: -32022,
    id: 1,
    answer: ({ json }) => expect(json.error.data).toEqual({ supported: ['2026-07-28'], requested: 'v999.0.0' }),
  },
  {
    rule: '[HTTP-39] [T025] a handler asks what the client cannot',
    message: call('asking'),
    status: 400,
    code: -32021,
    id: 1,
    answer: ({ json }) => expect(json.error.data.requiredCapabilities).toHaveProperty('elicitation'),
  },
  { rule: '[HTTP-35] [T023] an unknown method', message: modern('unknown/method'), status: 404, code: -32601, id: 1 },
  {
    rule: '[T018] initialize with the mark of the modern era',
    message: modern('initialize'),
    status: 404,
    code: -32601,
    id: 1,
  },
  { rule: '[T022] an unknown tool', message: call('nothing'), status: 200, code: -32602, id: 1 },
  {
    rule: '[C18] [ERA-24] initialize of an older client',
    sent: raw('{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}'),
    status: 400,
    code: -32022,
    id: 7,
    answer: ({ json }) => expect(json.error.data).toEqual({ supported: ['2026-07-28'], requested: '2025-06-18' }),
  },
  {
    rule: '[ERA-26] a request without a header of any era',
    sent: raw(JSON.stringify(noClaim)),
    status: 400,
    code: -32020,
    id: 1,
  },
  {
    rule: '[ERA-26] a request of an older revision',
    sent: raw(JSON.stringify(noClaim), { ...json, 'mcp-protocol-version': '2025-11-25' }),
    status: 400,
    code: -32022,
    id: 1,
  },
  { rule: '[ERR-16] what is not JSON', sent: raw('{"jsonrpc":'), status: 400, code: -32700 },
  { rule: 'an empty body', sent: raw(''), status: 400, code: -32700 },
  { rule: '[T01] bytes that are not UTF-8', sent: raw(Uint8Array.from([0x22, 0xff, 0x22])), status: 400, code: -32700 },
  { rule: '[BASE-21] a batch', sent: raw(JSON.stringify([noClaim])), status: 400, code: -32600 },
  {
    rule: '[J05] [T029] an id of null',
    sent: raw('{"jsonrpc":"2.0","id":null,"method":"tools/list"}'),
    status: 400,
    code: -32600,
  },
  {
    rule: '[J06] a method that is no string',
    sent: raw('{"jsonrpc":"2.0","id":5,"method":1}'),
    status: 400,
    code: -32600,
    id: 5,
  },
  {
    rule: '[J06] another JSON-RPC',
    sent: raw('{"jsonrpc":"1.0","id":5,"method":"x"}'),
    status: 400,
    code: -32600,
    id: 5,
  },
  { rule: '[BASE-18] a response', sent: raw('{"jsonrpc":"2.0","id":5,"result":{}}'), status: 400, code: -32600 },
  { rule: '[HTTP-41] no content type', sent: raw(JSON.stringify(noClaim), {}), status: 415, code: -32600 },
  {
    rule: '[HTTP-41] another content type',
    sent: raw(JSON.stringify(noClaim), { 'content-type': 'text/plain' }),
    status: 415,
    code: -32600,
  },
  {
    rule: '[H01] another charset',
    sent: raw(JSON.stringify(noClaim), { 'content-type': 'application/json; charset=latin1' }),
    status: 415,
    code: -32600,
  },
  {
    rule: '[H01] a charset and other letters',
    message: echo,
    headers: { 'content-type': 'Application/JSON; charset=UTF-8' },
    status: 200,
    id: 1,
  },
  {
    rule: '[Z11] an encoded body',
    message: echo,
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    code: -32600,
    answer: ({ headers }) => expect(headers['accept-encoding']).toBe('identity'),
  },
  {
    rule: '[Z11] a stacked encoding',
    message: echo,
    headers: { 'content-encoding': 'gzip, gzip' },
    status: 415,
    code: -32600,
  },
  {
    rule: '[Z11] the encoding that is none',
    message: echo,
    headers: { 'content-encoding': 'identity' },
    status: 200,
    id: 1,
  },
  {
    rule: '[HTTP-41] an Accept that leaves nothing',
    message: echo,
    headers: { accept: 'text/html' },
    status: 406,
    code: -32600,
  },
  { rule: '[H06] an Accept that takes all', message: echo, headers: { accept: '*/*' }, status: 200, id: 1 },
  { rule: 'no Accept', message: echo, headers: { accept: undefined }, status: 200, id: 1 },
  { rule: 'an Accept of JSON alone', message: echo, headers: { accept: 'application/json' }, status: 200, id: 1 },
  {
    rule: 'a listen stream for a reader of JSON alone',
    message: listen({ toolsListChanged: true }),
    headers: { accept: 'application/json' },
    status: 406,
    code: -32600,
    id: 1,
  },
  {
    rule: 'another path',
    sent: { ...raw(JSON.stringify(noClaim)) },
    status: 404,
    answer: ({ headers, text }) => {
      // A JSON-RPC body would read as a modern server's "unknown method" (HTTP, "Backward Compatibility").
      expect(headers['content-type']).toContain('text/plain');
      expect(text).toContain('/mcp');
    },
  },
];

test.each(rows)('$status for $rule', async ({ rule, sent, message, headers, status, code, id, answer }) => {
  const { url } = await serve();
  const target = rule === 'another path' ? url.replace('/mcp', '/other') : url;
  const got = message === undefined ? await send(target, sent ?? {}) : await post(target, message, headers);
  expect(got.status).toBe(status);
  if (code !== undefined) {
    expect(got.headers['content-type']).toBe('application/json');
    expect(got.json.jsonrpc).toBe('2.0');
    expect(got.json.error.code).toBe(code);
  }
  if (id !== undefined || code !== undefined) expect(got.json.id).toBe(id);
  if (code !== undefined && id === undefined) expect(got.json).not.toHaveProperty('id');
  answer?.(got);
});

test('[H01] an event stream alone is answered with one', async () => {
  const { url } = await serve();
  const answer = await post(url, echo, { accept: 'text/event-stream' });
  expect(answer.headers['content-type']).toBe('text/event-stream');
  expect(messagesOf(answer.text)[0].result.content[0].text).toBe('hi');
});

test.each(['/mcp', '/mcp/', '/mcp?x=1', '/mcp/?x=1'])(
  '[H08] both spellings of the path are the endpoint: %s',
  async (path) => {
    const { url } = await serve();
    expect((await post(url.replace('/mcp', path), echo)).status).toBe(200);
  },
);

test('the path is an option', async () => {
  const { url } = await serve({ path: '/' });
  expect(new URL(url).pathname).toBe('/');
  expect((await post(url, echo)).status).toBe(200);
  expect((await post(`${url}mcp`, echo)).status).toBe(404);
});

test.each([
  [
    'host before path, method and authentication',
    { headers: { host: 'evil.example' }, method: 'GET', path: '/other' },
    403,
  ],
  ['path before method', { method: 'GET', path: '/other' }, 404],
  ['method before authentication', { method: 'GET' }, 405],
  [
    'authentication before media types',
    { headers: { 'content-type': 'text/plain', accept: 'text/html' }, body: '{' },
    401,
  ],
  ['authentication before size', { headers: json, body: 'x'.repeat(100) }, 401],
  ['media types before the body', { headers: { 'content-type': 'text/plain', authorization: 'ok' }, body: '{' }, 415],
  ['size before JSON', { headers: { ...json, authorization: 'ok' }, body: '{'.repeat(100) }, 413],
  ['JSON last', { headers: { ...json, authorization: 'ok' }, body: '{' }, 400],
] as const)(
  'the order of validation: %s',
  async (_, { path = '/mcp', ...sent }: Parameters<typeof send>[1] & { path?: string }, status) => {
    const { url } = await serve({ limits: { maxBodyBytes: 50 }, authenticate });
    expect((await send(url.replace('/mcp', path), sent)).status).toBe(status);
  },
);

const authenticate: Authenticate = (head) => {
  const token = head.header('authorization');
  if (token === 'ok') return { principal: 'ann', token };
  if (token === 'weak') return { status: 403, wwwAuthenticate: 'Bearer error="insufficient_scope", scope="write"' };
  if (token === 'bad') return { status: 400, message: 'Not a bearer token' };
  if (token === 'nothing') return undefined as never;
  if (token === 'broken') throw new Error('the key store is down');
  return { status: 401, wwwAuthenticate: 'Bearer resource_metadata="https://x.example/prm"' };
};

test.each([
  ['none', 401, 'Bearer resource_metadata="https://x.example/prm"'],
  ['weak', 403, 'Bearer error="insufficient_scope", scope="write"'],
  ['bad', 400, undefined],
  ['nothing', 401, 'Bearer'],
  ['broken', 500, undefined],
  ['ok', 200, undefined],
] as const)('[HTTP-52] credentials %s: %i', async (token, status, challenge) => {
  const { url } = await serve({ authenticate });
  const answer = await post(url, echo, { authorization: token });
  expect(answer.status).toBe(status);
  expect(answer.headers['www-authenticate']).toBe(challenge);
  expect(server.errors).toHaveLength(token === 'broken' ? 1 : 0);
});

test('an authenticator may take its time, and the handler learns who asks', async () => {
  server.tool('who', {}, (_, ctx) => String(ctx.auth?.principal));
  const { url } = await serve({ authenticate: async () => ({ principal: 'ann' }) });
  expect((await post(url, call('who'))).json.result.content[0].text).toBe('ann');
});

test('[C01] a preflight is answered before authentication, with every header by name', async () => {
  const { url } = await serve({ authenticate });
  const answer = await send(url, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://localhost:5173',
      'access-control-request-method': 'POST',
      'access-control-request-headers':
        'Authorization, Mcp-Method,MCP-Param-Region, mcp-param-a b, x-other, mcp-param-',
      'access-control-request-private-network': 'true',
    },
  });
  expect(answer.status).toBe(204);
  expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:5173');
  expect(answer.headers['access-control-allow-methods']).toBe('POST');
  expect(answer.headers['access-control-allow-headers']?.split(', ')).toEqual([
    'content-type',
    'accept',
    'authorization',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'mcp-session-id',
    'last-event-id',
    'mcp-param-region',
  ]);
  expect(answer.headers['access-control-max-age']).toBe('7200');
  expect(answer.headers['access-control-allow-private-network']).toBe('true');
  expect(answer.headers.vary).toContain('Origin');
});

test('[C01] a preflight of a foreign origin is refused and grants nothing', async () => {
  const { url } = await serve();
  const answer = await send(url, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect(answer.status).toBe(403);
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});

test('[T084] pages can read answers, refusals and challenges', async () => {
  const { url } = await serve({ authenticate });
  const origin = 'http://localhost:5173';
  for (const authorization of ['ok', 'none']) {
    const { headers } = await post(url, echo, { origin, authorization });
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-expose-headers']).toContain('www-authenticate');
    expect(headers.vary).toBe('Origin');
  }
  expect((await post(url, echo, { authorization: 'ok' })).headers['access-control-allow-origin']).toBeUndefined();
});

test('[T084] event streams too', async () => {
  server.tool('busy', {}, (_, ctx) => {
    ctx.progress(1);
    return 'done';
  });
  const { url } = await serve();
  const answer = await post(url, call('busy', {}, 1, { progressToken: 't' }), { origin: 'http://localhost:5173' });
  expect(answer.headers['content-type']).toBe('text/event-stream');
  expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:5173');
});

test('cors: false leaves browsers to whatever stands in front; the origin is checked all the same', async () => {
  const { url } = await serve({ cors: false });
  const preflight = await send(url, { method: 'OPTIONS', headers: { origin: 'http://localhost:5173' } });
  expect(preflight.status).toBe(204);
  expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
  expect((await post(url, echo, { origin: 'https://evil.example' })).status).toBe(403);
});

test('more headers may be allowed and exposed', async () => {
  const { url } = await serve({ cors: { allowHeaders: ['x-tenant'], exposeHeaders: ['x-trace'], maxAge: 5 } });
  const origin = 'http://localhost:1';
  const preflight = await send(url, { method: 'OPTIONS', headers: { origin } });
  expect(preflight.headers['access-control-allow-headers']).toContain('x-tenant');
  expect(preflight.headers['access-control-max-age']).toBe('5');
  expect((await post(url, echo, { origin })).headers['access-control-expose-headers']).toContain('x-trace');
});

test('[T01] a body in single bytes, characters split, is the same body', async () => {
  const { url } = await serve();
  const message = call('echo', { text: 'é€😀' });
  const bytes = Buffer.from(JSON.stringify(message));
  const body = Array.from(bytes, (byte) => Uint8Array.of(byte));
  const answer = await send(url, { headers: headersFor(message), body });
  expect(answer.json.result.content[0].text).toBe('é€😀');
});

test('U+FFFD may stand in a text, and a byte order mark in front of one', async () => {
  const { url } = await serve();
  const message = call('echo', { text: '\ufffd' });
  const answer = await send(url, { headers: headersFor(message), body: `\ufeff${JSON.stringify(message)}` });
  expect(answer.json.result.content[0].text).toBe('\ufffd');
});

test('[Z10] a body at the limit is read, one byte more is 413, with a length and without', async () => {
  const body = JSON.stringify(echo);
  const { url } = await serve({ limits: { maxBodyBytes: body.length } });
  const headers = headersFor(echo);
  const parts = [Buffer.from(body.slice(0, 40)), Buffer.from(body.slice(40))];
  expect((await send(url, { headers, body })).status).toBe(200);
  expect((await send(url, { headers, body: parts })).status).toBe(200);
  const declared = await send(url, { headers, body: `${body} ` });
  const chunked = await send(url, { headers, body: [...parts, Buffer.from(' ')] });
  for (const answer of [declared, chunked]) {
    expect(answer.status).toBe(413);
    expect(answer.json.error.message).toContain(`maxBodyBytes, which is ${body.length}`);
  }
});

test('[Z10] a client that posts without end gets its 413 and is then cut off', async () => {
  const { port } = await serve({ limits: { maxBodyBytes: 1_000 } });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const chunk = `400\r\n${'x'.repeat(0x400)}\r\n`;
  let got = '';
  socket.on('data', (data) => {
    got += data;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
  await closed;
  expect(got).toMatch(/^HTTP\/1\.1 413 /);
});

test('Expect: 100-continue gets leave before the body, and a refusal instead of leave', async () => {
  const { port } = await serve({ limits: { maxBodyBytes: 1_000 } });
  const ask = async (length: number): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nexpect: 100-continue\r\n\r\n`,
    );
    const [data] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return data.toString().split('\r\n')[0] as string;
  };
  expect(await ask(10)).toContain('100 Continue');
  expect(await ask(2_000)).toContain('413');
});

test('beyond maxConcurrentRequests a request is refused with 503 and may come again', async () => {
  let release!: () => void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let entered!: () => void;
  const inside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  server.tool('wait', {}, async () => {
    entered();
    await released;
    return 'done';
  });
  const { url } = await serve({ limits: { maxConcurrentRequests: 1 } });
  const first = post(url, call('wait'));
  await inside;
  const second = await post(url, echo);
  expect(second.status).toBe(503);
  expect(second.headers['retry-after']).toBe('1');
  expect(second.json.error.message).toContain('maxConcurrentRequests is 1');
  release();
  expect((await first).status).toBe(200);
  expect((await post(url, echo)).status).toBe(200);
});

test('callTimeout answers with an error and aborts the handler', async () => {
  let aborted = false;
  server.tool(
    'stuck',
    {},
    (_, ctx) =>
      new Promise<string>((resolve) => {
        ctx.signal.addEventListener('abort', () => {
          aborted = true;
          resolve('late');
        });
      }),
  );
  const { url } = await serve({ limits: { callTimeout: 10 } });
  const answer = await post(url, call('stuck'));
  expect(answer.json).toMatchObject({ id: 1, error: { code: -32603, data: { limit: 'callTimeout' } } });
  expect(aborted).toBe(true);
});

test('what an exchange throws or returns that no wire can send is an internal error, and reported', async () => {
  server.use((exchange) => (request, io) => {
    const name = request.params.name;
    if (name === 'thrower') throw new Error('secret');
    if (name === 'big') return Promise.resolve({ resultType: 'complete', big: 1n });
    return exchange(request, io);
  });
  for (const name of ['thrower', 'big']) server.tool(name, {}, () => 'never');
  const { url } = await serve();
  for (const name of ['thrower', 'big']) {
    const answer = await post(url, call(name));
    expect(answer.status).toBe(200);
    expect(answer.json.error).toEqual({ code: -32603, message: 'Internal error' });
  }
  expect(server.errors).toHaveLength(2);
});

test('[HTTP-06] a listener beyond loopback without allowedHosts is warned of; with them it is not', async () => {
  const { url } = await serve({ host: '0.0.0.0' });
  expect(server.warnings.join()).toContain('UNSAFE_LISTENER');
  expect(url).toContain('http://localhost:');
  expect((await post(url, echo, { host: 'anything.example' })).status).toBe(200);
  const warnings = server.warnings.length;
  const safe = await serve({ host: '0.0.0.0', allowedHosts: ['mcp.example.com'] });
  expect(server.warnings).toHaveLength(warnings);
  expect((await post(safe.url, echo, { host: 'mcp.example.com' })).status).toBe(200);
  expect((await post(safe.url, echo)).status).toBe(403);
});

test('an address that is taken is a clear error', async () => {
  const { port } = await serve();
  await expect(serveHttp(server, { port })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringContaining(`127.0.0.1:${port}`),
  });
});

test('a head beyond maxHeaderBytes is 431', async () => {
  const { url } = await serve({ maxHeaderBytes: 2_000 });
  expect((await post(url, echo, { 'x-big': 'x'.repeat(3_000) })).status).toBe(431);
});

test('requests follow each other on one connection, refused ones too', async () => {
  const { port } = await serve();
  const socket = connect(port, '127.0.0.1');
  const body = JSON.stringify(echo);
  const head = Object.entries({ host: `127.0.0.1:${port}`, ...headersFor(echo), 'content-length': body.length })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const refused = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nhello`;
  const whole = `POST /mcp HTTP/1.1\r\n${head}\r\n${body}`;
  socket.write(whole + refused + whole);
  let got = '';
  while ((got.match(/HTTP\/1\.1/g) ?? []).length < 3) got += (await once(socket, 'data'))[0];
  expect(got.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 415', 'HTTP/1.1 200']);
  socket.destroy();
});

test('[Z15] two clients with the same id and token at once each get their own', async () => {
  const waiting: (() => void)[] = [];
  server.tool('meet', { input: { type: 'object', properties: { text } } }, async (args, ctx) => {
    const name = String(args.text);
    ctx.progress(1, 2, name);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 2) for (const go of waiting) go();
    });
    ctx.progress(2, 2, name);
    return name;
  });
  const { url } = await serve();
  const answers = await Promise.all(
    ['a', 'b'].map((name) => post(url, call('meet', { text: name }, 1, { progressToken: 1 }))),
  );
  const seen = answers.map((answer) =>
    messagesOf(answer.text).map((m) => m.params?.message ?? m.result.content[0].text),
  );
  expect(seen).toEqual([
    ['a', 'a', 'a'],
    ['b', 'b', 'b'],
  ]);
});

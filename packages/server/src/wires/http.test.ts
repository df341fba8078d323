import { once } from 'node:events';
import { connect } from 'node:net';
import type { AuthInfo } from '@dragoman/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Authenticate } from '../http/authenticate.ts';
import { quietServer } from '../testing.ts';
import { type HttpServeOptions, type HttpServing, serveHttp } from './http.ts';
import { call, headersFor, messagesOf, openPost, post, send } from './testing/request.ts';

const text = { type: 'string' };
let open: HttpServing[] = [];

function makeServer() {
  const server = quietServer();
  server.tool('echo', { input: { type: 'object', properties: { text }, required: ['text'] } }, ({ text }) =>
    String(text),
  );
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

test('[HTTP-01] the path is an option', async () => {
  const { url } = await serve({ path: '/' });
  expect(new URL(url).pathname).toBe('/');
  expect((await post(url, echo)).status).toBe(200);
  expect((await post(`${url}mcp`, echo)).status).toBe(404);
});

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

test('[HTTP-02] cors: false leaves browsers to whatever stands in front; the origin is checked all the same', async () => {
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

test('[BASE-02] [T01] a body in single bytes, characters split, is the same body', async () => {
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
  const closed = new Promise((resolve) => socket.on('close', resolve));
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

test('[HTTP-19] [Z15] two clients with the same id and token at once each get their own', async () => {
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

test('a middleware may spread the surroundings of a request and still has all of them', async () => {
  const notified: string[] = [];
  server.use(
    (exchange) => (request, io) =>
      exchange(request, {
        ...io,
        notify: (notification) => {
          notified.push(notification.method);
          io.notify(notification);
        },
      }),
  );
  server.tool('busy', {}, (_, ctx) => {
    ctx.progress(1);
    return `${ctx.auth?.principal} ${ctx.signal.aborted}`;
  });
  const { url } = await serve({ authenticate: () => ({ principal: 'ann' }) });
  const answer = await post(url, call('busy', {}, 1, { progressToken: 't' }));
  expect(messagesOf(answer.text)[1].result.content[0].text).toBe('ann false');
  expect(notified).toEqual(['notifications/progress']);
});

test('a server that throws where it should not costs the request, not the process', async () => {
  const { url } = await serve();
  const bug = () => {
    throw new Error('bug');
  };
  server.dispatch = bug;
  expect((await post(url, echo)).json.error.code).toBe(-32603);
  server.admit = bug;
  expect((await post(url, echo)).json).toMatchObject({ id: 1, error: { code: -32603 } });
  expect(server.errors).toHaveLength(2);
});

test('a client that leaves while it is being authenticated is not served', async () => {
  let admit!: (caller: AuthInfo) => void;
  let asked!: () => void;
  const asking = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const { url } = await serve({
    authenticate: () => {
      asked();
      return new Promise((resolve) => {
        admit = resolve;
      });
    },
  });
  let called = false;
  server.tool('never', {}, () => {
    called = true;
    return '';
  });
  const closed = new Promise((resolve) =>
    open[0]?.server.once('connection', (socket) => socket.once('close', resolve)),
  );
  const { request } = openPost(url, call('never'));
  await asking;
  request.destroy();
  await closed;
  admit({ principal: 'ann' });
  expect((await send(url, { method: 'GET' })).status).toBe(405);
  expect(called).toBe(false);
});

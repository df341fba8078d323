import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { McpError } from '@dragoman/protocol';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Authenticate } from '../http/authenticate.ts';
import { type HttpServeOptions, type HttpServing, serveHttp } from './http.ts';
import { call, headersFor, listen, type modern, post, send } from './testing/request.ts';
import { Stub, text } from './testing/stub.ts';

let serving: HttpServing;
let stub: Stub;
const sockets: Socket[] = [];

beforeEach(() => {
  stub = new Stub();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await serving.close();
});

const serve = async (options: HttpServeOptions = {}): Promise<string> => {
  serving = await serveHttp(stub, { grace: 0, ...options });
  return serving.url;
};

const echo = call('echo', { text: 'hi' });

/** A request as it goes down a connection. */
function bytesOf(message: ReturnType<typeof modern>): string {
  const body = JSON.stringify(message);
  const head = Object.entries(headersFor(message)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${serving.port}\r\n${head.join('')}content-length: ${body.length}\r\n\r\n${body}`;
}

async function open(...messages: ReturnType<typeof modern>[]): Promise<Socket> {
  const socket = connect(serving.port, '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(messages.map(bytesOf).join(''));
  return socket;
}

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

test.each([
  ['params', `{"jsonrpc":"2.0","id":1,"method":"x","params":${deep}}`, 400],
  ['id', `{"jsonrpc":"2.0","id":${deep},"method":"x"}`, 400],
  ['jsonrpc', `{"jsonrpc":${deep},"id":1,"method":"x"}`, 400],
  ['_meta', JSON.stringify(call('echo', {}, 1, { x: '@' })).replace('"@"', deep), 200],
  ['arguments', JSON.stringify(call('echo', { text: 'x', x: '@' })).replace('"@"', deep), 200],
])('a hundred thousand levels of nesting in %s are answered like anything else', async (_, body, status) => {
  const url = await serve();
  expect((await send(url, { headers: headersFor(echo), body })).status).toBe(status);
  expect((await post(url, echo)).status).toBe(200);
});

test('a handler whose error has an impossible status or code is answered all the same', async () => {
  let thrown: unknown;
  stub.tools.set('odd', () => {
    throw thrown;
  });
  const url = await serve();
  for (const httpStatus of [0, 101, 204, 304, 9999, Number.NaN]) {
    thrown = new McpError(-1, 'odd', { httpStatus });
    expect(await post(url, call('odd'))).toMatchObject({ status: 200, json: { error: { code: -1, message: 'odd' } } });
  }
  thrown = Object.defineProperty(new McpError(-1, 'x'), 'message', {
    get: () => {
      throw new Error('a getter that throws');
    },
  });
  expect((await post(url, call('odd'))).json.error).toEqual({ code: -32603, message: 'Internal error' });
  expect(stub.errors).toEqual([thrown]);
});

test.each([[undefined], [null], ['x'], [[]]])(
  'a dispatch that comes to %j is a fault, not half a message',
  async (result) => {
    stub.tools.set('odd', () => result as never);
    const answer = await post(await serve(), call('odd'));
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } });
    expect(stub.errors).toHaveLength(1);
  },
);

describe('requests behind others on one connection', () => {
  test('go with it, whether they were answered or not: none counts as open for ever', async () => {
    const url = await serve({ limits: { maxConcurrentRequests: 8 } });
    const aborted = vi.fn();
    const started = new Set<number>();
    stub.tools.set('wait', (args, io) => {
      started.add(args.n as number);
      io.signal.addEventListener('abort', aborted);
      return new Promise(() => {});
    });
    for (let round = 1; round <= 5; round++) {
      const socket = await open(listen({ toolsListChanged: true }), echo, echo, call('wait', { n: round }));
      await vi.waitFor(() => expect(started.size).toBe(round));
      socket.destroy();
      await vi.waitFor(() => expect(aborted).toHaveBeenCalledTimes(round));
    }
    expect((await post(url, echo)).status).toBe(200);
    expect(stub.subscriptions.size).toBe(0);
  });

  test('are answered in their order while it lasts', async () => {
    await serve();
    const socket = await open(call('echo', { text: 'a' }), call('echo', { text: 'b' }), call('echo', { text: 'c' }));
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
    });
    await vi.waitFor(() =>
      expect(received.match(/"text":"[abc]"/g)).toEqual(['"text":"a"', '"text":"b"', '"text":"c"']),
    );
  });
});

describe('an authenticator', () => {
  const answers: [string, unknown, number][] = [
    ['nothing', undefined, 401],
    ['null', null, 401],
    ['a number', 5, 401],
    ['a principal that is no text', { principal: 5 }, 401],
    ['a principal without a name', { principal: '' }, 401],
    ['a status of success', { status: 200 }, 500],
    ['no status that there is', { status: 999 }, 500],
    ['a status that is no number', { status: '401' }, 500],
    ['a challenge that no header can hold', { status: 401, wwwAuthenticate: 'Bearer realm="☃"\r\nx: y' }, 500],
    [
      'something that throws when it is looked at',
      new Proxy(
        {},
        {
          get: (_, name) => {
            if (name === 'then') return undefined;
            throw new Error('a trap that throws');
          },
        },
      ),
      500,
    ],
  ];
  test.each(answers)('that returns %s lets nobody in, and brings nothing down', async (_, answer, status) => {
    const url = await serve({ authenticate: (() => answer) as Authenticate });
    const refused = await post(url, echo);
    expect(refused.status).toBe(status);
    expect(refused.json.error.code).toBe(status === 500 ? -32603 : -32600);
    expect(stub.errors).toHaveLength(status === 500 ? 1 : 0);
    expect(refused.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  });

  test('that never answers fills the places there are, and close does not wait for it', async () => {
    let asked = 0;
    const url = await serve({
      authenticate: () => {
        asked++;
        return new Promise(() => {});
      },
      limits: { maxConcurrentRequests: 2 },
    });
    const waiting = [post(url, echo), post(url, echo)].map((answer) => answer.catch((error) => error.code));
    await vi.waitFor(() => expect(asked).toBe(2));
    expect((await post(url, echo)).status).toBe(503);
    await serving.close();
    expect(await Promise.all(waiting)).toEqual(['ECONNRESET', 'ECONNRESET']);
  });
});

describe('a client that sends one byte now and then', () => {
  test.each([
    ['the head', (port: number) => `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`, 'x: y\r\n'],
    [
      'the body',
      (port: number) =>
        `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: 99999\r\n\r\n`,
      '{',
    ],
  ])('of %s is told so when its time is up', async (_, head, more) => {
    await serve({ headersTimeout: 150, requestTimeout: 200 });
    const socket = connect(serving.port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    socket.write(head(serving.port));
    const timer = setInterval(() => socket.write(more), 20);
    const [answer] = await once(socket, 'data');
    clearInterval(timer);
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

test('limits that mean none never come: not at once, as a timer of Node would', async () => {
  const go: (() => void)[] = [];
  stub.tools.set('wait', () => new Promise((resolve) => go.push(() => resolve(text('waited')))));
  for (const none of [Number.POSITIVE_INFINITY, 2 ** 31]) {
    const url = await serve({ grace: none, limits: { callTimeout: none, keepAliveInterval: none } });
    const socket = await open(listen({ toolsListChanged: true }));
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
    });
    const answer = post(url, call('wait'));
    await vi.waitFor(() => expect(go).toHaveLength(1));
    const closed = serving.close();
    // Whatever fires after one millisecond has fired by now.
    await new Promise((resolve) => setTimeout(resolve, 20));
    go.pop()?.();
    expect((await answer).json.result.content[0].text).toBe('waited');
    await closed;
    expect(received).not.toMatch(/^:$/m);
  }
});

test.each([{ port: 99_999 }, { port: -1 }, { port: 1.5 }, { port: 'x' as never }, { headersTimeout: -1 }])(
  'an option that cannot be is an argument error: %j',
  async (options) => {
    await expect(serveHttp(stub, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await serve();
  },
);

test('a short requestTimeout alone is enough', async () => {
  await serve({ requestTimeout: 5_000 });
  expect(serving.server.headersTimeout).toBe(5_000);
});

import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { McpError } from '@dragoman/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { type HttpOptions, httpWire } from '../../src/wires/http.ts';
import type { Wire } from '../../src/wires/wire.ts';
import {
  errorOf,
  type HttpFarSide,
  httpFarSide,
  json,
  rejection,
  request,
  resultOf,
  type Seen,
  surroundings,
  watch,
} from './far-side.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function serve(
  answer: (seen: Seen, res: ServerResponse) => void,
  options?: HttpOptions,
): Promise<{ wire: Wire; far: HttpFarSide }> {
  const far = await httpFarSide(answer);
  const wire = httpWire(far.url, options);
  open.push(far, wire);
  return { wire, far };
}

const call = (wire: Wire, io = surroundings()) => wire.exchange(request('tools/call', { name: 't' }), io);

describe('statuses', () => {
  test.each([400, 404, 409, 500])(
    '[HTTP-42] a JSON-RPC error with status %i is the answer, and keeps the status',
    async (status) => {
      const { wire } = await serve(({ message }, res) =>
        json(res, errorOf(message.id, -32022, 'no', { supported: ['x'] }), status),
      );
      const error = await rejection(call(wire));
      expect(error).toBeInstanceOf(McpError);
      expect(error).toMatchObject({ code: -32022, data: { supported: ['x'] }, httpStatus: status });
    },
  );

  test.each([undefined, null])('[BASE-12] so is one whose id is %s', async (id) => {
    const { wire } = await serve((_seen, res) => json(res, errorOf(id, -32020, 'no'), 400));
    expect(await rejection(call(wire))).toMatchObject({ code: -32020, httpStatus: 400 });
  });

  test('one for another request is not', async () => {
    const { wire } = await serve(({ message }, res) => json(res, errorOf(message.id + 1, -32020, 'no'), 400));
    const seen = watch(wire);
    expect(await rejection(call(wire))).toMatchObject({ code: 'HTTP_ERROR', details: { status: 400 } });
    expect(seen.kinds()).toEqual(['unmatched-answer']);
  });

  test('one whose type says text is read all the same', async () => {
    const { wire } = await serve(({ message }, res) => json(res, errorOf(message.id, -32601, 'no'), 404, 'text/plain'));
    expect(await rejection(call(wire))).toMatchObject({ code: -32601, httpStatus: 404 });
  });

  test.each([
    ['a web page', '<html>nope</html>', 'text/html', 'web page'],
    ['JSON that is not JSON-RPC', '{"error":{"code":"nope"}}', 'application/json', 'nope'],
    ['plain text', 'session id required\u001b[31m', 'text/plain', 'session id required\\u001b[31m'],
    ['nothing', '', 'text/plain', 'empty'],
  ])('[HTTP-51] [V01] %s is an HTTP_ERROR with status, address and remedy', async (_what, body, type, words) => {
    const { wire, far } = await serve((_seen, res) => json(res, body, 404, type));
    const error = await rejection(call(wire));
    expect(error).toMatchObject({ code: 'HTTP_ERROR', details: { status: 404, url: far.url, body } });
    expect(error.message).toContain('404');
    expect(error.message).toContain(far.url);
    expect(error.message).toContain('path');
    expect(error.message).toContain(words);
  });

  test('[P35] says what the status means', async () => {
    let status = 405;
    const { wire } = await serve((_seen, res) => res.writeHead(status, { 'retry-after': '30' }).end());
    expect((await rejection(call(wire))).message).toContain('POST');
    status = 429;
    const busy = await rejection(call(wire));
    expect(busy.message).toContain('30');
    expect(busy).toMatchObject({ details: { retryAfter: '30' }, message: expect.stringContaining('to wait 30 s.') });
    status = 502;
    expect((await rejection(call(wire))).message).toContain('proxy');
    status = 418;
    expect(await rejection(call(wire))).toMatchObject({ code: 'HTTP_ERROR', details: { status: 418 } });
  });

  test('[Z10] the body of a failure is read only so far', async () => {
    const { wire } = await serve(
      (_seen, res) => {
        res.writeHead(500, { 'content-type': 'text/plain' });
        res.on('error', () => undefined);
        const more = (): void => {
          if (!res.destroyed && res.socket?.destroyed !== true) res.write('x'.repeat(10_000), () => setImmediate(more));
        };
        more();
      },
      { maxErrorBytes: 50_000 },
    );
    expect(await rejection(call(wire))).toMatchObject({ code: 'HTTP_ERROR', details: { status: 500 } });
  });

  test('a web page with status 200 is no answer', async () => {
    const { wire } = await serve((_seen, res) => json(res, '<html></html>', 200, 'text/html'));
    expect(await rejection(call(wire))).toMatchObject({
      code: 'PROTOCOL_VIOLATION',
      message: expect.stringContaining('MCP endpoint'),
    });
  });

  test('a result with a status of failure is no answer', async () => {
    const { wire } = await serve(({ message }, res) => json(res, resultOf(message.id), 500));
    expect(await rejection(call(wire))).toMatchObject({ code: 'HTTP_ERROR' });
  });

  test.each(['gzip', 'br', 'gzip, gzip', 'x-unknown'])(
    '[Z11] a body that is encoded as %s was not asked for',
    async (coding) => {
      const { wire, far } = await serve(({ message }, res) => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding });
        res.end(gzipSync(resultOf(message.id)));
      });
      expect(await rejection(call(wire))).toMatchObject({
        code: 'PROTOCOL_VIOLATION',
        message: expect.stringContaining(coding),
      });
      expect(far.seen[0]?.headers['accept-encoding']).toBe('identity');
    },
  );

  test('[Z11] over fetch, which decodes, the bytes that count are the decoded ones', async () => {
    const { wire } = await serve(
      ({ message }, res) => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        res.end(gzipSync(resultOf(message.id, { text: message.id === 1 ? 'small' : 'x'.repeat(2_000_000) })));
      },
      { fetch: (url, init) => fetch(url, init), maxMessageBytes: 100_000 },
    );
    expect(await call(wire)).toEqual({ text: 'small' });
    expect(await rejection(call(wire))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});

describe('redirections', () => {
  test.each([307, 308])(
    '[H08] %i to the same origin keeps method, body and headers, and is remembered',
    async (status) => {
      const { wire, far } = await serve(
        ({ url, message }, res) => {
          if (url === '/mcp') res.writeHead(status, { location: '/mcp/' }).end('moved');
          else json(res, resultOf(message.id, { at: url }));
        },
        { headers: { authorization: 'Bearer x' } },
      );
      expect(await call(wire)).toEqual({ at: '/mcp/' });
      expect(await call(wire)).toEqual({ at: '/mcp/' });
      expect(far.seen.map(({ url }) => url)).toEqual(['/mcp', '/mcp/', '/mcp/']);
      expect(far.seen[1]).toMatchObject({
        text: far.seen[0]?.text,
        headers: { authorization: 'Bearer x', 'mcp-name': 't' },
      });
    },
  );

  test('where one led is forgotten when there is nothing any more', async () => {
    let moved = true;
    const { wire, far } = await serve(({ url, message }, res) => {
      if (url === '/mcp' && moved) res.writeHead(307, { location: '/other' }).end();
      else if (url === '/other' && !moved) res.writeHead(404).end();
      else json(res, resultOf(message.id));
    });
    await call(wire);
    moved = false;
    expect(await rejection(call(wire))).toMatchObject({ code: 'HTTP_ERROR' });
    await call(wire);
    expect(far.seen.map(({ url }) => url)).toEqual(['/mcp', '/other', '/other', '/mcp']);
  });

  test('[H08] another origin gets nothing', async () => {
    const other = await httpFarSide(({ message }, res) => json(res, resultOf(message.id)));
    open.push(other);
    const { wire } = await serve((_seen, res) => res.writeHead(308, { location: other.url }).end());
    const error = await rejection(call(wire));
    expect(error).toMatchObject({ code: 'HTTP_ERROR', details: { status: 308 } });
    expect(error.message).toContain(other.url);
    expect(other.seen).toEqual([]);
  });

  test.each([301, 302, 303])('[H08] %i would lose the request, and is an error', async (status) => {
    const { wire, far } = await serve((_seen, res) => res.writeHead(status, { location: '/mcp/' }).end());
    const error = await rejection(call(wire));
    expect(error).toMatchObject({ code: 'HTTP_ERROR', details: { status } });
    expect(error.message).toContain('/mcp/');
    expect(far.seen).toHaveLength(1);
  });

  test('a circle of them ends', async () => {
    const { wire, far } = await serve(({ url }, res) =>
      res.writeHead(307, { location: url === '/mcp' ? '/b' : '/mcp' }).end(),
    );
    expect(await rejection(call(wire))).toMatchObject({ code: 'HTTP_ERROR' });
    expect(far.seen).toHaveLength(6);
  });

  test('one without a Location is an error', async () => {
    const { wire } = await serve((_seen, res) => res.writeHead(307).end());
    expect(await rejection(call(wire))).toMatchObject({
      code: 'HTTP_ERROR',
      message: expect.stringContaining('Location'),
    });
  });
});

describe('authorization', () => {
  const challenge = (res: ServerResponse, status = 401): void => {
    res.writeHead(status, {
      'www-authenticate': ['Basic realm="x"', 'Bearer resource_metadata="https://h/m", scope="a b"'],
    });
    res.end('{"error":"unauthorized"}');
  };

  test('401 is UNAUTHORIZED with its challenges as they came', async () => {
    const { wire, far } = await serve((_seen, res) => challenge(res));
    expect(await rejection(call(wire))).toMatchObject({
      code: 'UNAUTHORIZED',
      details: {
        status: 401,
        url: far.url,
        wwwAuthenticate: ['Basic realm="x"', 'Bearer resource_metadata="https://h/m", scope="a b"'],
      },
    });
  });

  test('[T005] 401 and 403 are so whatever their body says, and say what it says', async () => {
    let status = 401;
    const { wire } = await serve((_seen, res) => json(res, errorOf(undefined, -32000, 'Token expired'), status));
    const wanted = await rejection(call(wire));
    expect(wanted).toMatchObject({ code: 'UNAUTHORIZED', details: { status: 401, wwwAuthenticate: [] } });
    expect(wanted.message).toContain('Token expired');
    status = 403;
    expect(await rejection(call(wire))).toMatchObject({ code: 'UNAUTHORIZED', details: { status: 403 } });
  });

  test('403 with an error for this very request is its answer', async () => {
    const { wire } = await serve(({ message }, res) => json(res, errorOf(message.id, -32603, 'not for you'), 403));
    expect(await rejection(call(wire))).toMatchObject({ code: -32603, httpStatus: 403 });
  });

  test('the request is sent once more with what the option gives, and so is every later one', async () => {
    const asked: unknown[] = [];
    const { wire, far } = await serve(
      ({ message, headers }, res) =>
        headers.authorization === 'Bearer new' ? json(res, resultOf(message.id)) : challenge(res),
      {
        headers: { authorization: 'Bearer old' },
        authorize: async (given) => {
          asked.push(given);
          return { Authorization: 'Bearer new' };
        },
      },
    );
    await call(wire);
    await call(wire);
    expect(far.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new', 'Bearer new']);
    expect(far.seen[1]?.text).toBe(far.seen[0]?.text);
    expect(asked).toMatchObject([
      { status: 401, wwwAuthenticate: [expect.stringContaining('Basic'), expect.stringContaining('Bearer')] },
    ]);
  });

  test('once is once', async () => {
    let asked = 0;
    const { wire, far } = await serve((_seen, res) => challenge(res), {
      authorize: async () => {
        asked++;
        return { authorization: 'Bearer wrong' };
      },
    });
    expect(await rejection(call(wire))).toMatchObject({ code: 'UNAUTHORIZED' });
    expect([asked, far.seen.length]).toEqual([1, 2]);
  });

  test('[A30] five calls at once ask once', async () => {
    let asked = 0;
    const { wire } = await serve(
      ({ message, headers }, res) =>
        headers.authorization === undefined ? challenge(res) : json(res, resultOf(message.id)),
      {
        authorize: async () => {
          asked++;
          await new Promise((resolve) => setImmediate(resolve));
          return { authorization: 'Bearer x' };
        },
      },
    );
    await Promise.all(Array.from({ length: 5 }, () => call(wire)));
    expect(asked).toBe(1);
  });

  test('where nothing is given, or the question fails, the call rejects', async () => {
    let answer: () => Promise<undefined> = async () => undefined;
    const { wire } = await serve((_seen, res) => challenge(res), { authorize: () => answer() });
    expect(await rejection(call(wire))).toMatchObject({ code: 'UNAUTHORIZED', details: { status: 401 } });
    answer = () => Promise.reject(new Error('no browser'));
    expect(await rejection(call(wire))).toMatchObject({ code: 'UNAUTHORIZED', message: 'no browser' });
  });

  test('a call that is given up while the question is open is not sent again', async () => {
    let give: ((headers: { authorization: string }) => void) | undefined;
    let asked: (() => void) | undefined;
    const question = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { wire, far } = await serve((_seen, res) => challenge(res), {
      authorize: () =>
        new Promise((resolve) => {
          give = resolve;
          asked?.();
        }),
    });
    const io = surroundings();
    const pending = call(wire, io);
    await question;
    io.abort();
    expect(await rejection(pending)).toMatchObject({ code: 'ABORTED' });
    give?.({ authorization: 'Bearer x' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(far.seen).toHaveLength(1);
  });
});

describe('the network', () => {
  test('[P07] a port where nobody listens is told with its system code, over fetch as well', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    for (const options of [{}, { fetch: (url: string, init: RequestInit) => fetch(url, init) }]) {
      const wire = httpWire(`http://127.0.0.1:${port}/mcp`, options);
      open.push(wire);
      const error = await rejection(call(wire));
      expect(error).toMatchObject({ code: 'CONNECTION_FAILED', details: { code: 'ECONNREFUSED' } });
      expect(error.message).toContain('Is the server running?');
    }
  });

  test('a name that does not exist', async () => {
    const wire = httpWire('http://no-such-host.invalid/mcp', { env: {} });
    open.push(wire);
    const error = await rejection(call(wire));
    expect(error.code).toBe('CONNECTION_FAILED');
    expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(error.details?.code);
  });

  async function tcp(answer: string | undefined): Promise<string> {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => (answer === undefined ? socket.destroy() : socket.end(answer)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  test('[T061][HTTP-27] a connection that is closed before the answer may have carried the call', async () => {
    const wire = httpWire(await tcp(undefined));
    open.push(wire);
    const error = await rejection(call(wire));
    expect(error).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(error.message).toContain('may have acted');
  });

  test('what is not HTTP', async () => {
    const wire = httpWire(await tcp('220 smtp.example ESMTP\r\n'));
    open.push(wire);
    expect(await rejection(call(wire))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('does not speak HTTP'),
    });
  });

  test('an answer that is shorter than it says', async () => {
    const wire = httpWire(
      await tcp('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"jsonrpc"'),
    );
    open.push(wire);
    expect(await rejection(call(wire))).toMatchObject({ code: 'CONNECTION_CLOSED' });
  });

  test('an informational answer comes before the real one', async () => {
    const body = resultOf(1);
    const wire = httpWire(
      await tcp(
        `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      ),
    );
    open.push(wire);
    expect(await call(wire)).toEqual({ resultType: 'complete' });
  });
});

describe('arguments', () => {
  test.each(['not an address', '/mcp', 'ftp://host/mcp', 'file:///etc/passwd'])(
    '%s is no address of a server',
    (url) => {
      expect(() => httpWire(url)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    },
  );

  test.each([
    [
      'localhost:3000/mcp?token=abc',
      'An address begins with http:// or https://, as in http://localhost:3000/mcp?token=***',
    ],
    ['file:///etc/passwd', 'file:///etc/passwd is neither an http nor an https address'],
  ])('%s: what is missing is said', (url, message) => {
    expect(() => httpWire(url)).toThrow(message);
  });

  test('headers that cannot be sent are refused, and their values not repeated', () => {
    for (const headers of [{ 'x y': 'a' }, { authorization: 'secret\r\nx: y' }, { authorization: 'secret€' }]) {
      let error: Error | undefined;
      try {
        httpWire('http://h/mcp', { headers });
      } catch (thrown) {
        error = thrown as Error;
      }
      expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
      expect(error?.message).not.toContain('secret');
    }
  });

  test('[P82] an option that would have no effect is refused', () => {
    expect(() => httpWire('http://h/mcp', { fetch, ca: 'x' })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });
});

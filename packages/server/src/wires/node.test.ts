import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import * as http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HttpEndpointOptions } from '../http/endpoint.ts';
import { type NodeHandler, toNodeHandler } from './node.ts';
import { call, Events, headersFor, listen, openPost, post, read, send } from './testing/request.ts';
import { Stub, text } from './testing/stub.ts';

let http: Server | undefined;
let handler: NodeHandler;
const stub = new Stub();
const echo = call('echo', { text: 'hi' });

type Around = (request: IncomingMessage & { body?: unknown }, response: ServerResponse) => void | Promise<void>;

async function serve(
  around: Around = (request, response) => handler(request, response),
  options: HttpEndpointOptions = {},
) {
  handler = toNodeHandler(stub, options);
  const server = createServer((request, response) => void around(request, response)).listen(0, '127.0.0.1');
  http = server;
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/anywhere`;
}

beforeEach(() => stub.warnings.splice(0));
afterEach(async () => {
  await handler.close(0);
  http?.closeAllConnections();
  http?.close();
  http = undefined;
});

test('answers under whatever path it is mounted', async () => {
  expect((await post(await serve(), echo)).json.result.content[0].text).toBe('hi');
});

test('[Z01] a request that comes in by loopback must be addressed to it', async () => {
  const url = await serve();
  expect((await post(url, echo, { host: 'evil.example' })).status).toBe(403);
  expect((await post(url, echo, { host: 'localhost:1' })).status).toBe(403);
  expect((await post(url, echo, { host: `localhost:${new URL(url).port}` })).status).toBe(200);
});

test('behind a proxy on the same machine, allowedHosts names the public host', async () => {
  const url = await serve(undefined, { allowedHosts: ['mcp.example.com'] });
  expect((await post(url, echo, { host: 'mcp.example.com' })).status).toBe(200);
});

const parsers: [name: string, parse: (text: string) => unknown][] = [
  ['an object', (text) => JSON.parse(text)],
  ['a string', (text) => text],
  ['a buffer', (text) => Buffer.from(text)],
];

test.each(parsers)('a body that a framework left as %s is taken from the request', async (_, parse) => {
  const url = await serve(async (request, response) => {
    request.body = parse(await read(request));
    handler(request, response);
  });
  expect((await post(url, echo)).json.result.content[0].text).toBe('hi');
});

test.each(parsers)('a body given as %s is taken as it is', async (_, parse) => {
  const url = await serve(async (request, response) => handler(request, response, parse(await read(request))));
  expect((await post(url, echo)).json.result.content[0].text).toBe('hi');
});

test('an empty body object that nobody has read for is not mistaken for the body; next is not either', async () => {
  const url = await serve((request, response) => {
    request.body = {};
    handler(request, response, () => {});
  });
  expect((await post(url, echo)).json.result.content[0].text).toBe('hi');
});

test('a parsed body that is no message is refused as one that was read', async () => {
  const url = await serve(async (request, response) => {
    await read(request);
    handler(request, response, [echo]);
  });
  const answer = await send(url, { headers: headersFor(echo), body: '[]' });
  expect(answer.status).toBe(400);
  expect(answer.json.error.code).toBe(-32600);
});

test('close ends listen streams and refuses what comes later; the server stays yours', async () => {
  const url = await serve();
  const events = new Events(await openPost(url, listen({ toolsListChanged: true })).head);
  await events.next();
  await handler.close();
  expect((await events.next()).result.resultType).toBe('complete');
  expect((await post(url, echo)).status).toBe(503);
  expect(http?.listening).toBe(true);
});

test('HTTP/2 is served all the same: a call, a stream, a refusal, a client that leaves', async () => {
  handler = toNodeHandler(stub, { limits: { maxBodyBytes: 1_000 } });
  const server = http2.createServer((request, response) => handler(request as never, response as never));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ask = (message: ReturnType<typeof call>) => {
    const stream = session.request({ ':method': 'POST', ':path': '/mcp', ...headersFor(message) });
    stream.setEncoding('utf8').end(JSON.stringify(message));
    return stream;
  };
  const whole = async (message: ReturnType<typeof call>) => {
    const stream = ask(message);
    const [head] = (await once(stream, 'response')) as [{ ':status': number }];
    let body = '';
    for await (const chunk of stream) body += chunk;
    return { status: head[':status'], body };
  };
  expect(await whole(echo)).toMatchObject({ status: 200, body: expect.stringContaining('hi') });
  expect(await whole(call('echo', { text: 'x'.repeat(2_000) }))).toMatchObject({ status: 413 });
  const listening = ask(listen({ toolsListChanged: true }));
  await once(listening, 'data');
  expect(stub.subscriptions.size).toBe(1);
  listening.close(http2.constants.NGHTTP2_CANCEL);
  await vi.waitFor(() => expect(stub.subscriptions.size).toBe(0), { interval: 5 });
  session.destroy();
  server.close();
});

test('a body that something else has read, and nobody handed on, is a fault that is told, not a wait without end', async () => {
  const url = await serve(async (request, response) => {
    for await (const _ of request);
    handler(request, response);
  });
  const answer = await post(url, echo);
  expect(answer).toMatchObject({ status: 500, json: { error: { code: -32603 } } });
  expect(String(stub.errors.at(-1))).toContain('has read the body');
});

test('a response that a framework has ended by itself is left alone', async () => {
  let notify = (): void => {};
  stub.tools.set('busy', (_, io) => {
    const progress = { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };
    io.notify(progress);
    return new Promise((resolve) => {
      notify = () => {
        io.notify(progress);
        io.notify(progress);
        resolve(text('late'));
      };
    });
  });
  let ended = false;
  const url = await serve((request, response) => {
    response.on('error', (error) => stub.errors.push(error));
    handler(request, response);
    response.on('finish', () => {
      ended = true;
    });
    setImmediate(() => setImmediate(() => response.end(': over\n\n')));
  });
  const errors = stub.errors.length;
  expect((await post(url, call('busy'))).text).toMatch(/: over\n\n$/);
  await vi.waitFor(() => expect(ended).toBe(true));
  notify();
  await new Promise((resolve) => setImmediate(resolve));
  expect(stub.errors).toHaveLength(errors);
});

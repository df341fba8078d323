import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { mayUseProxy, nodeFetch } from './node-fetch.ts';

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server | net.Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const init = { method: 'POST', headers: [['x-a', 'b']] as [string, string][], body: '{"a":"é"}' };

describe('fetch over node:http', () => {
  test('sends what it is given, and reads head and body', async () => {
    const url = await listen(
      createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          response.writeHead(418, { 'content-type': 'text/x', 'set-cookie': ['a', 'b'] });
          response.end(
            JSON.stringify([
              request.method,
              request.headers['x-a'],
              request.headers['user-agent'],
              request.headers['content-length'],
              Buffer.concat(chunks).toString(),
            ]),
          );
        });
      }),
    );
    const response = await nodeFetch({ headers: [] }, 'dragoman/1')(url, init);
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
      418,
      { 'content-type': 'text/x', 'set-cookie': 'a, b' },
    ]);
    expect(JSON.parse(await read(response))).toEqual(['POST', 'b', 'dragoman/1', '10', init.body]);
  });

  test('hands over what comes as it comes', async () => {
    let more: (() => void) | undefined;
    const url = await listen(
      createServer((_, response) => {
        response.write('one');
        more = () => response.end('two');
      }),
    );
    const reader = (await nodeFetch({ headers: [] }, 'x')(url, init)).body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('one');
    more!();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('two');
    expect((await reader.read()).done).toBe(true);
  });

  test('an aborted signal breaks it off, before and during the answer', async () => {
    const url = await listen(createServer((_, response) => void response.write('one')));
    const fetch = nodeFetch({ headers: [] }, 'x');
    await expect(fetch(url, { ...init, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    const controller = new AbortController();
    const reader = (await fetch(url, { ...init, signal: controller.signal })).body!.getReader();
    await reader.read();
    const next = reader.read();
    controller.abort();
    await expect(next).rejects.toThrow();
  });

  test('gives up on a connection that is not made in time, and on nothing else', async () => {
    const slow = await listen(createServer((_, response) => void setTimeout(() => response.end('late'), 60)));
    const response = await nodeFetch({ headers: [], connectTimeout: 30 }, 'x')(slow, init);
    expect(await read(response)).toBe('late');
    const mute = net.createServer();
    const url = (await listen(mute)).replace('http:', 'https:');
    // TLS never comes to an end here: there is a socket, and no connection yet.
    await expect(nodeFetch({ headers: [], connectTimeout: 30 }, 'x')(url, init)).rejects.toMatchObject({
      code: 'UND_ERR_CONNECT_TIMEOUT',
    });
  });

  test('nobody there is told by its code', async () => {
    await expect(nodeFetch({ headers: [] }, 'x')('http://127.0.0.1:1/', init)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

test.each([
  ['https://x.example/', { HTTPS_PROXY: 'http://p:1' }, true],
  ['https://x.example/', { https_proxy: 'http://p:1' }, true],
  ['http://x.example/', { HTTPS_PROXY: 'http://p:1' }, false],
  ['http://x.example/', { ALL_PROXY: 'http://p:1' }, true],
  ['http://127.0.0.1:3000/', { ALL_PROXY: 'http://p:1' }, false],
  ['https://localhost/', { ALL_PROXY: 'http://p:1' }, false],
  ['https://x.example/', {}, false],
])('%s with %j may use a proxy: %s', (url, env, expected) => {
  expect(mayUseProxy(new URL(url), env)).toBe(expected);
});

async function read(response: Response): Promise<string> {
  const reader = response.body!.getReader();
  const chunks: Uint8Array[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  return Buffer.concat(chunks).toString();
}

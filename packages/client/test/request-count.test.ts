import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, toNodeHandler } from '@dragoman/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Client,
  type ConnectOptions,
  connect,
  MemoryVerdicts,
  type Verdict,
  type VerdictStore,
} from '../src/index.ts';

/** Every HTTP request that reached the server, in order: `tools/call`, or the HTTP method where it was no POST. */
const requests: string[] = [];
const clients: Client[] = [];
let url: string;
let close: () => Promise<void>;

const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) }) as const;

function build(): Server {
  const server = new Server({
    name: 'counted',
    version: '1.0.0',
    pageSize: 3,
    cache: { prompts: { ttlMs: 60_000 } },
    onError: () => {},
    onWarning: () => {},
  });
  server.tool('echo', { input: object({ text: { type: 'string' } }) }, ({ text }) => String(text));
  server.tool('sum', { output: object({ sum: { type: 'number' } }) }, () => ({ structured: { sum: 3 } }));
  server.tool('work', {}, (_args, ctx) => {
    ctx.progress(1);
    ctx.log('info', 'working');
    return 'done';
  });
  server.tool('region', { input: object({ region: { type: 'string', 'x-mcp-header': 'Region' } }) }, ({ region }) =>
    String(region),
  );
  server.tool('greet', {}, async (_args, ctx) => {
    const { name } = await ctx.elicit('name', {
      message: 'Who are you?',
      schema: object({ name: { type: 'string' } }),
    });
    return `Hello, ${name}`;
  });
  server.tool('fail', {}, () => {
    throw new Error('It broke');
  });
  server.tool('last', {}, () => 'the seventh');
  server.prompt('one', {}, () => 'one');
  server.resource('kept://it', { name: 'kept', cache: { ttlMs: 60_000 } }, () => 'kept');
  return server;
}

beforeEach(async () => {
  requests.length = 0;
  const handle = toNodeHandler(build());
  const http = createServer((request, response) => {
    requests.push(request.method === 'POST' ? String(request.headers['mcp-method']) : String(request.method));
    handle(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  close = async () => {
    const closed = new Promise((resolve) => http.close(resolve));
    await handle.close();
    http.closeAllConnections();
    await closed;
  };
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await close();
});

async function meet(options?: ConnectOptions): Promise<Client> {
  const client = await connect(url, options);
  clients.push(client);
  return client;
}

/** A client that asked nothing yet, and a server that has not been asked anything since. */
async function meetAgain(options?: ConnectOptions): Promise<Client> {
  await (await meet()).callTool('echo', { text: 'first' });
  requests.length = 0;
  return meet(options);
}

describe('a call', () => {
  test('[ERA-10] on first contact costs two requests', async () => {
    const client = await meet();
    await client.callTool('echo', { text: 'hi' });
    expect(requests).toEqual(['server/discover', 'tools/call']);
  });

  test('[ERA-17] to a server that was met in this process costs one', async () => {
    const client = await meetAgain();
    expect(requests).toEqual([]);
    await client.callTool('echo', { text: 'hi' });
    expect(requests).toEqual(['tools/call']);
    expect(client.info.known).toBe('remembered');
  });

  test('[ERA-18] to a server whose verdict was kept costs one', async () => {
    const disk = new Map<string, string>();
    const store = (): VerdictStore => ({
      get: (identity) => {
        const text = disk.get(identity);
        return text === undefined ? undefined : (JSON.parse(text) as Verdict);
      },
      set: (identity, verdict) => void disk.set(identity, JSON.stringify(verdict)),
      delete: (identity) => void disk.delete(identity),
    });
    await (await meet({ verdicts: store() })).callTool('echo', { text: 'hi' });
    expect(requests).toEqual(['server/discover', 'tools/call']);
    requests.length = 0;
    await (await meet({ verdicts: store() })).callTool('echo', { text: 'hi' });
    expect(requests).toEqual(['tools/call']);
  });

  test('to a server that is unknown to this store costs two, whatever others know', async () => {
    const client = await meetAgain({ verdicts: new MemoryVerdicts() });
    await client.callTool('echo', { text: 'hi' });
    expect(requests).toEqual(['server/discover', 'tools/call']);
  });

  test("[DISC-02] with era: 'modern' costs one on first contact", async () => {
    const client = await meet({ era: 'modern' });
    await client.callTool('echo', { text: 'hi' });
    expect(requests).toEqual(['tools/call']);
    expect(client.info.known).toBe('assumed');
  });

  test('ten cost ten, one after another or all at once', async () => {
    const client = await meetAgain();
    for (let index = 0; index < 10; index++) await client.callTool('echo', { text: 'hi' });
    expect(requests).toEqual(Array(10).fill('tools/call'));
    await Promise.all(Array.from({ length: 10 }, () => client.callTool('echo', { text: 'hi' })));
    expect(requests).toEqual(Array(20).fill('tools/call'));
  });

  test.each(['sum', 'fail', 'last'])('of %s, which was never listed, costs one', async (tool) => {
    const client = await meetAgain();
    await client.callTool(tool);
    expect(requests).toEqual(['tools/call']);
  });

  test('with progress and log messages costs one', async () => {
    const client = await meetAgain();
    const heard: string[] = [];
    await client.callTool('work', {}, { onProgress: () => heard.push('progress'), onLog: () => heard.push('log') });
    expect(heard).toEqual(['progress', 'log']);
    expect(requests).toEqual(['tools/call']);
  });

  test('of a tool that is not there costs one', async () => {
    const client = await meetAgain();
    await expect(client.callTool('no_such_tool')).rejects.toMatchObject({ code: -32602 });
    expect(requests).toEqual(['tools/call']);
  });

  test('[MRTR-25] that asks once costs two', async () => {
    const client = await meetAgain({
      handlers: { elicitForm: () => ({ action: 'accept', content: { name: 'Ada' } }) },
    });
    await client.callTool('greet');
    expect(requests).toEqual(['tools/call', 'tools/call']);
  });

  test('[XMH-18] [HDR-19] of a tool with mirrored arguments lists the tools once, and only where it has to', async () => {
    const client = await meetAgain();
    await client.callTool('region', { region: 'eu' });
    expect(requests.at(0)).toBe('tools/call');
    expect(requests.at(-1)).toBe('tools/call');
    expect(requests.slice(1, -1).every((method) => method === 'tools/list')).toBe(true);
    requests.length = 0;
    await client.callTool('region', { region: 'us' });
    expect(requests).toEqual(['tools/call']);
  });
});

test('[P38] connecting costs one, and closing nothing', async () => {
  const client = await meet();
  expect(requests).toEqual(['server/discover']);
  expect(client.info).toMatchObject({ known: 'asked', serverInfo: { name: 'counted' } });
  await client.close();
  expect(requests).toEqual(['server/discover']);
});

test('[PAGE-01] a list costs one for each of its pages', async () => {
  const client = await meetAgain();
  expect(await client.listAllTools()).toHaveLength(7);
  expect(requests).toEqual(['tools/list', 'tools/list', 'tools/list']);
});

test('[CACHE-05] what the server allows to keep costs nothing the second time', async () => {
  const client = await meetAgain();
  for (let time = 0; time < 2; time++) {
    await client.listAllPrompts();
    await client.readResource('kept://it');
  }
  expect(requests).toEqual(['prompts/list', 'resources/read']);
});

test('a subscription costs one', async () => {
  const client = await meetAgain();
  const subscription = await client.listen({ toolsListChanged: true });
  expect(requests).toEqual(['subscriptions/listen']);
  await subscription.close();
});

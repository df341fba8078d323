import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { DragomanError, type Exchange, type Request, type Result } from '@dragoman/protocol';
import { Agent } from 'undici';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { discovery, ScriptedWire, silence, text } from '../test/support/scripted-wire.ts';
import { makeCertificate } from '../test/wires/certificate.ts';
import type { Client } from './client.ts';
import { type ConnectOptions, connect, type Target } from './connect.ts';
import { type CacheStore, MemoryCache } from './layers/cache-store.ts';
import { MemoryVerdicts } from './verdicts.ts';
import { httpWire } from './wires/http.ts';

const answering: Exchange = async ({ method, params }: Request): Promise<Result> =>
  method === 'server/discover'
    ? discovery
    : { ...text(String(params.name)), contents: [], n: ++reads, ttlMs: 1e6, cacheScope: 'private' };
let reads = 0;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function meet(target: Target, options?: ConnectOptions): Promise<Client> {
  const client = await connect(target, { verdicts: new MemoryVerdicts(), ...options });
  cleanups.push(() => client.close());
  return client;
}

/** An HTTP server that counts what reaches it. */
async function serve(exchange: Exchange = answering) {
  const bodies: { method: string; headers: { [name: string]: unknown } }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    bodies.push({ method, headers: request.headers });
    const result = await exchange({ method, params }, { signal: new AbortController().signal, notify: () => {} });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, bodies };
}

const childSource = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const result = method === 'server/discover' ? ${JSON.stringify(discovery)} : { resultType: 'complete', content: [{ type: 'text', text: params.name }] };
    process.stderr.write('asked ' + method);
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
`;

describe('targets', () => {
  test('[T006][ERA-10] a URL: one request to get to know it, and one for each call', async () => {
    const { url, bodies } = await serve();
    for (const target of [url, new URL(url)]) {
      const client = await meet(target);
      expect(bodies.map(({ method }) => method)).toEqual(['server/discover']);
      expect(client.info).toMatchObject({ kind: 'http', target: url, known: 'asked' });
      expect((await client.callTool('a')).content).toEqual([{ type: 'text', text: 'a' }]);
      expect(bodies.map(({ method }) => method)).toEqual(['server/discover', 'tools/call']);
      bodies.length = 0;
    }
  });

  test('[ERA-17] a URL that is known: none, and one for each call', async () => {
    const { url, bodies } = await serve();
    const verdicts = new MemoryVerdicts();
    await meet(url, { verdicts });
    bodies.length = 0;
    const client = await meet(url, { verdicts });
    expect(bodies).toEqual([]);
    await client.callTool('a');
    expect(bodies.map(({ method }) => method)).toEqual(['tools/call']);
  });

  test('[XMH-16] an argument that a tool wants mirrored is, once the tool was listed', async () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const { url, bodies } = await serve(async (request, io) =>
      request.method === 'tools/list'
        ? { resultType: 'complete', tools: [{ name: 'a', inputSchema }] }
        : answering(request, io),
    );
    const client = await meet(url);
    await client.callTool('a', { region: 'eu' });
    await client.listTools();
    await client.callTool('a', { region: 'eu' });
    expect(bodies.map(({ headers }) => headers['mcp-param-region'])).toEqual([undefined, undefined, undefined, 'eu']);
  });

  test('a command, and what it writes to stderr', async () => {
    const heard: string[] = [];
    const client = await meet(
      { command: process.execPath, args: ['-e', childSource] },
      { onStderr: (said) => heard.push(said) },
    );
    expect(client.info.kind).toBe('stdio');
    expect((await client.callTool('a')).content).toEqual([{ type: 'text', text: 'a' }]);
    await client.close();
    expect(heard.join('')).toContain('asked server/discover');
  });

  test('an exchange of this process, alone or as part of a server', async () => {
    const client = await meet({ exchange: answering, name: 'mine' });
    expect(client.info).toMatchObject({ kind: 'memory', target: 'mine', serverInfo: { name: 'scripted' } });
    class Server {
      get exchange(): Exchange {
        return answering;
      }
    }
    expect((await (await meet(new Server())).callTool('a')).content).toEqual([{ type: 'text', text: 'a' }]);
  });

  test('a pair of streams', async () => {
    const toServer = new PassThrough();
    const toClient = new PassThrough();
    answerLines(toServer, toClient);
    const client = await meet({ readable: toClient, writable: toServer, name: 'pair' });
    expect(client.info).toMatchObject({ kind: 'stream', target: 'pair' });
    expect((await client.callTool('a')).content).toEqual([{ type: 'text', text: 'a' }]);
  });

  test('[TRN-08] a TCP port', async () => {
    const server = createTcpServer((socket) => answerLines(socket, socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const client = await meet({ host: '127.0.0.1', port });
    expect((await client.callTool('a')).content).toEqual([{ type: 'text', text: 'a' }]);
    await client.close();
  });

  test('a wire of your own', async () => {
    const wire = new ScriptedWire(answering);
    await (await meet(wire)).callTool('a');
    expect(wire.methods).toEqual(['server/discover', 'tools/call']);
  });

  test.each([
    ['mcp.example.com/mcp', /"mcp\.example\.com\/mcp"/],
    ['ftp://example.com', /ftp:\/\/example\.com/],
    ['', /""/],
    [{}, /an object with no members/],
    [{ url: 'https://x.test' }, /an object with url/],
    [{ command: 7 }, /an object with command/],
    [{ exchange: 'x' }, /an object with exchange/],
    [{ socketPath: 1, port: 2 }.port, /Cannot connect to 2/],
    [null, /Cannot connect to null/],
    [undefined, /Cannot connect to undefined/],
  ])('%j is none, and the error says so', async (target, words) => {
    const failure = connect(target as Target);
    await expect(failure).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(failure).rejects.toThrow(words);
  });
});

describe('a connection that does not come about', () => {
  test('leaves nothing open', async () => {
    const broken = new ScriptedWire(() => {
      throw new DragomanError('CONNECTION_FAILED', 'refused');
    });
    await expect(meet(broken)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(broken.closes).toBe(1);
    const options = new ScriptedWire(silence);
    await expect(meet(options, { timeout: -1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(options.closes).toBe(1);
  });

  test('[P02] [P14] a program that never answers: started once, given up in time, ended behind its back', async () => {
    const children: ChildProcess[] = [];
    const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e9);";
    const connecting = connect(
      { command: process.execPath, args: ['-e', stubborn] },
      {
        startTimeout: 500,
        closeGrace: 50,
        terminateGrace: 50,
        verdicts: new MemoryVerdicts(),
        spawn: (...args) => {
          const child = spawn(...args);
          children.push(child);
          return child;
        },
      },
    );
    await expect(connecting).rejects.toMatchObject({ code: 'LEGACY_SERVER' });
    const [child] = children as [ChildProcess];
    expect(children).toHaveLength(1);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
  });

  test('because the caller gave up', async () => {
    const controller = new AbortController();
    const wire = new ScriptedWire(silence);
    const connecting = meet(wire, { signal: controller.signal });
    controller.abort('why');
    await expect(connecting).rejects.toMatchObject({ code: 'ABORTED', cause: 'why' });
    expect(wire.closes).toBe(1);
    const verdicts = new MemoryVerdicts();
    verdicts.set('known', { era: 'modern', version: '2026-07-28', at: 0 });
    const known = new ScriptedWire(silence, 'http', 'known');
    await expect(meet(known, { verdicts, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(known.closes).toBe(1);
  });

  test('a signal has no say afterwards', async () => {
    const controller = new AbortController();
    const client = await meet(new ScriptedWire(answering), { signal: controller.signal });
    controller.abort();
    expect((await client.callTool('a')).content).toHaveLength(1);
  });
});

describe('[CACHE-15] private results in a shared cache', () => {
  const dispatcher = new Agent();
  afterAll(() => dispatcher.close());

  /** A cache, and whose entries it was asked for. */
  function watched() {
    const kept = new MemoryCache();
    const names = new Set<string>();
    const cache: CacheStore = {
      get(key) {
        names.add(key.split('\n').at(-2) as string);
        return kept.get(key);
      },
      set: (key, entry) => kept.set(key, entry),
      clear: (prefix) => kept.clear(prefix),
    };
    return { cache, names };
  }

  test.each([
    [
      'the same headers',
      { headers: { authorization: 'Bearer a' } },
      { headers: new Headers({ Authorization: 'Bearer a' }) },
      true,
    ],
    ['another token', { headers: { authorization: 'Bearer a' } }, { headers: { authorization: 'Bearer b' } }, false],
    ['another key in any header', { headers: { 'x-key': 'a' } }, {}, false],
    ['a name for the credentials', { credential: 'ada' }, { credential: 'ada' }, true],
    [
      'an authorizer that nobody can look into',
      { authorize: async () => undefined },
      { authorize: async () => undefined },
      false,
    ],
    ['a dispatcher that nobody can look into', { dispatcher }, { dispatcher }, false],
  ] as [string, ConnectOptions, ConnectOptions, boolean][])('over HTTP: %s', async (_name, first, second, shared) => {
    const { url } = await serve();
    const cache = new MemoryCache();
    const a = await (await meet(url, { cache, ...first })).readResource('x:y');
    const b = await (await meet(url, { cache, ...second })).readResource('x:y');
    expect(b.n === a.n).toBe(shared);
  });

  test('over HTTP: another client certificate, which is a credential like any other', async () => {
    const { cache, names } = watched();
    const ada = makeCertificate('ada');
    const bob = makeCertificate('bob');
    const pem = { cert: ada.cert, key: ada.key };
    const der = { cert: new TextEncoder().encode(bob.cert), key: new TextEncoder().encode(bob.key) };
    for (const given of [pem, pem, der, der, {}]) {
      const client = await meet('https://127.0.0.1:1/mcp', { cache, era: 'modern', ...given });
      await client.listTools().catch(() => {});
    }
    // Three users, and everybody.
    expect(names.size).toBe(4);
  });

  test('over a wire that others made: never, for nobody knows what it sends', async () => {
    const { url } = await serve();
    const cache = new MemoryCache();
    const read = async (token: string) => {
      const wire = httpWire(url, { headers: { authorization: token } });
      return (await (await meet(wire, { cache })).readResource('x:y')).n;
    };
    expect(await read('b')).not.toBe(await read('a'));
  });

  test('of a process: by the secrets that it inherits, too', async () => {
    const { cache, names } = watched();
    for (const token of ['a', 'a', 'b']) {
      vi.stubEnv('DRAGOMAN_TEST_TOKEN', token);
      const client = await meet({ command: process.execPath, args: ['-e', childSource] }, { cache });
      await client.readResource('x:y');
      await client.close();
    }
    vi.unstubAllEnvs();
    // Two users, and everybody.
    expect(names.size).toBe(3);
  });

  test('in this process: never', async () => {
    const cache = new MemoryCache();
    const target = { exchange: answering };
    const a = await (await meet(target, { cache })).readResource('x:y');
    const b = await (await meet(target, { cache })).readResource('x:y');
    expect(b.n).not.toBe(a.n);
  });

  test('of a process: by its environment', async () => {
    const { cache, names } = watched();
    for (const env of [{ TOKEN: 'a' }, { TOKEN: 'a' }, { TOKEN: 'b' }, undefined]) {
      const client = await meet({ command: process.execPath, args: ['-e', childSource], env }, { cache });
      await client.readResource('x:y');
      await client.close();
    }
    // Three users, and everybody.
    expect(names.size).toBe(4);
  });
});

/** A server on a byte stream. */
function answerLines(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): void {
  let rest = '';
  input.on('data', async (chunk: Buffer) => {
    rest += chunk.toString();
    const lines = rest.split('\n');
    rest = lines.pop() as string;
    for (const line of lines) {
      const { id, method, params } = JSON.parse(line);
      const result = await answering({ method, params }, { signal: new AbortController().signal, notify: () => {} });
      output.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
    }
  });
}

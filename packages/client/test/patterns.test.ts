import { PassThrough } from 'node:stream';
import { MODERN, type Result } from '@dragoman/protocol';
import { type HttpServing, Server, serveHttp, serveStream } from '@dragoman/server';
import { afterEach, expect, test } from 'vitest';
import { type Client, type ConnectOptions, connect, MemoryVerdicts, type Target } from '../src/index.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function meet(target: Target, options?: ConnectOptions): Promise<Client> {
  const client = await connect(target, { verdicts: new MemoryVerdicts(), ...options });
  cleanups.push(() => client.close());
  return client;
}

function build(): Server {
  const server = new Server({ name: 'patterns', version: '1.0.0', onWarning: () => {} });
  server.tool('greet', {}, async (_args, ctx) => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
    return `Hello, ${(await ctx.elicit('who', { message: 'Who?', schema })).name}`;
  });
  return server;
}

const targets: [name: string, make: (server: Server) => Promise<Target>][] = [
  [
    'HTTP',
    async (server) => {
      const serving: HttpServing = await serveHttp(server);
      cleanups.push(() => serving.close());
      return serving.url;
    },
  ],
  [
    'a byte stream',
    async (server) => {
      const [toServer, toClient] = [new PassThrough(), new PassThrough()];
      const serving = serveStream(server, { readable: toServer, writable: toClient });
      cleanups.push(() => serving.close());
      return { readable: toClient, writable: toServer };
    },
  ],
  ['memory', async (server) => server],
];

/** Ids of what was sent, with its method, and all that is no request. */
function watch(client: Client) {
  const ids: [method: string, id: unknown][] = [];
  const others: string[] = [];
  client.on('trace', (event) => {
    if (event.type !== 'message' || event.direction !== 'sent') return;
    const { id, method } = JSON.parse(event.text) as { id?: unknown; method?: string };
    if (id !== undefined && method !== undefined) ids.push([method, id]);
    else others.push(event.text);
  });
  return { ids, others };
}

test.each(targets)(
  '[BASE-03] [TRN-02] [MRTR-25] [T038] request and answer, rounds of input, and subscriptions, over %s',
  async (_, make) => {
    const server = build();
    const client = await meet(await make(server), {
      handlers: { elicitForm: () => ({ action: 'accept', content: { name: 'Ada' } }) },
    });
    const sent = watch(client);
    expect(client.info.version).toBe(MODERN);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet']);

    expect((await client.callTool('greet')).content).toEqual([{ type: 'text', text: 'Hello, Ada' }]);
    // A retry is a request of its own.
    const [first, retry] = sent.ids.filter(([method]) => method === 'tools/call').map(([, id]) => id);
    expect(retry).toBeDefined();
    expect(retry).not.toBe(first);

    const subscription = await client.listen({ toolsListChanged: true });
    server.tool('another', {}, () => 'x');
    for await (const event of subscription) {
      expect(event.kind).toBe('tools');
      break;
    }
    expect(sent.others).toEqual(
      client.info.kind === 'stream' ? [expect.stringContaining('notifications/cancelled')] : [],
    );
  },
);

test('[T014] [ERA-10] nothing is sent to a server that is not known but the question what it is', async () => {
  const seen: string[] = [];
  let answer = (): void => {};
  const discovered: Result = {
    resultType: 'complete',
    supportedVersions: [MODERN],
    capabilities: {},
    ttlMs: 0,
    cacheScope: 'private',
  };
  const connecting = meet({
    exchange: async ({ method }) => {
      seen.push(method);
      if (method !== 'server/discover') return { resultType: 'complete', content: [] };
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return discovered;
    },
  });
  const called = connecting.then((client) => client.callTool('t'));
  await expect.poll(() => seen).toEqual(['server/discover']);
  answer();
  await called;
  expect(seen).toEqual(['server/discover', 'tools/call']);
});

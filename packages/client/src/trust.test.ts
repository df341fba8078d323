import { DragomanError, type JsonObject, type Result, type Tool } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { type Answering, discovery, ScriptedWire, text } from '../test/support/scripted-wire.ts';
import { Client } from './client.ts';
import type { Warning } from './events.ts';
import { MemoryCache } from './layers/cache-store.ts';
import type { ClientOptions } from './options.ts';

/** What a server says of itself and of its tools is its word, and nothing else hangs on it. */
function setUp(answering: Answering, options?: ClientOptions) {
  const warnings: Warning[] = [];
  const wire = new ScriptedWire(answering);
  const client = new Client(wire, { era: 'modern', onWarning: (warning) => warnings.push(warning), ...options });
  return { client, wire, warnings };
}

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

test('[T034] [META-11] [DISC-07] two servers of one name share nothing, and a server that changes its name keeps its own', async () => {
  const cache = new MemoryCache();
  const reading =
    (from: string, name: string): Answering =>
    () => ({
      resultType: 'complete',
      contents: [{ uri: 'x:y', text: from }],
      ttlMs: 1e6,
      cacheScope: 'public',
      _meta: { [SERVER_INFO]: { name, version: '1' } },
    });
  const read = async (client: Client) => ((await client.readResource('x:y')).contents[0] as { text: string }).text;
  const one = setUp(reading('one', 'same'), { cache });
  const two = setUp(reading('two', 'same'), { cache });
  expect([await read(one.client), await read(two.client), await read(one.client)]).toEqual(['one', 'two', 'one']);
  one.wire.answering = reading('changed', 'another');
  await one.client.listPrompts().catch(() => undefined);
  expect(await read(one.client)).toBe('one');
});

describe('[TOOL-18] what a tool says of itself changes nothing of how it is called', () => {
  const claims: JsonObject[] = [
    {},
    { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    { readOnlyHint: 'yes', title: 7 },
  ];

  test.each(claims)('%j', async (annotations) => {
    const tool = { name: 't', inputSchema: { type: 'object' }, annotations } as unknown as Tool;
    let calls = 0;
    const { client, wire } = setUp(({ method }): Result => {
      if (method === 'tools/list') return { resultType: 'complete', tools: [tool], ttlMs: 1e6, cacheScope: 'public' };
      if (++calls === 2) throw new DragomanError('CONNECTION_CLOSED', 'the stream broke off');
      return { ...text(String(calls)), ttlMs: 1e6, cacheScope: 'public' };
    });
    expect((await client.listTools()).tools).toEqual([tool]);
    expect((await client.callTool('t')).content).toEqual([{ type: 'text', text: '1' }]);
    // Not sent again because it says that this does no harm, and not kept because it says that nothing changes.
    await expect(client.callTool('t')).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect((await client.callTool('t')).content).toEqual([{ type: 'text', text: '3' }]);
    expect(wire.methods).toEqual(['tools/list', 'tools/call', 'tools/call', 'tools/call']);
  });
});

test('[META-20] what stands at reserved keys of a result is read as documented or not at all', async () => {
  const _meta = {
    [SERVER_INFO]: ['not', 'an', 'object'],
    'io.modelcontextprotocol/subscriptionId': { odd: true },
    'io.modelcontextprotocol/protocolVersion': '1999-01-01',
    'io.modelcontextprotocol/later': 7,
    traceparent: false,
  };
  const { client, warnings } = setUp(() => ({ ...text('fine'), _meta }));
  expect(await client.callTool('t')).toEqual({ ...text('fine'), _meta });
  expect(client.info.serverInfo).toBeUndefined();
  expect(client.info.version).not.toBe('1999-01-01');
  expect(warnings).toEqual([]);
});

test('[EXT-04] [VER-07] extensions are advertised with every request, whatever its method', async () => {
  const extensions = { 'com.example/x': { on: true } };
  const { client, wire } = setUp(
    ({ method }) =>
      method === 'server/discover'
        ? discovery
        : { ...text('x'), tools: [], prompts: [], resources: [], contents: [], messages: [] },
    { capabilities: { extensions } },
  );
  await client.discover();
  await client.listTools();
  await client.callTool('t');
  await client.getPrompt('p');
  await client.readResource('x:y');
  await client.listen({ toolsListChanged: true }).catch(() => undefined);
  expect(wire.methods).toHaveLength(6);
  for (const { meta } of wire.seen) {
    expect(meta['io.modelcontextprotocol/clientCapabilities']).toMatchObject({ extensions });
  }
});

import { DragomanError, type JsonObject, McpError, type Result, type Tool } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { type Answering, ScriptedWire, text } from '../../test/support/scripted-wire.ts';
import { Client } from '../client.ts';
import type { Warning } from '../events.ts';
import type { ClientOptions } from '../options.ts';
import type { Wire } from '../wires/wire.ts';
import { ToolIndex } from './tool-index.ts';

function setUp(answering: Answering, options?: ClientOptions, kind: Wire['kind'] = 'http') {
  const warnings: Warning[] = [];
  const tools = new ToolIndex();
  const wire = new ScriptedWire(answering, kind);
  const client = new Client(wire, { era: 'modern', onWarning: (warning) => warnings.push(warning), ...options }, tools);
  return { client, wire, warnings, tools };
}

const tool = (name: string, more?: JsonObject): Tool => ({ name, inputSchema: { type: 'object' }, ...more });
const page = (tools: unknown, more?: JsonObject): Result => ({ resultType: 'complete', tools, ...more });

describe('lists', () => {
  test('[D06] good tools stay, each bad one is named with its reason', async () => {
    const good = tool('good', { 'x-unknown': { kept: [1] } });
    const both = tool('type and anyOf', { inputSchema: { type: 'object', anyOf: [{ required: ['a'] }] } });
    const { client, warnings } = setUp(() =>
      page([
        good,
        { name: 'null schema', inputSchema: null },
        { name: 'empty', inputSchema: {} },
        { name: 'only $schema', inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema' } },
        { name: 'anyOf', inputSchema: { anyOf: [{ type: 'object' }] } },
        { name: 'required null', inputSchema: { type: 'object', required: null } },
        null,
        both,
        { name: 'no schema' },
        { name: 'an array', inputSchema: { type: 'array' } },
        { inputSchema: { type: 'object' } },
        'a string',
      ]),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'good',
      'empty',
      'only $schema',
      'anyOf',
      'required null',
      'type and anyOf',
    ]);
    expect(tools[0]).toEqual(good);
    expect(tools[1]?.inputSchema).toEqual({ type: 'object' });
    expect(tools[3]?.inputSchema).toEqual({ type: 'object', anyOf: [{ type: 'object' }] });
    expect(warnings.map(({ kind, details }) => [kind, details?.index, details?.reason])).toEqual([
      ['invalid-item', 1, 'its inputSchema is null'],
      ['lenient-item', 2, expect.stringContaining('read as "object"')],
      ['lenient-item', 3, expect.stringContaining('read as "object"')],
      ['lenient-item', 4, expect.stringContaining('read as "object"')],
      ['invalid-item', 6, 'it is null'],
      ['invalid-item', 8, 'its inputSchema is missing'],
      ['invalid-item', 9, 'its inputSchema is of type "array", not "object"'],
      ['invalid-item', 10, 'its name is no string'],
      ['invalid-item', 11, 'it is no object but string'],
    ]);
    expect(warnings[0]?.message).toBe('Item 1 ("null schema") of tools/list: its inputSchema is null. It was left out');
  });

  test('[D06] nesting without end spoils the one tool that has it', async () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as never;
    const annotated = (name: string, more: JsonObject) =>
      tool(name, { inputSchema: { type: 'object', properties: { p: more } } });
    const { client, warnings } = setUp(() =>
      page([
        tool('type', { inputSchema: { type: deep } }),
        annotated('name', { type: 'string', 'x-mcp-header': deep }),
        annotated('kind', { type: deep, 'x-mcp-header': 'P' }),
        tool('good'),
      ]),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['good']);
    expect(warnings.map(({ kind }) => kind)).toEqual(['invalid-item', 'tool-header', 'tool-header']);
    for (const { message } of warnings) expect(message.length).toBeLessThan(400);
  });

  test('[D06] ten thousand bad items are told of in a hundred warnings and their number', async () => {
    const items = [
      ...Array(10_000).fill(null),
      tool('x'.repeat(10_000), { inputSchema: { type: 'y'.repeat(10_000) } }),
    ];
    const { client, warnings } = setUp(() => page([items[10_000], ...items, tool('good')]));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['good']);
    expect(warnings).toHaveLength(101);
    expect(warnings[0]?.message.length).toBeLessThan(400);
    expect(warnings[100]).toMatchObject({ kind: 'invalid-item', details: { more: 9902 } });
  });

  test('[XMH-11] so are ten thousand tools whose annotations break a rule', async () => {
    const bad = (_: unknown, at: number) =>
      tool(`bad ${at}`, {
        inputSchema: { type: 'object', properties: { p: { type: 'number', 'x-mcp-header': 'P' } } },
      });
    const { client, warnings } = setUp(() => page([...Array.from({ length: 10_000 }, bad), tool('good')]));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['good']);
    expect(warnings).toHaveLength(101);
    expect(warnings[100]).toMatchObject({ kind: 'tool-header', details: { more: 9900 } });
  });

  test('a server that never lists the same tools twice does not fill the memory', async () => {
    let round = 0;
    const { client, tools } = setUp(() => {
      round += 1;
      return page(Array.from({ length: 50_000 }, (_, at) => tool(`${round} ${at}`)));
    });
    for (let count = 0; count < 3; count++) await client.listTools({}, { cache: 'bypass' });
    expect(tools.get('1 0')).toBeUndefined();
    expect(tools.get('1 49999')).toBeUndefined();
    expect(tools.get('2 0')).toBeDefined();
    expect(tools.get('3 49999')).toBeDefined();
  });

  test('[T097][D05][TOOL-15] any name is kept and called verbatim', async () => {
    const names = ['cal.read', 'profile/update', 'New Share', 'x'.repeat(129), '天気', '🌧', 'A', 'a', '__proto__', ''];
    const { client, wire, warnings } = setUp(({ method }) =>
      method === 'tools/list' ? page(names.map((name) => tool(name))) : text('ok'),
    );
    expect((await client.listAllTools()).map(({ name }) => name)).toEqual(names);
    for (const name of names) await client.callTool(name);
    expect(wire.seen.slice(1).map(({ params }) => params.name)).toEqual(names);
    expect(warnings).toEqual([]);
  });

  test('[JSCH-14][T095][D01] schemas come through as they are, cycles of references too', async () => {
    const inputSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      $defs: { node: { $anchor: 'n', properties: { next: { $ref: '#/$defs/node' } } } },
      allOf: [{ if: {}, else: {} }],
      'x-own': 1,
    };
    const { client } = setUp(() => page([tool('t', { inputSchema })]));
    expect((await client.listTools()).tools[0]?.inputSchema).toEqual(inputSchema);
  });

  test('prompts, resources and templates are read item by item too', async () => {
    const answers: { [method: string]: Result } = {
      'prompts/list': { resultType: 'complete', prompts: [{ name: 'p' }, { title: 'nameless' }, null] },
      'resources/list': {
        resultType: 'complete',
        resources: [{ uri: 'a:b' }, { name: 'no uri' }, { uri: 'c:d', name: 'n' }],
      },
      'resources/templates/list': {
        resultType: 'complete',
        resourceTemplates: [{ uriTemplate: 'a:{b}', name: 't' }, {}],
      },
    };
    const { client, warnings } = setUp(({ method }) => answers[method] as Result);
    expect((await client.listPrompts()).prompts).toEqual([{ name: 'p' }]);
    expect((await client.listResources()).resources).toEqual([
      { uri: 'a:b', name: 'a:b' },
      { uri: 'c:d', name: 'n' },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([{ uriTemplate: 'a:{b}', name: 't' }]);
    expect(warnings.map(({ kind }) => kind)).toEqual([
      'invalid-item',
      'invalid-item',
      'lenient-item',
      'invalid-item',
      'invalid-item',
    ]);
  });

  test.each([undefined, null, {}, 'x'])('[S08] a list that is %j is an error, not an empty list', async (tools) => {
    const { client } = setUp(() => page(tools));
    await expect(client.listTools()).rejects.toMatchObject({
      code: 'PROTOCOL_VIOLATION',
      details: { member: 'tools' },
    });
  });

  test('lists of extensions come through as they are', async () => {
    const result = { resultType: 'complete', skills: [null, 1] };
    const { client, warnings } = setUp(() => result);
    expect(await client.request('skills/list', {})).toEqual(result);
    expect(warnings).toEqual([]);
  });
});

describe('x-mcp-header', () => {
  const annotated = (name: string, type = 'string') =>
    tool('t', { inputSchema: { type: 'object', properties: { p: { type, 'x-mcp-header': name } } } });

  test('[XMH-12][XMH-13][XMH-14][T073] a tool that breaks the rules is left out alone, with name and reason', async () => {
    const bad = { ...annotated('two words'), name: 'bad' };
    const { client, warnings, tools } = setUp(() => page([annotated('Region'), bad, tool('plain')]));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['t', 'plain']);
    expect(warnings).toMatchObject([{ kind: 'tool-header', details: { name: 'bad', reason: expect.any(String) } }]);
    expect(tools.headers('t')?.[0]).toMatchObject({ header: 'Mcp-Param-Region', path: ['p'] });
    expect(tools.headers('bad')).toBeUndefined();
    expect(tools.headers('never')).toBeUndefined();
    expect(tools.headers(undefined)).toBeUndefined();
  });

  test.each(['stdio', 'stream', 'memory'] as const)('[XMH-15] over %s nothing is left out', async (kind) => {
    const { client, warnings } = setUp(() => page([annotated('two words')]), {}, kind);
    expect((await client.listTools()).tools).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  const mismatch = new McpError(-32020, 'Mcp-Param-Region is missing', { httpStatus: 400 });

  test('[XMH-18] a header mismatch lists the tools once, until the one in question came by, and sends again', async () => {
    let tools: ToolIndex | undefined;
    const known: boolean[] = [];
    const set = setUp(({ method, params }) => {
      if (method === 'tools/list') {
        return params.cursor === undefined
          ? page([tool('a')], { nextCursor: '2' })
          : page([annotated('Region')], { nextCursor: '3' });
      }
      known.push(tools?.headers('t') !== undefined);
      if (known.at(-1) === true) return text('ok');
      throw mismatch;
    });
    tools = set.tools;
    expect(await set.client.callTool('t', { p: 'x' })).toEqual(text('ok'));
    expect(set.wire.methods).toEqual(['tools/call', 'tools/list', 'tools/list', 'tools/call']);
    expect(known).toEqual([false, true]);
    await set.client.callTool('t', { p: 'x' });
    expect(set.wire.methods).toHaveLength(5);
  });

  test('a second mismatch is the caller’s to know', async () => {
    const { client, wire } = setUp(({ method }) => {
      if (method === 'tools/list') return page([tool('a')], { nextCursor: 'same' });
      throw mismatch;
    });
    await expect(client.callTool('t')).rejects.toBe(mismatch);
    expect(wire.methods).toEqual(['tools/call', 'tools/list', 'tools/list', 'tools/call']);
  });

  test('no more pages are looked at than the limit', async () => {
    let cursor = 0;
    const { client, wire } = setUp(
      ({ method }) => {
        if (method === 'tools/list') return page([], { nextCursor: String(cursor++) });
        throw mismatch;
      },
      { limits: { pages: 5 } },
    );
    await expect(client.callTool('t')).rejects.toBe(mismatch);
    expect(wire.methods.filter((method) => method === 'tools/list')).toHaveLength(5);
  });

  test('[CACHE-10] what was kept of the tools is old then', async () => {
    let listed = 0;
    let refusing = true;
    const { client } = setUp(({ method }) => {
      if (method === 'tools/list')
        return page([{ ...annotated('Region'), description: String(++listed) }], { ttlMs: 1e6, cacheScope: 'public' });
      if (refusing) {
        refusing = false;
        throw mismatch;
      }
      return text('ok');
    });
    await client.listTools();
    await client.callTool('t');
    expect((await client.listTools()).tools[0]?.description).toBe('3');
  });

  test.each(['stdio', 'memory'] as const)('over %s there are no headers to mismatch', async (kind) => {
    const { client, wire } = setUp(
      () => {
        throw mismatch;
      },
      {},
      kind,
    );
    await expect(client.callTool('t')).rejects.toBe(mismatch);
    expect(wire.methods).toEqual(['tools/call']);
  });

  test('progress of the listing is not told as the call’s', async () => {
    const heard: number[] = [];
    let calls = 0;
    const { client } = setUp(({ method }, io) => {
      io.notify({
        method: 'notifications/progress',
        params: { progressToken: 1, progress: method === 'tools/list' ? 99 : 1 },
      });
      if (method === 'tools/list') return page([tool('t')]);
      if (calls++ === 0) throw mismatch;
      return text('ok');
    });
    await client.callTool('t', {}, { onProgress: ({ progress }) => heard.push(progress) });
    expect(heard).toEqual([1, 1]);
  });
});

describe('structured output', () => {
  const schema = {
    type: 'object',
    properties: { t: { type: 'number' }, kind: { enum: ['sun', 'rain'] } },
    required: ['t'],
  };

  async function called(result: JsonObject, options?: ClientOptions, outputSchema: unknown = schema) {
    const set = setUp(
      ({ method }) =>
        method === 'tools/list'
          ? page([tool('w', { outputSchema })])
          : ({ resultType: 'complete', content: [], ...result } as Result),
      options,
    );
    await set.client.listTools();
    return { ...set, outcome: await set.client.callTool('w').catch((reason: unknown) => reason) };
  }

  test('[TOOL-29] that fits passes', async () => {
    const { outcome, warnings } = await called({ structuredContent: { t: 1, kind: 'sun' } });
    expect(outcome).toMatchObject({ structuredContent: { t: 1, kind: 'sun' } });
    expect(warnings).toEqual([]);
  });

  test('[R08] that does not fit is handed on with a warning that says where', async () => {
    const structuredContent = { t: 1, kind: 'snow' };
    const { outcome, warnings } = await called({ structuredContent });
    expect(outcome).toMatchObject({ structuredContent });
    expect(warnings).toMatchObject([{ kind: 'output-mismatch', details: { tool: 'w', issues: [{ path: 'kind' }] } }]);
    expect(warnings[0]?.message).toContain('kind');
  });

  test.each([
    ['the client', { strict: true }, {}],
    ['the call', {}, { strict: true }],
  ])('[R08] strictness of %s makes it an error that holds the result', async (_name, options, callOptions) => {
    const set = setUp(
      ({ method }) =>
        method === 'tools/list'
          ? page([tool('w', { outputSchema: schema })])
          : { resultType: 'complete', content: [], structuredContent: {} },
      options,
    );
    await set.client.listTools();
    await expect(set.client.callTool('w', {}, callOptions)).rejects.toMatchObject({
      code: 'OUTPUT_MISMATCH',
      details: { tool: 'w', result: { structuredContent: {} }, issues: [expect.anything()] },
    });
    expect(set.warnings).toEqual([]);
  });

  test('[TOOL-28] that is missing does not fit', async () => {
    const { warnings } = await called({ content: [{ type: 'text', text: '{}' }] });
    expect(warnings).toMatchObject([
      { kind: 'output-mismatch', message: expect.stringContaining('no structuredContent') },
    ]);
  });

  test.each([null, 0, false, '', []])('[T091][TOOL-26] of %j is there', async (structuredContent) => {
    const { warnings, outcome } = await called({ structuredContent }, {}, { enum: [null, 0, false, '', []] });
    expect(warnings).toEqual([]);
    expect(outcome).toHaveProperty('structuredContent', structuredContent);
  });

  test.each([{ structuredContent: { t: 'no' } }, {}])(
    '[R01][TOOL-30][T092] is not looked at when the tool failed: %j',
    async (result) => {
      const failed = { ...result, isError: true, content: [{ type: 'text', text: 'it rained' }] };
      const { outcome, warnings } = await called(failed, { strict: true });
      expect(outcome).toMatchObject(failed);
      expect(warnings).toEqual([]);
    },
  );

  test('[R10] content that is missing reads as empty, with a warning', async () => {
    const { outcome, warnings } = await called({ content: undefined, structuredContent: { t: 1 } });
    expect(outcome).toEqual({ resultType: 'complete', content: [], structuredContent: { t: 1 } });
    expect(warnings).toMatchObject([{ kind: 'missing-content', details: { tool: 'w' } }]);
  });

  test('[R10] content that is empty is no reason for one', async () => {
    expect((await called({ content: [], structuredContent: { t: 1 } })).warnings).toEqual([]);
  });

  test.each([
    ['[JSCH-06][D03] an unknown dialect', { $schema: 'https://example.com/own', type: 'object' }],
    ['[JSCH-08][JSCH-12] a reference elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['no schema at all', 7],
  ])('with %s is not checked, which is told once', async (_name, outputSchema) => {
    const set = await called({ structuredContent: { anything: 1 } }, { strict: true }, outputSchema);
    expect(set.outcome).toMatchObject({ structuredContent: { anything: 1 } });
    await set.client.callTool('w');
    expect(set.warnings).toMatchObject([
      { kind: 'output-schema', details: { tool: 'w', error: { code: 'INVALID_SCHEMA' } } },
    ]);
  });

  test('[D01] a schema that refers to itself is checked', async () => {
    const outputSchema = {
      type: 'object',
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      $ref: '#/$defs/node',
    };
    expect((await called({ structuredContent: { next: { next: {} } } }, {}, outputSchema)).warnings).toEqual([]);
    expect((await called({ structuredContent: { next: { next: 1 } } }, {}, outputSchema)).warnings).toHaveLength(1);
  });

  test('of a tool that was never listed is not checked', async () => {
    const { client, warnings } = setUp(() => ({ resultType: 'complete', content: [], structuredContent: 1 }));
    await client.callTool('w', {}, { strict: true });
    expect(warnings).toEqual([]);
  });

  test('a null outputSchema is none', async () => {
    expect((await called({ content: [] }, { strict: true }, null)).warnings).toEqual([]);
  });

  test('[RT-06] [T036] a task or a question is no output', async () => {
    const task = { resultType: 'task', taskId: 't', content: undefined };
    const { outcome, warnings } = await called(task, { strict: true, resultTypes: ['task'] });
    expect(outcome).toMatchObject({ taskId: 't' });
    expect(warnings).toEqual([]);
  });
});

test('an error that is not about headers is handed on', async () => {
  const error = new DragomanError('CONNECTION_FAILED', 'no');
  const { client } = setUp(() => {
    throw error;
  });
  await expect(client.callTool('t')).rejects.toBe(error);
});

test('a tool can be forgotten', () => {
  const tools = new ToolIndex();
  tools.remember(tool('t'));
  tools.forget('t');
  expect(tools.get('t')).toBeUndefined();
});

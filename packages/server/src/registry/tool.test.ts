import { type CallToolResult, DragomanError, type Tool } from '@dragoman/protocol';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type as ark } from 'arktype';
import { Type } from 'typebox';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { call, quietServer, recordingIO, requestOf, textOf } from '../testing.ts';

const listed = async (server: ReturnType<typeof quietServer>): Promise<Tool[]> =>
  (await server.exchange(requestOf('tools/list'), recordingIO())).tools as Tool[];

describe('schemas of every kind', () => {
  test('zod: listed as JSON Schema, checked and transformed', async () => {
    const server = quietServer();
    server.tool(
      'add',
      {
        input: z.object({ a: z.number(), b: z.number().default(2), when: z.string().transform((text) => text.length) }),
      },
      ({ a, b, when }) => {
        expectTypeOf(when).toEqualTypeOf<number>();
        return `${a + b}/${when}`;
      },
    );
    const [tool] = await listed(server);
    expect(tool?.inputSchema).toMatchObject({
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a', 'when'],
    });
    expect(textOf(await call(server, 'add', { a: 1, when: 'abc' }))).toBe('3/3');
    expect(await call(server, 'add', { a: 'x', when: 'abc' })).toMatchObject({ isError: true });
  });

  test('zod: asynchronous checks are waited for', async () => {
    const server = quietServer();
    const input = z.object({ id: z.string().refine(async (id) => id !== 'taken', 'is taken') });
    server.tool('claim', { input }, ({ id }) => id);
    expect(textOf(await call(server, 'claim', { id: 'free' }))).toBe('free');
    expect(textOf(await call(server, 'claim', { id: 'taken' }))).toContain('id: is taken');
  });

  test('arktype', async () => {
    const server = quietServer();
    server.tool('greet', { input: ark({ name: 'string', 'loud?': 'boolean' }) }, ({ name, loud }) => {
      expectTypeOf(name).toEqualTypeOf<string>();
      return loud === true ? name.toUpperCase() : name;
    });
    const [tool] = await listed(server);
    expect(tool?.inputSchema).toMatchObject({ type: 'object', required: ['name'] });
    expect(textOf(await call(server, 'greet', { name: 'ann', loud: true }))).toBe('ANN');
    expect(await call(server, 'greet', { name: 7 })).toMatchObject({ isError: true });
  });

  test('valibot', async () => {
    const server = quietServer();
    const input = toStandardJsonSchema(v.object({ name: v.pipe(v.string(), v.minLength(2)) }));
    server.tool('greet', { input }, ({ name }) => {
      expectTypeOf(name).toEqualTypeOf<string>();
      return name;
    });
    const [tool] = await listed(server);
    expect(tool?.inputSchema).toMatchObject({ type: 'object', properties: { name: { minLength: 2 } } });
    expect(textOf(await call(server, 'greet', { name: 'ann' }))).toBe('ann');
    expect(await call(server, 'greet', { name: 'a' })).toMatchObject({ isError: true });
  });

  test('typebox is JSON Schema', async () => {
    const server = quietServer();
    server.tool('greet', { input: Type.Object({ name: Type.String({ minLength: 2 }) }) }, ({ name }) => {
      expectTypeOf(name).toEqualTypeOf<string>();
      return name;
    });
    const [tool] = await listed(server);
    expect(tool?.inputSchema).toEqual({
      type: 'object',
      properties: { name: { type: 'string', minLength: 2 } },
      required: ['name'],
    });
    expect(textOf(await call(server, 'greet', { name: 'ann' }))).toBe('ann');
    expect(textOf(await call(server, 'greet', { name: 'a' }))).toContain('name');
  });

  test('[T095] JSON Schema keeps every keyword, whatever becomes of the object afterwards', async () => {
    const server = quietServer();
    const input = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' } } } },
      properties: { address: { $ref: '#/$defs/address' }, phone: { type: 'string' }, email: { type: 'string' } },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { required: ['phone'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      additionalProperties: false,
      'x-own': [1],
    };
    const copy = structuredClone(input);
    server.tool('it', { input }, () => 'ok');
    input.properties.phone.type = 'number';
    expect((await listed(server))[0]?.inputSchema).toEqual(copy);
    expect(textOf(await call(server, 'it', { phone: '1' }))).toBe('ok');
    expect(await call(server, 'it', {})).toMatchObject({ isError: true });
  });

  test('[D01] recursive references', async () => {
    const server = quietServer();
    const input = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } } },
    };
    server.tool('tree', { input }, () => 'ok');
    expect((await listed(server))[0]?.inputSchema).toEqual(input);
    expect(textOf(await call(server, 'tree', { node: { children: [{ children: [] }] } }))).toBe('ok');
    expect(await call(server, 'tree', { node: { children: [{ children: 1 }] } })).toMatchObject({ isError: true });
  });

  test('[TOOL-10] without a schema a tool takes no arguments', async () => {
    const server = quietServer();
    server.tool('none', {}, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ readonly [name: string]: never }>();
      return JSON.stringify(args);
    });
    expect((await listed(server))[0]?.inputSchema).toEqual({ type: 'object', additionalProperties: false });
    expect(textOf(await call(server, 'none'))).toBe('{}');
    expect(textOf(await call(server, 'none', {}))).toBe('{}');
    expect(textOf(await call(server, 'none', { x: 1 }))).toContain('x: there is no such argument');
  });

  test('an engine of the author is used', async () => {
    const compiled: unknown[] = [];
    const schemaEngine = {
      name: 'own',
      compile: (schema: unknown) => {
        compiled.push(schema);
        return (value: unknown) =>
          Object.keys(value as object).length > 0
            ? undefined
            : [{ path: '', pointer: '', keyword: 'own', message: 'is empty' }];
      },
    };
    const server = quietServer({ schemaEngine });
    server.tool('own', { input: { type: 'object' } }, () => 'ok');
    expect(textOf(await call(server, 'own', {}))).toContain('is empty');
    expect(textOf(await call(server, 'own', { x: 1 }))).toBe('ok');
    expect(compiled).toHaveLength(1);
  });
});

describe('what is refused at registration, naming the tool', () => {
  const input = (schema: object) => () => quietServer().tool('bad', { input: schema }, () => 'ok');

  test.each([
    ['[TOOL-08] a root that is no object', { type: 'string' }],
    ['[TOOL-08] no root type', { properties: {} }],
    ['[D03] an unknown dialect', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }],
    ['[JSCH-12] an external reference', { type: 'object', properties: { x: { $ref: 'https://example.com/x.json' } } }],
    ['[JSCH-07] a malformed keyword', { type: 'object', required: 'x' }],
    ['a keyword that is no JSON', { type: 'object', default: 1n }],
    ['[XMH-03] an empty x-mcp-header', { type: 'object', properties: { x: { type: 'string', 'x-mcp-header': '' } } }],
    [
      '[XMH-07] x-mcp-header on a number',
      { type: 'object', properties: { x: { type: 'number', 'x-mcp-header': 'X' } } },
    ],
  ])('%s', (_, schema) => {
    expect(input(schema)).toThrow(DragomanError);
    expect(input(schema)).toThrow('"bad"');
  });

  test('[T075] the annotation that is invalid is named', () => {
    expect(input({ type: 'object', properties: { x: { type: 'number', 'x-mcp-header': 'Zone' } } })).toThrow('"Zone"');
  });

  test('a Standard Schema of something else than an object', () => {
    expect(() => quietServer().tool('bad', { input: z.string() }, () => 'ok')).toThrow(
      'wrap the arguments in an object',
    );
  });

  test('a Standard Schema that JSON Schema cannot say', () => {
    expect(() => quietServer().tool('bad', { input: z.object({ x: z.bigint() }) }, () => 'ok')).toThrow(
      /"bad".*input schema/,
    );
  });

  test('an output schema that cannot be used', () => {
    expect(() => quietServer().tool('bad', { output: { type: 'nothing' } }, () => ({ structured: 1 }))).toThrow(
      /"bad".*output schema/,
    );
  });

  test('[TOOL-14] a name that is taken, and one that is none', () => {
    const server = quietServer();
    server.tool('twice', {}, () => 'ok');
    expect(() => server.tool('twice', {}, () => 'ok')).toThrow('"twice" is registered already');
    expect(() => server.tool('', {}, () => 'ok')).toThrow('non-empty string');
  });

  test('no handler', () => {
    // @ts-expect-error a handler is needed
    expect(() => quietServer().tool('none', {})).toThrow('needs a handler');
  });

  test('a definition that is no JSON', () => {
    expect(() => quietServer().tool('bad', { meta: { 'com.example/x': 1n } }, () => 'ok')).toThrow(
      /"bad" cannot be listed.*not JSON/,
    );
    expect(() => quietServer().tool(Symbol('bad') as unknown as string, {}, () => 'ok')).toThrow('got symbol');
  });

  test('a tool that was refused leaves nothing behind', () => {
    const server = quietServer();
    expect(() => server.tool('bad', { input: { type: 'string' } }, () => 'ok')).toThrow();
    expect(server.capabilities).not.toHaveProperty('tools');
    server.tool('bad', {}, () => 'ok');
  });
});

describe('names', () => {
  test.each(['cal.read', 'A-b_c.9', 'x'.repeat(128)])('[TOOL-13] %s is recommended', (name) => {
    const server = quietServer();
    server.tool(name, {}, () => 'ok');
    expect(server.warnings).toEqual([]);
  });

  test.each(['profile/update', 'New Share', 'x'.repeat(129), '東京', '🎉'])(
    '[T097] [D05] %s is served with a warning',
    async (name) => {
      const server = quietServer();
      server.tool(name, {}, () => 'ok');
      expect(server.warnings).toHaveLength(1);
      expect(server.warnings[0]).toContain('TOOL_NAME');
      expect(textOf(await call(server, name))).toBe('ok');
      expect((await listed(server))[0]?.name).toBe(name);
    },
  );

  test('[TOOL-14] twins in letter case, and names of object members, are names like any other', async () => {
    const server = quietServer();
    for (const name of ['a', 'A', '__proto__', 'constructor', 'toString']) server.tool(name, {}, () => name);
    for (const name of ['a', 'A', '__proto__', 'constructor', 'toString'])
      expect(textOf(await call(server, name))).toBe(name);
    await expect(call(server, 'hasOwnProperty')).rejects.toHaveProperty('code', -32602);
  });
});

test('[TOOL-07] all that a definition says is listed, and nothing else', async () => {
  const server = quietServer();
  server.tool(
    'full',
    {
      title: 'Full',
      description: 'All of it',
      input: { type: 'object' },
      output: { type: 'number' },
      annotations: { readOnlyHint: true },
      icons: [{ src: 'data:image/png;base64,AA==' }],
      meta: { 'com.example/x': 1 },
      requires: { roots: {} },
    },
    () => ({ structured: 1 }),
  );
  expect((await listed(server))[0]).toEqual({
    name: 'full',
    title: 'Full',
    description: 'All of it',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'number' },
    annotations: { readOnlyHint: true },
    icons: [{ src: 'data:image/png;base64,AA==' }],
    _meta: { 'com.example/x': 1 },
  });
});

test('types: structured output follows the output schema', () => {
  const server = quietServer();
  const output = z.object({ sum: z.number() });
  server.tool('sum', { output }, () => ({ structured: { sum: 1 } }));
  // @ts-expect-error the sum is a number
  server.tool('wrong', { output }, () => ({ structured: { sum: '1' } }));
  server.tool('nothing', {}, () => {});
  server.tool('later', {}, async () => {});
  server.tool('blocks', {}, () => [{ type: 'text', text: 'x' }]);
  server.tool('whole', {}, (): CallToolResult => ({ content: [] }));
  // @ts-expect-error a number is no result
  server.tool('number', {}, () => 7);
});

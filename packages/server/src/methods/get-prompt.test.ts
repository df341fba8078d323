import { type GetPromptResult, McpError, MetaKey, type Prompt } from '@dragoman/protocol';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { PromptOutput } from '../registry/prompt.ts';
import { quietServer, recordingIO, requestOf } from '../testing.ts';

type TestServer = ReturnType<typeof quietServer>;

const get = (server: TestServer, name: string, args?: object) =>
  server.exchange(
    requestOf('prompts/get', args === undefined ? { name } : { name, arguments: args }),
    recordingIO(),
  ) as Promise<GetPromptResult>;

const listed = async (server: TestServer) =>
  (await server.exchange(requestOf('prompts/list'), recordingIO())).prompts as Prompt[];

const text = { type: 'text', text: 'x' } as const;
const message = { role: 'assistant', content: text } as const;

test.each<[string, PromptOutput, object]>([
  ['a string', 'x', { messages: [{ role: 'user', content: text }] }],
  [
    'a block',
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { messages: [{ role: 'user', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } }] },
  ],
  ['a message', message, { messages: [message] }],
  ['messages', [message, message], { messages: [message, message] }],
  [
    'a full result',
    { description: 'd', messages: [message], extra: 1 },
    { description: 'd', messages: [message], extra: 1 },
  ],
])('[PRM-07] %s makes a prompt', async (_, output, expected) => {
  const server = quietServer();
  server.prompt('p', {}, () => output);
  expect(await get(server, 'p')).toEqual({
    resultType: 'complete',
    ...expected,
    _meta: { [MetaKey.serverInfo]: { name: 'test', version: '1.2.3' } },
  });
});

describe('arguments', () => {
  test('[PRM-05] a plain list', async () => {
    const server = quietServer();
    const list = [{ name: 'arg1', description: 'first', required: true }, { name: 'arg2' }];
    server.prompt('p', { description: 'd', arguments: list }, ({ arg1, arg2 }) => {
      expectTypeOf(arg1).toEqualTypeOf<string | undefined>();
      return `${arg1} ${arg2}`;
    });
    expect(await listed(server)).toEqual([{ name: 'p', description: 'd', arguments: list }]);
    expect(await get(server, 'p', { arg1: 'a', arg2: 'b' })).toMatchObject({
      messages: [{ content: { text: 'a b' } }],
    });
    expect(await get(server, 'p', { arg1: 'a', other: 'c' })).toMatchObject({
      messages: [{ content: { text: 'a undefined' } }],
    });
  });

  test.each<[object | undefined]>([[undefined], [{}], [{ arg2: 'x' }]])(
    '[PRM-13] a required one is missing: %j',
    async (args) => {
      const server = quietServer();
      server.prompt('p', { arguments: [{ name: 'arg1', required: true }] }, () => 'x');
      await expect(get(server, 'p', args)).rejects.toMatchObject({ code: -32602, message: /arg1: is missing/ });
    },
  );

  test('[PRM-16] [PRM-14] a Standard Schema is listed, checked and transformed', async () => {
    const server = quietServer();
    const schema = z.object({
      count: z.string().regex(/^\d+$/).transform(Number).describe('how many'),
      name: z.string().optional(),
    });
    server.prompt('p', { arguments: schema }, ({ count }) => {
      expectTypeOf(count).toEqualTypeOf<number>();
      return String(count + 1);
    });
    expect((await listed(server))[0]?.arguments).toEqual([
      { name: 'count', description: 'how many', required: true },
      { name: 'name', required: false },
    ]);
    expect(await get(server, 'p', { count: '41' })).toMatchObject({ messages: [{ content: { text: '42' } }] });
    await expect(get(server, 'p', { count: 'x' })).rejects.toMatchObject({ code: -32602, message: /count: / });
  });

  test('a JSON Schema', async () => {
    const server = quietServer();
    server.prompt(
      'p',
      {
        arguments: { type: 'object', properties: { a: { type: 'string', maxLength: 2 }, any: true }, required: ['a'] },
      },
      ({ a }) => String(a),
    );
    expect((await listed(server))[0]?.arguments).toEqual([
      { name: 'a', required: true },
      { name: 'any', required: false },
    ]);
    await expect(get(server, 'p', { a: 'long' })).rejects.toMatchObject({ code: -32602, message: /a: / });
  });

  test('none', async () => {
    const server = quietServer();
    server.prompt('p', {}, (args) => JSON.stringify(args));
    expect((await listed(server))[0]).toEqual({ name: 'p' });
    expect(await get(server, 'p')).toMatchObject({ messages: [{ content: { text: '{}' } }] });
  });
});

describe('what goes wrong', () => {
  test('[PRM-13] an unknown prompt', async () => {
    const server = quietServer();
    server.prompt('p', {}, () => 'x');
    await expect(get(server, 'constructor')).rejects.toMatchObject({
      code: -32602,
      message: 'Unknown prompt: constructor',
      data: { name: 'constructor' },
    });
  });

  test('[PRM-13] what a handler throws is internal, and told to the server alone', async () => {
    const server = quietServer();
    const thrown = new Error('secret');
    server.prompt('p', {}, () => {
      throw thrown;
    });
    const error = (await get(server, 'p').catch((reason: unknown) => reason)) as McpError;
    expect(error.toObject()).toEqual({ code: -32603, message: 'Internal error' });
    expect(server.errors).toEqual([thrown]);
  });

  test('an McpError crosses as it is', async () => {
    const server = quietServer();
    server.prompt('p', {}, async () => {
      throw new McpError(7, 'own');
    });
    await expect(get(server, 'p')).rejects.toMatchObject({ code: 7 });
    expect(server.errors).toEqual([]);
  });

  test.each([undefined, null, 7, {}, { text: 'x' }])(
    'what is no prompt, such as %j, is the fault of the server',
    async (output) => {
      const server = quietServer();
      server.prompt('p', {}, () => output as unknown as PromptOutput);
      await expect(get(server, 'p')).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
      expect(String(server.errors[0])).toContain('Prompt "p" returned no messages');
    },
  );

  test('registration refuses what cannot be used', () => {
    const server = quietServer();
    expect(() => server.prompt('p', { arguments: { type: 'array' } }, () => 'x')).toThrow('"p"');
    expect(() => server.prompt('p', { arguments: { type: 'nothing' } }, () => 'x')).toThrow('"p"');
    expect(() => server.prompt('p', { complete: { a: ['x'] } }, () => 'x')).toThrow('completes "a"');
    expect(server.capabilities).not.toHaveProperty('prompts');
    server.prompt('p', {}, () => 'x');
    expect(() => server.prompt('p', {}, () => 'x')).toThrow('registered already');
  });
});

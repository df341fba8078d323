import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, quietServer } from '../testing.ts';

const slow = '^(a+)+$';
const object = (property: object) => ({ type: 'object', properties: { v: property } });

test.each([
  ['a JSON Schema', object({ type: 'string', pattern: slow })],
  ['a schema of zod', z.object({ v: z.string().regex(new RegExp(slow)) })],
])('[JSCH-13] a pattern of %s that a client could stop the server with is warned of', (_, input) => {
  const server = quietServer();
  server.tool('it', { input }, () => 'done');
  server.prompt('it', { arguments: input }, () => 'done');
  expect(server.warnings).toEqual([
    expect.stringContaining('SLOW_PATTERN: Tool "it": the pattern at /properties/v/pattern takes exponential time'),
    expect.stringContaining('SLOW_PATTERN: Prompt "it": the pattern at /properties/v/pattern takes exponential time'),
  ]);
});

test('one of a form is warned of once', async () => {
  const server = quietServer({ requestState: { keys: [{ id: 'k', secret: 'x'.repeat(32) }] } });
  const schema = object({ type: 'string', pattern: slow });
  server.tool('it', {}, async (_args, ctx) => String(await ctx.elicit('k', { message: 'm', schema })));
  await call(server, 'it');
  await call(server, 'it');
  expect(server.warnings).toEqual([expect.stringContaining('SLOW_PATTERN: A form')]);
});

test('others are not, nor what is merely described oddly', () => {
  const server = quietServer();
  const input = { ...object({ type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' }), title: 'x' };
  server.tool('it', { input }, () => 'done');
  server.prompt('it', { arguments: [{ name: 'a' }] }, () => 'done');
  expect(server.warnings).toEqual([]);
});

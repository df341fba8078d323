import { describe, expect, test } from 'vitest';
import { inputRequired } from './input/input-required.ts';
import { namesSecret } from './secret-names.ts';
import { asking, call, quietServer } from './testing.ts';

test.each(['password', 'Password', 'newPassword', 'api_key', 'API-Key', 'apiKey', 'accessToken', 'card number', 'cvc'])(
  '%s names a secret',
  (name) => {
    expect(namesSecret(name)).toBe(true);
  },
);

test.each(['name', 'author', 'maxTokens', 'token_limit', 'keyword', 'passengers', 'password_hint', 'secretary', ''])(
  '%j names none',
  (name) => {
    expect(namesSecret(name)).toBe(false);
  },
);

const form = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });

describe('[ELIC-24] [ELIC-25] a form that asks for a secret is warned of', () => {
  test('once, with the way to do it right, and asked all the same', async () => {
    const server = quietServer();
    const schema = form('password');
    server.tool('login', {}, async (_args, ctx) => {
      await ctx.elicit('login', { message: 'Log in', schema });
    });
    asking(await call(server, 'login'));
    asking(await call(server, 'login'));
    expect(server.warnings.filter((warning) => warning.startsWith('SECRET_FIELD'))).toEqual([
      expect.stringMatching(/"password".*elicitUrl/),
    ]);
  });

  test('by hand too, and not where nothing is secret', async () => {
    const server = quietServer();
    const ask = (name: string) => {
      const params = { mode: 'form', message: 'Who?', requestedSchema: form(name) };
      return inputRequired({ requests: { q: { method: 'elicitation/create', params } as never } });
    };
    server.tool('secret', {}, () => ask('apiKey'));
    server.tool('plain', {}, () => ask('nickname'));
    asking(await call(server, 'plain'));
    expect(server.warnings.join()).not.toContain('SECRET_FIELD');
    asking(await call(server, 'secret'));
    expect(server.warnings.join()).toContain('SECRET_FIELD: A form asks for "apiKey"');
  });
});

test.each([
  ['https://example.com/login', false],
  ['http://localhost:3000/login', false],
  ['http://127.0.0.1/login', false],
  ['http://[::1]:80/login', false],
  ['http://example.com/login?session=secret', true],
  ['http://localhost.example.com/', true],
])('[ELIC-40] a page at %s: warned of is %s', async (url, warned) => {
  const server = quietServer();
  server.tool('go', {}, (_args, ctx) => ctx.elicitUrl('page', { message: 'Log in', url }));
  asking(await call(server, 'go'));
  const warnings = server.warnings.filter((warning) => warning.startsWith('INSECURE_URL'));
  expect(warnings).toHaveLength(warned ? 1 : 0);
  // What stands in the query is nobody's business.
  expect(warnings.join()).not.toContain('secret');
});

test('[XMH-17] an argument that looks like a secret and is mirrored in a header is warned of', () => {
  const server = quietServer();
  const mirrored = (name: string, header: string) => ({
    input: { type: 'object', properties: { [name]: { type: 'string', 'x-mcp-header': header } } },
  });
  server.tool('a', mirrored('region', 'Region'), () => 'ok');
  expect(server.warnings).toEqual([]);
  server.tool('b', mirrored('accessToken', 'Who'), () => 'ok');
  server.tool('c', mirrored('value', 'Api-Key'), () => 'ok');
  expect(server.warnings).toEqual([
    expect.stringMatching(/^SECRET_HEADER: Tool "b" mirrors "accessToken" in Mcp-Param-Who/),
    expect.stringMatching(/^SECRET_HEADER: Tool "c" mirrors "value" in Mcp-Param-Api-Key/),
  ]);
});

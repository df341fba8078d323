import type { ReadResourceResult, Resource, ResourceTemplate, TextResourceContents } from '@dragoman/protocol';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { ResourceOutput } from '../registry/resource.ts';
import { quietServer, recordingIO, requestOf } from '../testing.ts';

type TestServer = ReturnType<typeof quietServer>;

const read = (server: TestServer, uri: string) =>
  server.exchange(requestOf('resources/read', { uri }), recordingIO()) as Promise<ReadResourceResult>;

const bytes = new Uint8Array([137, 80, 78, 71]);

test.each<[string, ResourceOutput, object[]]>([
  ['text', 'words', [{ uri: 'a://1', mimeType: 'text/x', text: 'words' }]],
  ['empty text', '', [{ uri: 'a://1', mimeType: 'text/x', text: '' }]],
  ['[RES-24] bytes', bytes, [{ uri: 'a://1', mimeType: 'text/x', blob: 'iVBORw==' }]],
  [
    'an item',
    { text: 'x', mimeType: 'text/y', _meta: { 'com.example/x': 1 } },
    [{ uri: 'a://1', mimeType: 'text/y', text: 'x', _meta: { 'com.example/x': 1 } }],
  ],
  ['an item of bytes', { blob: bytes }, [{ uri: 'a://1', mimeType: 'text/x', blob: 'iVBORw==' }]],
  ['an item in Base64', { blob: 'AA==', uri: 'a://1/x' }, [{ uri: 'a://1/x', mimeType: 'text/x', blob: 'AA==' }]],
  [
    '[RES-08] items',
    [
      { text: 'x', uri: 'a://1/x' },
      { text: 'y', uri: 'a://1/y' },
    ],
    [
      { uri: 'a://1/x', mimeType: 'text/x', text: 'x' },
      { uri: 'a://1/y', mimeType: 'text/x', text: 'y' },
    ],
  ],
  ['a full result', { contents: [{ uri: 'a://2', text: 'x' }] }, [{ uri: 'a://2', mimeType: 'text/x', text: 'x' }]],
])('[RES-07] %s', async (_, output, contents) => {
  const server = quietServer();
  server.resource('a://1', { name: '1', mimeType: 'text/x' }, () => output);
  expect(await read(server, 'a://1')).toMatchObject({
    resultType: 'complete',
    contents,
    ttlMs: 0,
    cacheScope: 'private',
    _meta: expect.anything(),
  });
});

test('without a type of its own none is made up', async () => {
  const server = quietServer();
  server.resource('a://1', { name: '1' }, () => 'x');
  expect((await read(server, 'a://1')).contents).toEqual([{ uri: 'a://1', text: 'x' }]);
});

test('[CACHE-01] hints of the resource, and of the very content', async () => {
  const server = quietServer();
  server.resource('a://1', { name: '1', cache: { ttlMs: 5, scope: 'public' } }, () => 'x');
  server.resource('a://2', { name: '2', cache: { ttlMs: 5 } }, () => ({
    contents: [{ text: 'x' }],
    ttlMs: 7,
    cacheScope: 'public',
  }));
  expect(await read(server, 'a://1')).toMatchObject({ ttlMs: 5, cacheScope: 'public' });
  expect(await read(server, 'a://2')).toMatchObject({ ttlMs: 7, cacheScope: 'public' });
  expect(() => server.resource('a://3', { name: '3', cache: { ttlMs: -1 } }, () => 'x')).toThrow('ttlMs');
  expect(() => server.resource('a://3', { name: '3', cache: { scope: 'shared' as 'public' } }, () => 'x')).toThrow(
    'scope',
  );
});

test.each(['skill://x/setup%20guide.md', 'skill://x/café.md', 'FILE:///A/../b', 'a:', 'x:__proto__'])(
  '[B01] %s is read by its very text',
  async (uri) => {
    const server = quietServer();
    server.resource(uri, { name: 'n' }, (own) => own);
    const { resources } = await server.exchange(requestOf('resources/list'), recordingIO());
    expect((resources as Resource[])[0]?.uri).toBe(uri);
    expect((await read(server, uri)).contents).toEqual([{ uri, text: uri }]);
    await expect(read(server, `${uri}/`)).rejects.toHaveProperty('code', -32602);
  },
);

test('[RES-13] a URI without a scheme, and a resource without a name, are refused', () => {
  const server = quietServer();
  for (const uri of ['plain', '/path', '1a:x', '__proto__']) {
    expect(() => server.resource(uri, { name: 'n' }, () => 'x')).toThrow(JSON.stringify(uri));
  }
  // @ts-expect-error a resource has a name
  expect(() => server.resource('a://1', {}, () => 'x')).toThrow('needs a name');
  // @ts-expect-error a template has a name
  expect(() => server.resourceTemplate('a://{x}', {}, () => 'x')).toThrow('needs a name');
  expect(server.capabilities).not.toHaveProperty('resources');
});

describe('[RES-14] [RES-15] [T088] what is not there', () => {
  test.each(['a://2', 'a://%zz', ''])('%j', async (uri) => {
    const server = quietServer();
    server.resource('a://1', { name: '1' }, () => 'x');
    server.resourceTemplate('a://{x}/y', { name: 'y' }, () => 'x');
    await expect(read(server, uri)).rejects.toMatchObject({ code: -32602, data: { uri } });
  });

  test.each([null, undefined])('a handler that returns %s says so', async (nothing) => {
    const server = quietServer();
    server.resourceTemplate('a://{x}', { name: 'x' }, () => nothing);
    await expect(read(server, 'a://1')).rejects.toMatchObject({
      code: -32602,
      message: 'Unknown resource: a://1',
      data: { uri: 'a://1' },
    });
    expect(server.errors).toEqual([]);
  });
});

test('[RES-17] what a handler throws is internal', async () => {
  const server = quietServer();
  server.resource('a://1', { name: '1' }, () => Promise.reject(new Error('secret')));
  await expect(read(server, 'a://1')).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
  expect(server.errors).toHaveLength(1);
});

test.each([7, {}, [7], { blob: 7 }, true])(
  'what is no content, such as %j, is the fault of the server',
  async (output) => {
    const server = quietServer();
    server.resource('a://1', { name: '1' }, () => output as unknown as ResourceOutput);
    await expect(read(server, 'a://1')).rejects.toMatchObject({ code: -32603 });
    expect(String(server.errors[0])).toContain('Resource "a://1" returned');
  },
);

describe('[RES-06] templates', () => {
  test('match, decode and are typed', async () => {
    const server = quietServer();
    server.resourceTemplate(
      'test://template/{id}/data{?page}',
      { name: 't', mimeType: 'application/json' },
      (uri, variables) => {
        expectTypeOf(variables.id).toEqualTypeOf<string>();
        expectTypeOf(variables.page).toEqualTypeOf<string | undefined>();
        return JSON.stringify({ uri, ...variables });
      },
    );
    expect((await read(server, 'test://template/1%20a/data')).contents[0]).toEqual({
      uri: 'test://template/1%20a/data',
      mimeType: 'application/json',
      text: '{"uri":"test://template/1%20a/data","id":"1 a"}',
    });
  });

  test('a resource of its own comes first, then templates in order; a hidden one is passed over', async () => {
    const server = quietServer();
    const first = server.resourceTemplate('a://{x}', { name: 'x' }, () => 'first');
    server.resourceTemplate('a://{+y}', { name: 'y' }, () => 'second');
    server.resource('a://own', { name: 'own' }, () => 'own');
    const text = async (uri: string) => ((await read(server, uri)).contents[0] as TextResourceContents).text;
    expect([await text('a://own'), await text('a://b'), await text('a://b/c')]).toEqual(['own', 'first', 'second']);
    first.disable();
    expect(await text('a://b')).toBe('second');
  });

  test('are listed', async () => {
    const server = quietServer();
    server.resourceTemplate(
      'a://{x}',
      {
        name: 'x',
        title: 'X',
        description: 'd',
        mimeType: 'text/x',
        annotations: { priority: 1 },
        icons: [],
        meta: { 'com.example/x': 1 },
      },
      () => 'x',
    );
    const { resourceTemplates } = await server.exchange(requestOf('resources/templates/list'), recordingIO());
    expect(resourceTemplates as ResourceTemplate[]).toEqual([
      {
        uriTemplate: 'a://{x}',
        name: 'x',
        title: 'X',
        description: 'd',
        mimeType: 'text/x',
        annotations: { priority: 1 },
        icons: [],
        _meta: { 'com.example/x': 1 },
      },
    ]);
    expect(server.capabilities.resources).toEqual({ listChanged: true, subscribe: true });
  });

  test('that cannot be used are refused', () => {
    const server = quietServer();
    expect(() => server.resourceTemplate('a://{', { name: 'x' }, () => 'x')).toThrow('a://{');
    expect(() => server.resourceTemplate('a://{x}', { name: 'x', complete: { y: [] } }, () => 'x')).toThrow(
      'completes "y"',
    );
    server.resourceTemplate('a://{x}', { name: 'x' }, () => 'x');
    expect(() => server.resourceTemplate('a://{x}', { name: 'x' }, () => 'x')).toThrow('registered already');
  });
});

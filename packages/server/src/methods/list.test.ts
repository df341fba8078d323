import type { Resource, Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { quietServer, recordingIO, requestOf } from '../testing.ts';

type TestServer = ReturnType<typeof quietServer>;

const list = (server: TestServer, method: string, cursor?: string) =>
  server.exchange(requestOf(method, cursor === undefined ? {} : { cursor }), recordingIO());

async function walk(server: TestServer, method: string, member: string): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page: Result = await list(server, method, cursor);
    pages.push((page[member] as { name: string }[]).map(({ name }) => name));
    cursor = page.nextCursor as string | undefined;
  } while (cursor !== undefined && pages.length < 20);
  return pages;
}

describe('[PAGE-01] every list has pages', () => {
  const server = quietServer({ pageSize: 2, cache: { tools: { ttlMs: 9, scope: 'public' } } });
  for (const name of ['a', 'b', 'c']) {
    server.tool(name, {}, () => 'x');
    server.prompt(name, {}, () => 'x');
    server.resource(`x://${name}`, { name }, () => 'x');
    server.resourceTemplate(`y://${name}/{z}`, { name }, () => 'x');
  }

  test.each([
    ['tools/list', 'tools'],
    ['prompts/list', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  ])('%s', async (method, member) => {
    expect(await walk(server, method, member)).toEqual([['a', 'b'], ['c']]);
    await expect(list(server, method, 'nowhere')).rejects.toMatchObject({ code: -32602, data: { cursor: 'nowhere' } });
    await expect(list(server, method, '')).rejects.toHaveProperty('code', -32602);
  });

  test('[CACHE-20] [T072] with the hints of its list on each', async () => {
    const first = await list(server, 'tools/list');
    const second = await list(server, 'tools/list', first.nextCursor as string);
    for (const page of [first, second])
      expect(page).toMatchObject({ resultType: 'complete', ttlMs: 9, cacheScope: 'public' });
    expect(await list(server, 'prompts/list')).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  test('[T037] is never input_required', async () => {
    expect((await list(server, 'tools/list')).resultType).toBe('complete');
  });
});

describe('resources that templates list', () => {
  const row = (name: string): Resource => ({ uri: `t://${name}`, name });

  function dynamic(pageSize: number, fixed: string[], ...lists: string[][]) {
    const server = quietServer({ pageSize });
    let asked = 0;
    for (const name of fixed) server.resource(`x://${name}`, { name }, () => 'x');
    for (const [at, names] of lists.entries()) {
      server.resourceTemplate(
        `t${at}://{x}`,
        {
          name: String(at),
          list: () => {
            asked++;
            return names.map(row);
          },
        },
        () => 'x',
      );
    }
    return { server, asked: () => asked };
  }

  test.each([
    [10, ['a'], [['b', 'c'], ['d']], [['a', 'b', 'c', 'd']]],
    [
      2,
      ['a'],
      [['b', 'c'], ['d']],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [1, ['a', 'b'], [['c'], [], ['d']], [['a'], ['b'], ['c'], ['d']]],
    [2, ['a', 'b'], [[]], [['a', 'b'], []]],
    [2, [], [['a', 'b', 'c']], [['a', 'b'], ['c']]],
    [3, [], [['a', 'b', 'c']], [['a', 'b', 'c']]],
  ])('stand behind those of their own, in pages of %i', async (size, fixed, lists, pages) => {
    const { server } = dynamic(size, fixed, ...lists);
    expect(await walk(server, 'resources/list', 'resources')).toEqual(pages);
  });

  test('are asked for only where the page may hold them', async () => {
    const { server, asked } = dynamic(2, ['a', 'b', 'c'], ['d']);
    await list(server, 'resources/list');
    expect(asked()).toBe(0);
  });

  test('[PAGE-07] removing what was listed shifts nothing', async () => {
    const { server } = dynamic(2, [], ['d', 'e', 'f']);
    const gone = server.resource('x://a', { name: 'a' }, () => 'x');
    const { nextCursor } = await list(server, 'resources/list');
    gone.remove();
    expect((await list(server, 'resources/list', nextCursor as string)).resources).toEqual([row('e'), row('f')]);
  });

  test.each(['1.', '9.0', '1.0.0', '0.0', '1.x y', 'zz', '.0'])('[PAGE-08] %j was never given out', async (cursor) => {
    const { server } = dynamic(2, [], ['a', 'b', 'c']);
    await expect(list(server, 'resources/list', cursor)).rejects.toHaveProperty('code', -32602);
  });

  test('one that is registered too is listed once', async () => {
    const { server } = dynamic(10, [], ['a', 'b']);
    server.resource('t://a', { name: 'own' }, () => 'x');
    expect(await walk(server, 'resources/list', 'resources')).toEqual([['own', 'b']]);
  });

  test('[D06] one bad template or row hides nothing else', async () => {
    const server = quietServer();
    server.resource('x://a', { name: 'a' }, () => 'x');
    server.resourceTemplate('b://{x}', { name: 'b', list: () => Promise.reject(new Error('down')) }, () => 'x');
    server.resourceTemplate(
      'c://{x}',
      { name: 'c', list: () => [null, { uri: 'c://1' }, row('c')] as Resource[] },
      () => 'x',
    );
    expect(await walk(server, 'resources/list', 'resources')).toEqual([['a', 'c']]);
    expect(server.errors).toHaveLength(3);
  });

  test('[STATE-07] may depend on who asks', async () => {
    const server = quietServer();
    server.resourceTemplate('a://{x}', { name: 'a', list: (ctx) => [row(ctx.auth?.principal ?? 'nobody')] }, () => 'x');
    const { resources } = await server.exchange(requestOf('resources/list'), recordingIO({ principal: 'alice' }));
    expect(resources).toEqual([row('alice')]);
  });
});

import { McpError, type Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../test/support/manual-clock.ts';
import { ScriptedWire } from '../test/support/scripted-wire.ts';
import { Client } from './client.ts';
import type { Warning } from './events.ts';
import type { ClientOptions } from './options.ts';

type Pages = (cursor: unknown) => { names: string[]; next?: unknown; ttlMs?: number };

function setUp(pages: Pages, options?: ClientOptions) {
  const warnings: Warning[] = [];
  const wire = new ScriptedWire(({ params }): Result => {
    const { names, next, ttlMs } = pages(params.cursor);
    return {
      resultType: 'complete',
      prompts: names.map((name) => ({ name })),
      ...(next === undefined ? undefined : { nextCursor: next }),
      ...(ttlMs === undefined ? undefined : { ttlMs, cacheScope: 'public' }),
    };
  });
  const client = new Client(wire, { era: 'modern', onWarning: (warning) => warnings.push(warning), ...options });
  const all = async () => (await client.listAllPrompts()).map(({ name }) => name);
  const cursors = () => wire.seen.map(({ params }) => ('cursor' in params ? params.cursor : 'none'));
  return { wire, client, warnings, all, cursors };
}

const stale = new McpError(-32602, 'Invalid cursor');

test('[PAGE-01][PAGE-03][PAGE-10] a list is walked by its cursors, as they came', async () => {
  const odd = ' a/ü=\n"';
  const { all, cursors, warnings } = setUp((cursor) =>
    cursor === undefined ? { names: ['a', 'b'], next: odd } : { names: ['c'] },
  );
  expect(await all()).toEqual(['a', 'b', 'c']);
  expect(cursors()).toEqual(['none', odd]);
  expect(warnings).toEqual([]);
});

test('[P01][PAGE-05][T067] (a) an empty string is a cursor like any other', async () => {
  const { all, cursors } = setUp((cursor) => (cursor === '' ? { names: ['b'] } : { names: ['a'], next: '' }));
  expect(await all()).toEqual(['a', 'b']);
  expect(cursors()).toEqual(['none', '']);
});

test('[P01][PAGE-09] (b) a cursor that comes twice ends the walk with a warning, each name once', async () => {
  const { all, cursors, warnings } = setUp(() => ({ names: ['a', 'b'], next: '' }));
  expect(await all()).toEqual(['a', 'b']);
  expect(cursors()).toEqual(['none', '']);
  expect(warnings.map(({ kind }) => kind)).toEqual(['duplicate-item', 'pages']);
  expect(warnings[1]?.message).toContain('came twice');
});

test('[P01][PAGE-04] (c) null ends the walk', async () => {
  const { all, warnings } = setUp(() => ({ names: ['a'], next: null }));
  expect(await all()).toEqual(['a']);
  expect(warnings).toEqual([]);
});

test.each([0, {}, true])('[P01] (d) a cursor that is %j ends the walk with a warning', async (next) => {
  const { all, warnings } = setUp(() => ({ names: ['a'], next }));
  expect(await all()).toEqual(['a']);
  expect(warnings).toMatchObject([{ kind: 'pages', message: expect.stringContaining('not a string') }]);
});

test('[P01][PAGE-09] pages without end stop at the limit with a warning', async () => {
  let at = 0;
  const { all, wire, warnings } = setUp(() => ({ names: [`n${at}`], next: String(at++) }), { limits: { pages: 7 } });
  expect(await all()).toHaveLength(7);
  expect(wire.methods).toHaveLength(7);
  expect(warnings).toMatchObject([{ kind: 'pages', message: expect.stringContaining('more than 7 pages') }]);
});

test('the limit is 1,000 pages where nobody names one', async () => {
  let at = 0;
  const { all } = setUp(() => ({ names: [`n${at}`], next: String(at++) }));
  expect(await all()).toHaveLength(1_000);
});

test('[P01] a name that comes twice is kept once, with one warning for all', async () => {
  const { all, warnings } = setUp((cursor) =>
    cursor === undefined ? { names: ['a', 'b', 'a'], next: '2' } : { names: ['b', 'c'] },
  );
  expect(await all()).toEqual(['a', 'b', 'c']);
  expect(warnings).toMatchObject([{ kind: 'duplicate-item', details: { name: 'a' } }]);
});

test('[PAGE-02] pages may be of any size, and of none', async () => {
  const sizes = [3, 0, 1, 100, 0, 2];
  const { all, wire, warnings } = setUp((cursor) => {
    const at = Number(cursor ?? 0);
    const names = Array.from({ length: sizes[at] as number }, (_, n) => `${at}.${n}`);
    return at + 1 < sizes.length ? { names, next: String(at + 1) } : { names };
  });
  expect(await all()).toHaveLength(106);
  expect(wire.methods).toHaveLength(sizes.length);
  expect(warnings).toEqual([]);
});

test('one page is one request, and its cursor comes back untouched', async () => {
  const { client, wire } = setUp(() => ({ names: ['a'], next: '' }));
  expect(await client.listPrompts({ cursor: 'x' })).toMatchObject({ prompts: [{ name: 'a' }], nextCursor: '' });
  expect(wire.seen[0]?.params).toEqual({ cursor: 'x' });
  await expect(client.listPrompts({ cursor: 7 as never })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test('one by one, the next page is asked for when it is needed', async () => {
  const { client, wire } = setUp((cursor) =>
    cursor === undefined ? { names: ['a', 'b'], next: '2' } : { names: ['c'] },
  );
  const seen: string[] = [];
  for await (const { name } of client.prompts()) {
    seen.push(name);
    if (name === 'b') break;
  }
  expect(seen).toEqual(['a', 'b']);
  expect(wire.methods).toHaveLength(1);
});

test('every list has its three ways', async () => {
  const items: { [method: string]: Result } = {
    'tools/list': { resultType: 'complete', tools: [{ name: 't', inputSchema: { type: 'object' } }] },
    'resources/list': { resultType: 'complete', resources: [{ name: 'r', uri: 'a:b' }] },
    'resources/templates/list': { resultType: 'complete', resourceTemplates: [{ name: 'e', uriTemplate: 'a:{b}' }] },
    'prompts/list': { resultType: 'complete', prompts: [{ name: 'p' }] },
  };
  const client = new Client(new ScriptedWire(({ method }) => items[method] as Result), { era: 'modern' });
  const collect = async (list: AsyncIterable<{ name: string }>) => {
    const names: string[] = [];
    for await (const { name } of list) names.push(name);
    return names;
  };
  expect(await collect(client.tools())).toEqual(['t']);
  expect(await collect(client.resources())).toEqual(['r']);
  expect(await collect(client.resourceTemplates())).toEqual(['e']);
  expect(await collect(client.prompts())).toEqual(['p']);
  expect((await client.listAllTools())[0]?.name).toBe('t');
  expect((await client.listAllResources())[0]?.name).toBe('r');
  expect((await client.listAllResourceTemplates())[0]?.name).toBe('e');
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
});

describe('[CACHE-23] a cursor that the server does not know any more', () => {
  test('begins the walk again and gives nothing out twice', async () => {
    let rejected = false;
    const { client, cursors, warnings } = setUp((cursor) => {
      if (cursor === undefined) return { names: rejected ? ['new', 'a'] : ['a', 'b'], next: rejected ? '3' : '2' };
      if (cursor === '2') {
        rejected = true;
        throw stale;
      }
      return { names: ['c'] };
    });
    const names: string[] = [];
    for await (const { name } of client.prompts()) names.push(name);
    expect(names).toEqual(['a', 'b', 'new', 'c']);
    expect(cursors()).toEqual(['none', '2', 'none', '3']);
    expect(warnings).toEqual([]);
  });

  test('twice is an error', async () => {
    const { all, wire } = setUp((cursor) => {
      if (cursor !== undefined) throw stale;
      return { names: ['a'], next: '2' };
    });
    await expect(all()).rejects.toBe(stale);
    expect(wire.methods).toHaveLength(4);
  });

  test('drops every page that was kept, and from a snapshot those that were read', async () => {
    let version = 1;
    const { all } = setUp((cursor) => {
      if (cursor === undefined) return { names: [`v${version}`], next: '2', ttlMs: 1e6 };
      if (version === 1) {
        version = 2;
        throw stale;
      }
      return { names: ['end'], ttlMs: 1e6 };
    });
    expect(await all()).toEqual(['v2', 'end']);
    expect(await all()).toEqual(['v2', 'end']);
  });

  test.each([new McpError(-32603, 'broken'), new Error('other')])('another error is just that', async (error) => {
    const { all, wire } = setUp((cursor) => {
      if (cursor !== undefined) throw error;
      return { names: ['a'], next: '2' };
    });
    await expect(all()).rejects.toBe(error);
    expect(wire.methods).toHaveLength(2);
  });

  test('on the first page there is no cursor to blame', async () => {
    const { all, wire } = setUp(() => {
      throw stale;
    });
    await expect(all()).rejects.toBe(stale);
    expect(wire.methods).toHaveLength(1);
  });
});

test('[CACHE-21][CACHE-22] a snapshot is never part kept and part new', async () => {
  const clock = new ManualClock();
  let version = 1;
  const { all, client, cursors } = setUp(
    (cursor) =>
      cursor === undefined
        ? { names: [`a${version}`], next: '2', ttlMs: 1_000 }
        : { names: [`b${version}`], ttlMs: 10 },
    { clock },
  );
  expect(await all()).toEqual(['a1', 'b1']);
  expect(await all()).toEqual(['a1', 'b1']);
  expect(cursors()).toHaveLength(2);
  version = 2;
  await clock.advance(100);
  expect(await all()).toEqual(['a2', 'b2']);
  expect(cursors()).toEqual(['none', '2', '2', 'none', '2']);
  version = 3;
  await clock.advance(100);
  const names: string[] = [];
  for await (const { name } of client.prompts()) names.push(name);
  expect(names).toEqual(['a2', 'b3']);
});

test('[P01] a cursor that is nested without end ends the walk like any other that is no string', async () => {
  const next: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  const { all, warnings } = setUp(() => ({ names: ['a'], next }));
  expect(await all()).toEqual(['a']);
  expect(warnings.map(({ kind }) => kind)).toEqual(['pages']);
});

import { resultText } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { type Listed, Listing, type PageFormat } from './listing.ts';

const format: PageFormat = { member: 'tools', size: 3, ttlMs: 5, scope: 'public', meta: { 'com.example/x': 1 } };

function listingOf(...names: string[]): Listing<Listed> {
  const listing = new Listing<Listed>(format);
  for (const name of names) add(listing, name);
  return listing;
}

const add = (listing: Listing<Listed>, name: string) =>
  listing.set({ key: name, place: listing.nextPlace(), enabled: true, row: { name } });

const names = (listing: Listing<Listed>, cursor?: string) =>
  (listing.page(cursor)?.tools as { name: string }[] | undefined)?.map(({ name }) => name);

function walk(listing: Listing<Listed>): string[][] {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    pages.push(names(listing, cursor) ?? []);
    cursor = listing.page(cursor)?.nextCursor as string | undefined;
  } while (cursor !== undefined);
  return pages;
}

describe('pages', () => {
  test('[TOOL-05] in the order of registration', () => {
    expect(walk(listingOf('z', 'a', '__proto__', 'constructor', 'b'))).toEqual([
      ['z', 'a', '__proto__'],
      ['constructor', 'b'],
    ]);
  });

  test('[CACHE-01] [CACHE-20] each with the same hints, resultType and _meta', () => {
    const listing = listingOf('a', 'b', 'c', 'd');
    const first = listing.page(undefined);
    const second = listing.page(first?.nextCursor as string);
    expect(first).toMatchObject({
      resultType: 'complete',
      ttlMs: 5,
      cacheScope: 'public',
      _meta: { 'com.example/x': 1 },
    });
    expect(second).toEqual({
      resultType: 'complete',
      tools: [{ name: 'd' }],
      ttlMs: 5,
      cacheScope: 'public',
      _meta: { 'com.example/x': 1 },
    });
  });

  test('a last page that is just full has no successor', () => {
    expect(walk(listingOf('a', 'b', 'c'))).toEqual([['a', 'b', 'c']]);
    expect(walk(listingOf())).toEqual([[]]);
  });

  test('null is no cursor', () => {
    expect(listingOf('a').page(null)).toHaveProperty('tools', [{ name: 'a' }]);
  });

  test('made and serialised once per state of the list', () => {
    const listing = listingOf('a', 'b', 'c', 'd');
    const first = listing.page(undefined);
    const cursor = first?.nextCursor as string;
    expect(listing.page(undefined)).toBe(first);
    expect(listing.page(cursor)).toBe(listing.page(cursor));
    expect(Object.isFrozen(first)).toBe(true);
    expect(resultText(first ?? {})).toBe(JSON.stringify(first));
    add(listing, 'e');
    expect(listing.page(undefined)).not.toBe(first);
  });
});

describe('[PAGE-07] cursors stay good', () => {
  test('whatever is removed before, at or behind them', () => {
    for (const removed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const listing = listingOf('a', 'b', 'c', 'd', 'e', 'f');
      const cursor = listing.page(undefined)?.nextCursor as string;
      listing.delete(removed);
      expect(names(listing, cursor)).toEqual(['d', 'e', 'f'].filter((name) => name !== removed));
    }
  });

  test('on every page that follows, whatever was removed from those before', () => {
    const listing = listingOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    listing.delete('a');
    const second = listing.page(undefined)?.nextCursor as string;
    expect(names(listing, second)).toEqual(['e', 'f', 'g']);
    listing.delete('b');
    const third = listing.page(second)?.nextCursor as string;
    listing.delete('c');
    listing.delete('e');
    expect(names(listing, third)).toEqual(['h']);
  });

  test('when everything behind them is gone', () => {
    const listing = listingOf('a', 'b', 'c', 'd');
    const cursor = listing.page(undefined)?.nextCursor as string;
    listing.delete('d');
    expect(listing.page(cursor)).toMatchObject({ tools: [] });
    expect(listing.page(cursor)).not.toHaveProperty('nextCursor');
  });

  test('pages from a place that is on no way from the first are not kept', () => {
    const listing = listingOf('a', 'b', 'c', 'd');
    expect(names(listing, '1')).toEqual(['b', 'c', 'd']);
    expect(listing.page('1')).not.toBe(listing.page('1'));
  });

  test('what is disabled keeps its place', () => {
    const listing = listingOf('a', 'b', 'c');
    listing.set({ key: 'b', place: 2, enabled: false, row: { name: 'b' } });
    expect(walk(listing)).toEqual([['a', 'c']]);
    expect(listing.get('b')).toBeUndefined();
    expect(listing.has('b')).toBe(true);
    listing.set({ key: 'b', place: 2, enabled: true, row: { name: 'b' } });
    expect(walk(listing)).toEqual([['a', 'b', 'c']]);
  });
});

test.each(['', '0', '4', 'zz', '-1', '01', '1.5', ' 1', 'A', 'constructor', '1'.repeat(50)])(
  '[PAGE-08] %j was never given out',
  (cursor) => {
    expect(listingOf('a', 'b', 'c').page(cursor)).toBeUndefined();
  },
);

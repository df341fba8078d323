import type { Result } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Listed, Listing } from './listing.ts';

/** What may happen between two pages. */
const change = fc.oneof(
  fc.record({ what: fc.constant('add' as const), key: fc.nat(40) }),
  fc.record({ what: fc.constant('delete' as const), key: fc.nat(40) }),
  fc.record({ what: fc.constant('toggle' as const), key: fc.nat(40) }),
);

test('[PAGE-07] a walk meets whatever stays once, and nothing twice, whatever is changed meanwhile', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 20 }),
      (size, changes) => {
        const listing = new Listing<Listed>({ member: 'tools', size, ttlMs: 0, scope: 'private', meta: undefined });
        const entries = new Map<string, Listed>();
        const put = (key: string, enabled: boolean): void => {
          const place = entries.get(key)?.place ?? listing.nextPlace();
          const entry = { key, place, enabled, row: { name: key } };
          entries.set(key, entry);
          listing.set(entry);
        };
        const apply = (batch: readonly { what: string; key: number }[]): void => {
          for (const { what, key: number } of batch) {
            const key = `t${number}`;
            const known = entries.get(key);
            if (what === 'delete') {
              entries.delete(key);
              listing.delete(key);
            } else if (known === undefined) put(key, true);
            else if (what === 'toggle') put(key, !known.enabled);
          }
        };
        for (let number = 0; number < 30; number++) put(`t${number}`, number % 7 > 0);
        const begun = new Map(listing.visible().map((entry) => [entry.key, entry]));
        const stayed = new Set(begun.keys());
        const met: string[] = [];
        let cursor: string | undefined;
        for (let page = 0; ; page++) {
          // Cursors that were given stay good.
          const result = listing.page(cursor) as Result;
          met.push(...(result.tools as { name: string }[]).map(({ name }) => name));
          cursor = result.nextCursor as string | undefined;
          if (cursor === undefined) break;
          apply(changes[page % changes.length] ?? []);
          for (const key of stayed) if (listing.get(key)?.place !== begun.get(key)?.place) stayed.delete(key);
        }
        // What was removed and added again is another one, in another place.
        const places = met.filter((key) => stayed.has(key));
        expect(new Set(places)).toEqual(stayed);
        expect(places).toHaveLength(stayed.size);
      },
    ),
  );
});

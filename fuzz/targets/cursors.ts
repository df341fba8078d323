import { indexAfter, type Listed, Listing, writeCursor } from '../../packages/server/src/registry/listing.ts';
import { holds, same, type Target, textOf } from '../target.ts';

interface Row extends Listed {
  readonly row: { readonly name: string };
}

function listing(): Listing<Row> {
  const made = new Listing<Row>({ member: 'tools', size: 7, ttlMs: 0, scope: 'private', meta: undefined });
  for (let number = 0; number < 100; number++) {
    made.set({ key: `t${number}`, place: made.nextPlace(), enabled: number % 10 !== 3, row: { name: `t${number}` } });
  }
  // What was removed leaves gaps between the places.
  for (let number = 20; number < 40; number++) made.delete(`t${number}`);
  return made;
}

const tools = listing();

/** Cursors that a client made up. */
export const target: Target = {
  name: 'cursors',
  seeds: ['7', '1', 'z', '2s', '0', '', '07', '7 ', 'Z', '-1', '1e1', '9999999999', 'ffffffffffffffff'],
  words: ['0', 'z', '2s', '36'],
  run(input) {
    const cursor = textOf(input);
    const place = tools.readCursor(cursor);
    const page = tools.page(cursor);
    same('whether there is a page', page === undefined, place === undefined);
    if (place === undefined || page === undefined) return;
    same('one place has one spelling', writeCursor(place), cursor);
    const expected = tools.visible().slice(indexAfter(tools.visible(), place)).slice(0, 7);
    same(
      'the page',
      page.tools,
      expected.map(({ row }) => row),
    );
    holds(
      page.nextCursor === undefined || tools.readCursor(page.nextCursor as string) !== undefined,
      'a cursor of its own',
    );
  },
};

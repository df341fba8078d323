import { show } from '@dragoman/protocol';
import type { Warning } from './events.ts';

/** A page of a list, and where to go on. */
export interface Page<T> {
  readonly items: readonly T[];
  /** As the server sent it. */
  readonly nextCursor: unknown;
  /** Whether it was kept from an earlier call. */
  readonly kept: boolean;
}

/** How a list is walked. */
export interface Walk<T> {
  /** The list's method, for messages. */
  readonly method: string;
  /** Pages at most. */
  readonly maxPages: number;
  /** What no two items share. */
  readonly key: (item: T) => string;
  /** Gets a page; `afresh` where nothing kept will do. */
  readonly page: (cursor: string | undefined, afresh: boolean) => Promise<Page<T>>;
  /** Whether an error says that the cursor is not known any more. */
  readonly isStale: (cursor: string, reason: unknown) => boolean;
  readonly warn: (warning: Warning) => void;
}

/**
 * The items of a list, page after page, each name once (server/utilities/pagination). Cursors go back as they came, the
 * empty string too; only an absent or null one ends the list. A cursor that comes twice, one that is no string, and too
 * many pages end the walk with a warning, so that no server can keep a client walking for ever.
 *
 * Where the server does not know a cursor any more, the walk begins again and passes over what was given out already; for
 * whoever gives an `onRestart`, and can take back what he has, from nothing.
 */
export async function* walk<T>(list: Walk<T>, onRestart?: () => void): AsyncGenerator<T, void, undefined> {
  const names = new Set<string>();
  let twice = false;
  let restarted = false;
  let pages = 0;
  let cursor: string | undefined;
  let cursors = new Set<string>();
  const stop = (message: string): void =>
    list.warn({ kind: 'pages', message: `${list.method}: ${message}; the list ends here with ${names.size} items` });

  for (;;) {
    if (pages === list.maxPages) {
      stop(`more than ${list.maxPages} pages`);
      return;
    }
    pages += 1;
    let page: Page<T>;
    try {
      page = await list.page(cursor, restarted);
    } catch (reason) {
      if (restarted || cursor === undefined || !list.isStale(cursor, reason)) throw reason;
      restarted = true;
      cursor = undefined;
      cursors = new Set();
      if (onRestart !== undefined) {
        names.clear();
        onRestart();
      }
      continue;
    }
    for (const item of page.items) {
      const name = list.key(item);
      if (!names.has(name)) {
        names.add(name);
        yield item;
      } else if (!restarted && !twice) {
        // One warning tells of a server's habit; a thousand tell no more.
        twice = true;
        list.warn({
          kind: 'duplicate-item',
          message: `${list.method} lists ${show(name)} more than once; the first of each name was kept`,
          details: { name },
        });
      }
    }
    const next = page.nextCursor;
    if (next === undefined || next === null) return;
    if (typeof next !== 'string') {
      stop(`the next cursor is ${show(next)}, not a string`);
      return;
    }
    if (cursors.has(next)) {
      stop(`the cursor ${show(next)} came twice`);
      return;
    }
    cursors.add(next);
    cursor = next;
  }
}

/**
 * The whole list as of one moment, as far as a paged list has one: where some pages were kept and others had to be asked
 * for, it is asked for from the start (server/utilities/caching, "Pagination").
 */
export async function walkAll<T>(list: Walk<T>): Promise<T[]> {
  let kept = false;
  let asked = false;
  const collect = async (afresh: boolean): Promise<T[]> => {
    let items: T[] = [];
    const page: Walk<T>['page'] = async (cursor, again) => {
      const page = await list.page(cursor, afresh || again);
      if (page.kept) kept = true;
      else asked = true;
      return page;
    };
    const onRestart = (): void => {
      items = [];
      kept = false;
    };
    for await (const item of walk({ ...list, page }, onRestart)) items.push(item);
    return items;
  };
  const items = await collect(false);
  return kept && asked ? collect(true) : items;
}

import { type CacheScope, DragomanError, preserialized, type Result, type ResultMeta } from '@dragoman/protocol';

/** How long a result may be kept, and by whom (server/utilities/caching). */
export interface CacheHint {
  /** Milliseconds, a whole number. Default 0: stale at once. */
  readonly ttlMs?: number | undefined;
  /** `public`: anyone may share it. Default `private`. */
  readonly scope?: CacheScope | undefined;
}

/** @throws DragomanError `INVALID_ARGUMENT` */
export function checkCacheHint(what: string, hint: CacheHint | undefined): void {
  if (hint?.ttlMs !== undefined && !(Number.isSafeInteger(hint.ttlMs) && hint.ttlMs >= 0)) {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `${what}: cache.ttlMs must be a whole number of milliseconds, not ${hint.ttlMs}`,
    );
  }
  if (hint?.scope !== undefined && hint.scope !== 'public' && hint.scope !== 'private') {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `${what}: cache.scope must be "public" or "private", not ${JSON.stringify(hint.scope)}`,
    );
  }
}

/** What a listing holds: something with a name, and what clients see of it. */
export interface Listed {
  /** Its name, URI or URI template: unique in the listing. */
  readonly key: string;
  /** Its place; see {@link Listing.nextPlace}. */
  readonly place: number;
  /** Disabled entries are neither listed nor found. */
  readonly enabled: boolean;
  /** As it is listed. Frozen: lists are made of it for as long as it stands. */
  readonly row: object;
}

/** How the pages of a listing are made. */
export interface PageFormat {
  /** The member of the result that holds the rows. */
  readonly member: 'tools' | 'prompts' | 'resources' | 'resourceTemplates';
  /** Rows on a page at most. */
  readonly size: number;
  readonly ttlMs: number;
  readonly scope: CacheScope;
  /** `_meta` of every page. */
  readonly meta: ResultMeta | undefined;
}

/**
 * The tools, prompts, resources or resource templates of a server, in the order in which they were registered. Pages are
 * made and serialised once per state of the listing.
 *
 * A cursor names the place after which a page begins rather than a count of rows, so that what is removed meanwhile
 * shifts nothing (server/utilities/pagination, "Implementation Guidelines": stable cursors).
 */
export class Listing<E extends Listed> {
  readonly format: PageFormat;
  readonly #entries = new Map<string, E>();
  #lastPlace = 0;
  #used = false;
  #visible: readonly E[] | undefined;
  #first: Result | undefined;
  /** Pages that are reached from the first one, by cursor; undefined until asked for. */
  readonly #pages = new Map<string, Result | undefined>();

  constructor(format: PageFormat) {
    this.format = format;
  }

  /** Whether anything was ever registered: a feature that was offered stays offered. */
  get used(): boolean {
    return this.#used;
  }

  /** A place at the end. */
  nextPlace(): number {
    return ++this.#lastPlace;
  }

  /** Whether there is an entry of this name, enabled or not. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The enabled entry of a name. */
  get(key: string): E | undefined {
    const entry = this.#entries.get(key);
    return entry?.enabled === true ? entry : undefined;
  }

  /** The enabled entries, in order. */
  visible(): readonly E[] {
    this.#visible ??= [...this.#entries.values()].filter((entry) => entry.enabled);
    return this.#visible;
  }

  /** Adds an entry, or puts it in the place of the one of the same name. */
  set(entry: E): void {
    this.#entries.set(entry.key, entry);
    this.#used = true;
    this.#forget();
  }

  delete(key: string): void {
    this.#entries.delete(key);
    this.#forget();
  }

  #forget(): void {
    this.#visible = undefined;
    this.#first = undefined;
    this.#pages.clear();
  }

  /** A page; undefined for a cursor that this listing never gave out. */
  page(cursor: string | null | undefined): Result | undefined {
    if (cursor === undefined || cursor === null) {
      this.#first ??= this.#build(0);
      return this.#first;
    }
    const known = this.#pages.get(cursor);
    if (known !== undefined) return known;
    const after = this.readCursor(cursor);
    if (after === undefined) return undefined;
    // Only pages on the way from the first are kept: any place is a legal cursor, and there may be very many.
    if (!this.#pages.has(cursor)) return this.#assemble(after).result;
    const page = this.#build(after);
    this.#pages.set(cursor, page);
    return page;
  }

  #build(after: number): Result {
    const { result, next } = this.#assemble(after);
    if (next !== undefined) this.#pages.set(next, undefined);
    return preserialized(result);
  }

  #assemble(after: number): { result: Result; next: string | undefined } {
    const entries = this.visible();
    const { size } = this.format;
    const start = indexAfter(entries, after);
    const slice = entries.slice(start, start + size);
    const last = slice.at(-1);
    const next = last !== undefined && start + size < entries.length ? writeCursor(last.place) : undefined;
    return {
      result: this.result(
        slice.map((entry) => entry.row),
        next,
      ),
      next,
    };
  }

  /** A page made of given rows. */
  result(rows: readonly object[], nextCursor: string | undefined): Result {
    const { member, ttlMs, scope, meta } = this.format;
    const result: Result = { resultType: 'complete', [member]: rows, ttlMs, cacheScope: scope };
    if (nextCursor !== undefined) result.nextCursor = nextCursor;
    if (meta !== undefined) result._meta = meta;
    return result;
  }

  /** The place that a cursor names; undefined where it names none that was ever given. */
  readCursor(cursor: string): number | undefined {
    if (!/^[0-9a-z]{1,10}$/.test(cursor)) return undefined;
    const place = Number.parseInt(cursor, 36);
    return place > 0 && place <= this.#lastPlace && writeCursor(place) === cursor ? place : undefined;
  }
}

/** A cursor that names a place. */
export const writeCursor = (place: number): string => place.toString(36);

/** Index of the first entry whose place is greater. Places grow along the list. */
export function indexAfter(entries: readonly Listed[], place: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] as Listed).place <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

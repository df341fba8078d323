import type { CacheScope } from '@dragoman/protocol';

/** A kept result. Plain data, so that any store can hold it. */
export interface CacheEntry {
  /** The result as JSON. */
  readonly text: string;
  /** When it was received, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** For how long it is fresh from then on, in milliseconds. */
  readonly ttlMs: number;
  /** `public`: the same for everybody. `private`: kept for these credentials alone (server/utilities/caching). */
  readonly scope: CacheScope;
}

/**
 * Where results are kept. A store decides what it holds and for how long at most; whether an entry is still fresh is the
 * client's to judge. Any method may return its answer or a promise of it. One that throws costs a warning, not the call.
 */
export interface CacheStore {
  /** The entry of a key, fresh or not. */
  get(key: string): CacheEntry | undefined | Promise<CacheEntry | undefined>;
  /** Keeps an entry in place of the key's last one. */
  set(key: string, entry: CacheEntry): void | Promise<void>;
  /** Drops every entry whose key begins with the prefix; all of them where it is empty. */
  clear(prefix: string): void | Promise<void>;
}

/** What the cache had to do with an answer. */
export interface CacheInfo {
  /** `hit`: kept and fresh. `miss`: asked for, none was fresh. `refresh`, `bypass`: the caller said so, or the call may not be answered from a cache. */
  readonly status: 'hit' | 'miss' | 'refresh' | 'bypass';
  /** Since it was received, in milliseconds; 0 for what just came. */
  readonly ageMs: number;
  /** For how long the server lets it be kept, in milliseconds from its receipt. */
  readonly ttlMs: number;
  /** Whose it may be, as the server says: `public` or `private`. */
  readonly scope: CacheScope;
}

/** Bounds of a {@link MemoryCache}. */
export interface MemoryCacheLimits {
  /** Default 1,000. */
  readonly maxEntries?: number | undefined;
  /** Keys and texts together, counted as two bytes for each UTF-16 unit. Default 32 MiB. */
  readonly maxBytes?: number | undefined;
}

/** Keeps results in this process, bounded; what was used least recently goes first. */
export class MemoryCache implements CacheStore {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  #bytes = 0;

  /** Makes an empty one; `limits` says how much it keeps. */
  constructor(limits: MemoryCacheLimits = {}) {
    this.#maxEntries = limits.maxEntries ?? 1000;
    this.#maxBytes = limits.maxBytes ?? 32 * 1024 * 1024;
  }

  /** How many entries there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** The entry of a key, which then counts as the last one used. */
  get(key: string): CacheEntry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A Map iterates in the order of insertion, which is made the order of use.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  /** Keeps an entry; those that were not used for longest make room. */
  set(key: string, entry: CacheEntry): void {
    this.#drop(key);
    const bytes = weight(key, entry);
    if (bytes > this.#maxBytes || this.#maxEntries < 1) return;
    this.#entries.set(key, entry);
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes && this.#entries.size <= this.#maxEntries) break;
      this.#drop(oldest);
    }
  }

  clear(prefix: string): void {
    for (const key of [...this.#entries.keys()]) if (key.startsWith(prefix)) this.#drop(key);
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= weight(key, entry);
  }
}

const weight = (key: string, entry: CacheEntry): number => 2 * (key.length + entry.text.length);

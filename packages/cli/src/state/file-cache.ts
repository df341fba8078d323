import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CacheEntry, CacheStore } from '@dragoman/client';
import { isObject } from '../arguments/schema-document.ts';
import { readJsonFile, writeAtomic } from './atomic-file.ts';

/** Bounds of the cache on disk. */
const CACHE_FILES = 2000;
/** The largest response that is kept, in characters. */
const CACHE_ENTRY = 8 * 1024 * 1024;

/**
 * Keeps responses on disk for as long as their servers allow, one file each, readable by their owner alone. A key names
 * the server, the credentials and the request, so that no one else's private answer is ever found under it.
 */
export class FileCache implements CacheStore {
  readonly #directory: string;
  readonly #now: () => number;

  constructor(directory: string, now: () => number = Date.now) {
    this.#directory = join(directory, 'responses');
    this.#now = now;
  }

  get(key: string): CacheEntry | undefined {
    const file = readJsonFile(this.#pathOf(key));
    return isObject(file) && file.key === key && isEntry(file.entry) ? file.entry : undefined;
  }

  set(key: string, entry: CacheEntry): void {
    if (entry.ttlMs <= 0 || entry.text.length > CACHE_ENTRY) return;
    writeAtomic(this.#pathOf(key), JSON.stringify({ key, entry }));
    this.#prune();
  }

  clear(prefix: string): void {
    for (const name of this.#names()) {
      const path = join(this.#directory, name);
      const file = readJsonFile(path);
      if (!isObject(file) || typeof file.key !== 'string' || file.key.startsWith(prefix)) rmSync(path, { force: true });
    }
  }

  #pathOf(key: string): string {
    return join(this.#directory, `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.json`);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#directory).filter((name) => name.endsWith('.json'));
    } catch {
      return [];
    }
  }

  /** Drops what is oldest where there is too much, and now and then what is stale. */
  #prune(): void {
    const names = this.#names();
    if (names.length <= CACHE_FILES) return;
    const dated = names.map((name) => ({ name, at: modifiedAt(join(this.#directory, name)) ?? this.#now() }));
    dated.sort((a, b) => a.at - b.at);
    for (const { name } of dated.slice(0, names.length - Math.floor(CACHE_FILES * 0.9))) {
      rmSync(join(this.#directory, name), { force: true });
    }
  }
}

function modifiedAt(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is CacheEntry {
  return (
    isObject(value) &&
    typeof value.text === 'string' &&
    typeof value.receivedAt === 'number' &&
    typeof value.ttlMs === 'number' &&
    (value.scope === 'public' || value.scope === 'private')
  );
}

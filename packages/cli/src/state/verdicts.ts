import { join } from 'node:path';
import type { Verdict, VerdictStore } from '@dragoman/client';
import { isObject } from '../arguments/schema-document.ts';
import { readJsonFile, writeAtomic } from './atomic-file.ts';

/** How long a verdict holds, in milliseconds: a server may be put back to an older version. 7 days. */
export const VERDICT_LIFE = 7 * 24 * 60 * 60 * 1000;

/** How many servers are remembered; the oldest go first. */
const VERDICT_COUNT = 1000;

/**
 * Keeps on disk which servers are modern, so that a call to a server met before is one request. A file that cannot be
 * read is no verdict; one that cannot be written costs a warning.
 */
export class FileVerdicts implements VerdictStore {
  readonly #path: string;
  readonly #now: () => number;

  constructor(directory: string, now: () => number = Date.now) {
    this.#path = join(directory, 'verdicts.json');
    this.#now = now;
  }

  get(identity: string): Verdict | undefined {
    const verdict = this.#read().get(identity);
    return verdict !== undefined && this.#holds(verdict) ? verdict : undefined;
  }

  set(identity: string, verdict: Verdict): void {
    const known = this.#read();
    const before = known.get(identity);
    // A verdict that is still young says the same: nothing is written for every single call.
    if (before?.era === verdict.era && before.version === verdict.version && this.#age(before) < VERDICT_LIFE / 7)
      return;
    known.delete(identity);
    known.set(identity, verdict);
    this.#write(known);
  }

  delete(identity: string): void {
    const known = this.#read();
    if (known.delete(identity)) this.#write(known);
  }

  #read(): Map<string, Verdict> {
    const file = readJsonFile(this.#path);
    const known = new Map<string, Verdict>();
    if (!isObject(file) || !isObject(file.verdicts)) return known;
    for (const [identity, verdict] of Object.entries(file.verdicts))
      if (isVerdict(verdict)) known.set(identity, verdict);
    return known;
  }

  #write(known: Map<string, Verdict>): void {
    const kept = [...known].filter(([, verdict]) => this.#holds(verdict)).slice(-VERDICT_COUNT);
    writeAtomic(this.#path, `${JSON.stringify({ format: 1, verdicts: Object.fromEntries(kept) }, null, 1)}\n`);
  }

  #age(verdict: Verdict): number {
    return this.#now() - verdict.at;
  }

  /** A clock that was set back makes a verdict that lies in the future; it is not to hold for ever. */
  #holds(verdict: Verdict): boolean {
    const age = this.#age(verdict);
    return age >= -60_000 && age < VERDICT_LIFE;
  }
}

function isVerdict(value: unknown): value is Verdict {
  return (
    isObject(value) &&
    (value.era === 'modern' || value.era === 'legacy') &&
    typeof value.version === 'string' &&
    typeof value.at === 'number'
  );
}

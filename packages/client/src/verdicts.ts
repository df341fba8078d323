/** What is known of a server from an earlier meeting. Plain data. */
export interface Verdict {
  /** Whether it speaks a revision with metadata in every request, or one that opens with `initialize`. */
  readonly era: 'modern' | 'legacy';
  /** The version that was agreed on. */
  readonly version: string;
  /** When that was, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Where verdicts are kept, under the identity of the wire (basic/versioning, "Backward Compatibility": for the life of a
 * process over stdio, for an endpoint over HTTP, or longer). Any method may return its answer or a promise of it.
 */
export interface VerdictStore {
  /** What is known of the server of a wire's `identity`. */
  get(identity: string): Verdict | undefined | Promise<Verdict | undefined>;
  /** Keeps what was found out. */
  set(identity: string, verdict: Verdict): void | Promise<void>;
  /** Forgets a server, because it turned out to be another by now. */
  delete(identity: string): void | Promise<void>;
}

/** Keeps verdicts in this process, at most `maxEntries` (default 10,000); the oldest go first. */
export class MemoryVerdicts implements VerdictStore {
  readonly #verdicts = new Map<string, Verdict>();
  readonly #maxEntries: number;

  /** Makes an empty one, for so many servers; the oldest make room. */
  constructor(maxEntries = 10_000) {
    this.#maxEntries = maxEntries;
  }

  /** See {@link VerdictStore}. */
  get(identity: string): Verdict | undefined {
    return this.#verdicts.get(identity);
  }

  /** See {@link VerdictStore}. */
  set(identity: string, verdict: Verdict): void {
    this.#verdicts.delete(identity);
    this.#verdicts.set(identity, verdict);
    for (const oldest of this.#verdicts.keys()) {
      if (this.#verdicts.size <= this.#maxEntries) break;
      this.#verdicts.delete(oldest);
    }
  }

  /** See {@link VerdictStore}. */
  delete(identity: string): void {
    this.#verdicts.delete(identity);
  }
}

/** The verdicts of this process: what every client shares that is not given a store of its own. */
export const processVerdicts: VerdictStore = new MemoryVerdicts();

/** A question of the server, and what became of it. Never what was answered. */
export interface RoundView {
  /** The round, from 1. */
  readonly round: number;
  readonly questions: readonly {
    readonly key: string;
    /** `elicitation/create`, `sampling/createMessage`, `roots/list`. */
    readonly method: string;
    /** `form` or `url`, for elicitation. */
    readonly mode?: string;
    /** What was done: `accept`, `decline`, `cancel`; `answer` for what is not elicitation. */
    readonly outcome: string;
    /** Where the answer came from, such as `--answer` or `terminal`. */
    readonly by?: string;
  }[];
}

/** What the response cache had to do with an answer. */
export interface CacheView {
  readonly status: 'hit' | 'miss' | 'refresh' | 'bypass';
  readonly ageMs: number;
  /** Milliseconds for which it is still fresh. */
  readonly freshMs: number;
  readonly scope: 'public' | 'private';
}

/** `24 s`, `3 min`, `2 h`: a time for people. */
export function timeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 120_000) return `${Math.round(milliseconds / 1000)} s`;
  if (milliseconds < 7_200_000) return `${Math.round(milliseconds / 60_000)} min`;
  return `${Math.round(milliseconds / 3_600_000)} h`;
}

/** `Cache: hit, 24 s left, private`; undefined where the cache has nothing to say. */
export function cacheLine(cache: CacheView | undefined): string | undefined {
  if (cache?.status !== 'hit') return undefined;
  return `Cache: hit, ${timeText(cache.freshMs)} left, ${cache.scope}`;
}

/** `1.2 kB`: a size for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

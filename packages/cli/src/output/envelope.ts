import type { Failure } from './failure.ts';
import type { CacheView, RoundView } from './views.ts';

/** What one answer is printed as with `--json`. The schema of it ships as `schema/envelope.json`. */
export interface Envelope {
  /** False where the exit status is not 0. */
  readonly ok: boolean;
  /** The command, or `event` for one event of `listen`. */
  readonly kind: string;
  /** Absent where no server was named. */
  readonly server?: { readonly name: string | null; readonly version: string | null; readonly target: string };
  /** Absent where no server was reached. */
  readonly protocol?: {
    readonly version: string;
    readonly era: 'modern' | 'legacy';
    /** How the era is known: `asked` now, `remembered` from an earlier run, or `assumed` because of `--protocol`. */
    readonly known: 'asked' | 'remembered' | 'assumed';
  };
  /** The protocol's own result, as it came. Also beside `error` where the failure is in the result itself. */
  readonly data?: unknown;
  readonly error?: Failure;
  readonly meta: EnvelopeMeta;
}

/** How the answer came about. */
export interface EnvelopeMeta {
  readonly durationMs: number;
  readonly cache?: CacheView;
  readonly rounds?: readonly RoundView[];
  /** How many progress notifications came, and the last of them. */
  readonly progress?: { readonly count: number; readonly last: unknown };
  readonly warnings?: readonly string[];
  /** The server that a result's `_meta` names. */
  readonly servedBy?: { readonly name: string; readonly version: string };
  /** JSON-RPC id of the last request that went out. */
  readonly requestId?: string | number;
  /** How many there are of what the server declares. Only with `info`. */
  readonly counts?: { readonly [what: string]: number };
  /** Paths of files that `--save` wrote. */
  readonly saved?: readonly string[];
}

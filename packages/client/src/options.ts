import type {
  ClientCapabilities,
  Implementation,
  InputResponses,
  LoggingLevel,
  LoggingMessageNotificationParams,
  Middleware,
  Progress,
  RequestMeta,
} from '@dragoman/protocol';
import { checkCount } from './check-options.ts';
import type { Clock } from './clock.ts';
import type { TraceEvent, Warning } from './events.ts';
import type { InputHandlers } from './input/handlers.ts';
import type { CacheInfo, CacheStore } from './layers/cache-store.ts';
import type { RoundReport } from './layers/input-rounds.ts';
import type { LegacyAdapter } from './probe.ts';
import type { VerdictStore } from './verdicts.ts';

/** What can be said about one call. Times are in milliseconds. */
export interface CallOptions {
  /** Gives the call up: it is cancelled at the server and rejects with `ABORTED`. */
  signal?: AbortSignal | undefined;
  /**
   * Longest wait for one request's answer. Every progress notification starts it anew (basic/patterns/cancellation,
   * "Timeouts"). `Infinity` waits for ever. Default: the client's, 60,000. Rejects with `TIMEOUT`.
   */
  timeout?: number | undefined;
  /** Longest time for the whole call, questions to the user included, whatever progress there is. Default: the client's, 0: no such limit. */
  maxTime?: number | undefined;
  /** Told of progress. Values that come after the answer are dropped. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Told of log messages that belong to this call. Asks for them at `logLevel`. @deprecated with logging, since 2026-07-28; still served. */
  onLog?: ((message: LoggingMessageNotificationParams) => void) | undefined;
  /**
   * Least severity of the log messages that are asked for. Default: the client's; `info` where there is an `onLog`; else
   * none are asked for. @deprecated with logging, since 2026-07-28; still served.
   */
  logLevel?: LoggingLevel | undefined;
  /** Members for the request's `_meta`. They win over the client's own, a `progressToken` and the protocol's keys included. */
  meta?: RequestMeta | undefined;
  /** Answers to an earlier `input_required`, by hand; see also `Client.resume`. */
  inputResponses?: InputResponses | undefined;
  /** The `requestState` of an earlier `input_required`, by hand. */
  requestState?: string | undefined;
  /**
   * What to do when the server asks for input. `handle` (the default) asks the client's handlers and calls again;
   * `return` returns the server's own result with a `continuation`.
   */
  onInputRequired?: 'handle' | 'return' | undefined;
  /** Told after each round of questions was answered, before the call is sent again. Carries kinds and outcomes, never content. */
  onRound?: ((round: RoundReport) => void) | undefined;
  /**
   * `default`: a kept result where it is fresh. `refresh`: asks the server and keeps the answer. `bypass`: neither reads
   * nor keeps. `only`: a kept result where it is fresh, else `NOT_CACHED`; nothing is sent.
   */
  cache?: 'default' | 'refresh' | 'bypass' | 'only' | undefined;
  /** Reject with `OUTPUT_MISMATCH` where structured output breaks the tool's `outputSchema`, instead of a warning. Default: the client's, false. */
  strict?: boolean | undefined;
  /** Told how the answer came about, once, just before the call returns. */
  onReply?: ((info: ReplyInfo) => void) | undefined;
}

/** How an answer came about. */
export interface ReplyInfo {
  /** From the call to its answer, in milliseconds. */
  readonly durationMs: number;
  /** Requests that went to the server for it: 0 where the answer was kept, more than 1 with input rounds or a second try. */
  readonly requests: number;
  /** For methods whose results may be kept. */
  readonly cache?: CacheInfo | undefined;
  /** The rounds of questions that were answered, in order. */
  readonly rounds: readonly RoundReport[];
}

/** Bounds that a client keeps to. */
export interface ClientLimits {
  /** Rounds of questions in one call before it ends with `INPUT_LOOP`. Default 10. */
  readonly rounds: number;
  /** Rounds in a row that ask nothing, only hand over a new `requestState`, of which the last ends the call with `INPUT_LOOP`. Default 3. */
  readonly idleRounds: number;
  /** Pages of one list before the walk stops with a warning. Default 1,000. */
  readonly pages: number;
  /** Events of a subscription that wait to be read; the oldest are dropped with a warning. Default 1,000. */
  readonly bufferedEvents: number;
  /** What they may weigh together, in bytes, roughly; the same beyond it. Default 16 MiB. */
  readonly bufferedBytes: number;
}

/** Default of `storeTimeout`, in milliseconds. */
export const STORE_TIMEOUT = 5_000;

/** The bounds where the user names none. */
export const defaultLimits: ClientLimits = Object.freeze({
  rounds: 10,
  idleRounds: 3,
  pages: 1000,
  bufferedEvents: 1000,
  bufferedBytes: 16 * 1024 * 1024,
});

/** Default of `timeout`, in milliseconds. */
export const DEFAULT_TIMEOUT = 60_000;

/**
 * The bounds, with the defaults where the user names none.
 *
 * @throws DragomanError `INVALID_ARGUMENT` for one that bounds nothing
 */
export function completeLimits(limits: Partial<ClientLimits> = {}): ClientLimits {
  const {
    rounds = defaultLimits.rounds,
    idleRounds = defaultLimits.idleRounds,
    pages = defaultLimits.pages,
    bufferedEvents = defaultLimits.bufferedEvents,
    bufferedBytes = defaultLimits.bufferedBytes,
  } = limits;
  checkCount('limits.rounds', rounds, 0);
  checkCount('limits.idleRounds', idleRounds, 1);
  checkCount('limits.pages', pages, 1);
  checkCount('limits.bufferedEvents', bufferedEvents, 1);
  checkCount('limits.bufferedBytes', bufferedBytes, 1);
  return { rounds, idleRounds, pages, bufferedEvents, bufferedBytes };
}

/** What can be said about a client. Times are in milliseconds. */
export interface ClientOptions {
  /** Who this client says it is, in every request. Default: this package. */
  clientInfo?: Implementation | undefined;
  /** Who answers when a server asks for input. What is declared to servers follows from what is here. */
  handlers?: InputHandlers | undefined;
  /**
   * Capabilities to declare besides those that follow from `handlers`: extensions, experimental ones,
   * `sampling: { tools: {} }`, or what you answer yourself with `onInputRequired: 'return'`.
   */
  capabilities?: ClientCapabilities | undefined;
  /** Words besides `complete` and `input_required` that results may bear, from extensions that you declare. `task` comes with the Tasks extension. */
  resultTypes?: readonly string[] | undefined;
  /**
   * `auto` (the default): a server that is not known is asked `server/discover` first. `modern`: it is taken to speak
   * 2026-07-28, and nothing is sent that was not asked for.
   */
  era?: 'auto' | 'modern' | undefined;
  /** Default of every call's `timeout`. 60,000. */
  timeout?: number | undefined;
  /** Default of every call's `maxTime`. 0: no such limit. */
  maxTime?: number | undefined;
  /** Longest wait for the first answer of a process or stream, its start included. Default 60,000. Over HTTP the first answer obeys `timeout`. */
  startTimeout?: number | undefined;
  /** Default of every call's `logLevel`. None: no log messages are asked for. @deprecated with logging, since 2026-07-28; still served. */
  logLevel?: LoggingLevel | undefined;
  /** Told of log messages of calls that have no `onLog` of their own. @deprecated with logging, since 2026-07-28; still served. */
  onLog?: ((message: LoggingMessageNotificationParams) => void) | undefined;
  /** Default of every call's `strict`. False. */
  strict?: boolean | undefined;
  /** Where results are kept as long as the server allows. Default: in memory, for this client alone. `false`: nowhere. */
  cache?: CacheStore | false | undefined;
  /**
   * Names the credentials that this client uses, so that a shared `cache` never shows one user's private results to
   * another (server/utilities/caching, "Cache Scope"). Default: derived from headers or environment, else unique.
   */
  credential?: string | undefined;
  /** Longest wait for `cache` and `verdicts`, which then count as having failed. Default 5,000. */
  storeTimeout?: number | undefined;
  /** Where it is kept which servers are modern. Default: in memory, for the whole process. */
  verdicts?: VerdictStore | undefined;
  /** Wrapped around every request from the start, the first outermost; see `Client.use`. */
  middleware?: readonly Middleware[] | undefined;
  /** Told of everything that was tolerated; see `Client.on`. */
  onWarning?: ((warning: Warning) => void) | undefined;
  /** Told of every message and HTTP exchange, secrets masked; see `Client.on`. */
  onTrace?: ((event: TraceEvent) => void) | undefined;
  /** Told of what a server process writes to stderr; see `Client.on`. */
  onStderr?: ((text: string) => void) | undefined;
  /** How much of each thing; the defaults are in {@link defaultLimits}. */
  limits?: Partial<ClientLimits> | undefined;
  /** Carries on with a server that turns out to be from before 2026-07-28. Without one, connecting to it fails with `LEGACY_SERVER`. */
  legacyAdapter?: LegacyAdapter | undefined;
  /** Where time comes from. Default {@link systemClock}. */
  clock?: Clock | undefined;
  /** A number from 0 up to 1. Default `Math.random`. */
  random?: (() => number) | undefined;
}

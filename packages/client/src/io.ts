import type { ExchangeIO } from '@dragoman/protocol';
import type { CacheInfo } from './layers/cache-store.ts';
import type { RoundReport } from './layers/input-rounds.ts';
import type { CallOptions } from './options.ts';

/**
 * The surroundings of one request inside a client: what every exchange gets, and what the caller said about this call. A
 * middleware that hands on `{ ...io, notify }` keeps it all; an exchange that is given a bare {@link ExchangeIO} works
 * with the client's defaults.
 */
export interface ClientIO extends ExchangeIO {
  /** The caller's options, unchanged. */
  readonly options?: CallOptions | undefined;
  /** Gathers what `onReply` will be told. Only there where somebody asked. */
  readonly report?: MutableReplyInfo | undefined;
}

/** What `onReply` will be told, while it is being gathered. */
export interface MutableReplyInfo {
  durationMs: number;
  requests: number;
  cache?: CacheInfo | undefined;
  readonly rounds: RoundReport[];
}

/** A signal that never aborts: that of every call whose caller gave none. */
export const never: AbortSignal = new AbortController().signal;

/** Takes notifications that nobody wants. */
export const ignore = (): void => {};

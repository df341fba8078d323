import type { AuthInfo } from '@dragoman/protocol';
import { limitsOf } from '../limits.ts';
import type { ByteSink } from './line-writer.ts';
import { type ReportOptions, reportsOf, type Served } from './served.ts';
import { type ByteSource, type LegacyStream, StreamConnection } from './stream-connection.ts';
import { type StreamLimits, streamLimits } from './stream-limits.ts';

/** Options of a byte stream. */
export interface StreamOptions extends ReportOptions {
  /** How much of each thing; the defaults are in {@link streamLimits}. */
  readonly limits?: Partial<StreamLimits> | undefined;
  /** Who is at the other end, where that is known: a Unix socket's user, the peer of mutual TLS. */
  readonly auth?: AuthInfo | undefined;
  /**
   * Milliseconds that calls have to finish when the client closes its end or `close` is called. Default 1,000. Listen
   * streams end at once.
   */
  readonly grace?: number | undefined;
  /** Takes over what belongs to older revisions. */
  readonly legacy?: LegacyStream | undefined;
}

/** A byte stream that is being served. */
export interface StreamServing {
  /** Resolves when the client is gone, or {@link close} is done. Never rejects. */
  readonly closed: Promise<void>;
  /** Ends listen streams with their result, lets calls finish within the grace, closes the stream. Idempotent. */
  close(): Promise<void>;
}

/**
 * Serves one client over any byte stream, framed like stdio: a Unix socket, TCP, the two ends of a pipe
 * (basic/transports, "Custom Transports"). The client cancels with `notifications/cancelled`; closing the stream cancels
 * everything. A socket's server should set `allowHalfOpen`, so that a client that has said all still gets its answers.
 */
export function serveStream(
  server: Served,
  stream: { readonly readable: ByteSource; readonly writable: ByteSink },
  options: StreamOptions = {},
): StreamServing {
  const grace = options.grace ?? 1_000;
  const connection = new StreamConnection({
    server,
    source: stream.readable,
    sink: stream.writable,
    limits: limitsOf(streamLimits, options.limits),
    reports: reportsOf(server, options),
    auth: options.auth,
    legacy: options.legacy,
  });
  connection.start(grace);
  return { closed: connection.closed, close: () => connection.close(grace) };
}

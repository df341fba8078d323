import type { Served } from './served.ts';
import { guardStdout, type StdioProcess } from './stdout-guard.ts';
import { type StreamOptions, type StreamServing, serveStream } from './stream.ts';

/** Options of {@link serveStdio}. */
export interface StdioOptions extends StreamOptions {
  /**
   * Whether the process exits when the client is gone, with code 0. Default true, because what a server keeps open (timers,
   * connections) would keep it alive without a client. With false, wait for `closed` and end by yourself.
   */
  readonly exit?: boolean | undefined;
  /** Default: this process. */
  readonly process?: StdioProcess | undefined;
}

/**
 * Serves the client that started this process (basic/transports/stdio). stdout is kept for messages, see
 * {@link guardStdout}; write to stderr what people should read. When the client closes stdin, calls have `grace`
 * milliseconds to finish, then the process exits; when it stops reading, at once and without a complaint.
 */
export function serveStdio(server: Served, options: StdioOptions = {}): StreamServing {
  const host = options.process ?? process;
  const serving = serveStream(server, { readable: host.stdin, writable: guardStdout(host) }, options);
  if (options.exit !== false) void serving.closed.then(() => host.exit(0));
  return serving;
}

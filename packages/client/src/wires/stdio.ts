import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { checkCount, checkWait } from '../check-options.ts';
import type { Wire } from './wire.ts';

/** A server that is started as a child process and spoken to over its stdin and stdout (basic/transports/stdio). */
export interface CommandTarget {
  /** A program on the PATH, or the path of one. No shell reads it. */
  readonly command: string;
  /** Given to it as they are. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Merged over the environment of this process; `undefined` takes a variable away. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** Working directory. Default: that of this process. */
  readonly cwd?: string | undefined;
}

/** Starts a process, as `child_process.spawn` does. */
export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** Options of a stdio wire. */
export interface StdioOptions {
  /** The longest line that is read, in bytes. Default 64 MiB. A longer one is skipped, with a warning. */
  readonly maxMessageBytes?: number | undefined;
  /** How much of the end of stderr is kept for error messages, in bytes. Default 64 KiB. */
  readonly stderrBytes?: number | undefined;
  /** How long the server has to exit once its stdin is closed, in milliseconds. Default 500. */
  readonly closeGrace?: number | undefined;
  /** How long it has after SIGTERM, before SIGKILL, in milliseconds. Default 1 000. */
  readonly terminateGrace?: number | undefined;
  /**
   * How often a process that ended by itself is started again, with the next call, within `restartWindow`. Default 0:
   * never; the connection then ends with the process. What was pending is lost either way.
   */
  readonly restarts?: number | undefined;
  /** In milliseconds. Default 60,000. */
  readonly restartWindow?: number | undefined;
  /** Default: `child_process.spawn`; on Windows `cross-spawn`, which finds `.cmd` and `.ps1` commands. */
  readonly spawn?: Spawn | undefined;
}

/** A wire to a child process. */
export interface StdioWire extends Wire {
  /** Always `stdio`. */
  readonly kind: 'stdio';
  /** The number of the process, which leads its own group. */
  readonly pid: number;
  /** The end of what the process wrote to stderr. */
  stderrTail(): string;
}

/**
 * Starts a server and makes a wire to it. The process leads its own group, so that closing the wire also ends what a
 * launcher such as `npx` started: stdin is closed, then SIGTERM, then SIGKILL (basic/transports/stdio, "Shutdown"). If
 * this process ends first, the group is ended with it.
 *
 * stderr is drained from the start and its end is kept: it is in the error when the process dies, and is no sign of
 * failure by itself. With `restarts`, a process that ended by itself is started again.
 *
 * @throws DragomanError `CONNECTION_FAILED` where the program cannot be started, `INVALID_ARGUMENT` where the arguments
 * cannot be passed to any program.
 */
export async function stdioWire(target: CommandTarget, options: StdioOptions = {}): Promise<StdioWire> {
  // What starts processes is loaded where one is started: everything else here runs in browsers, too.
  const { processWire } = await import('#process-wire');
  const { restarts = 0, restartWindow: window = 60_000 } = options;
  checkCount('restarts', restarts, 0);
  checkWait('restartWindow', window);
  if (restarts === 0) return processWire(target, options);
  const { restartingWire } = await import('./restarting-wire.ts');
  return restartingWire(await processWire(target, options), () => processWire(target, options), { restarts, window });
}

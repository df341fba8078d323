import { DragomanError } from '@dragoman/protocol';
import { systemCode } from './outcomes.ts';
import { printable } from './printable.ts';
import { type ProcessGroup, watchProcessGroup } from './process-group.ts';
import type { Child } from './start-process.ts';
import { StderrRing } from './stderr-ring.ts';
import type { StdioOptions } from './stdio.ts';
import { within } from './within.ts';

/** How long a process has to be reaped once its stdout ended, and its stdout to end once it is reaped, in milliseconds. */
export const REAP = 200;
/** Between two looks at whether a process group is gone, in milliseconds. */
const LOOK = 10;

/** The life of one child process and of what it started. */
export class ProcessLife {
  readonly stderr: StderrRing;
  /** Resolves when the process itself has ended. */
  readonly exited: Promise<void>;
  /** Resolves when its streams have ended as well. */
  readonly closed: Promise<void>;
  readonly #child: Child;
  readonly #group: ProcessGroup;
  readonly #closeGrace: number;
  readonly #terminateGrace: number;

  constructor(child: Child, options: StdioOptions) {
    this.#child = child;
    this.#group = watchProcessGroup(child.pid);
    this.#closeGrace = options.closeGrace ?? 500;
    this.#terminateGrace = options.terminateGrace ?? 1000;
    this.stderr = new StderrRing(options.stderrBytes ?? 64 * 1024);
    this.exited = new Promise((resolve) => child.once('exit', () => resolve()));
    this.closed = new Promise((resolve) => child.once('close', () => resolve()));
    child.on('error', ignore);
    child.stderr.on('error', ignore);
  }

  async explain(target: string, cause: Error | undefined): Promise<DragomanError> {
    await within(REAP, this.closed);
    const { exitCode, signalCode } = this.#child;
    const how =
      signalCode !== null
        ? `was ended by ${signalCode}`
        : exitCode !== null
          ? `exited with code ${exitCode}`
          : `closed its ${systemCode(cause) === 'EPIPE' ? 'stdin' : 'stdout'} without exiting`;
    const stderr = this.stderr.tail();
    const lines = telling(stderr).map((line) => printable(line, 300));
    const said = stderr.trim() === '' ? 'It wrote nothing to stderr.' : `The end of its stderr: ${lines.join(' | ')}`;
    return new DragomanError('CONNECTION_CLOSED', `The server process ${how} (${target}). ${said}`, {
      cause,
      details: { exitCode, signal: signalCode, stderr },
    });
  }

  /** Ends the process and all that it started, gently first. */
  async shutDown(end: () => void): Promise<void> {
    end();
    if (await within(this.#closeGrace, this.exited)) {
      // A launcher may leave before what it launched has noticed anything.
      if (!(await this.#groupGone(LOOK * 5))) await this.#endGroup();
    } else {
      await this.#endGroup();
    }
    await within(REAP, this.closed);
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    this.#child.unref();
    this.#group.release();
  }

  async #endGroup(): Promise<void> {
    this.#group.terminate();
    if (await this.#groupGone(this.#terminateGrace)) return;
    this.#group.kill();
    await this.#groupGone(this.#terminateGrace);
  }

  async #groupGone(ms: number): Promise<boolean> {
    const { exitCode, signalCode } = this.#child;
    const start = performance.now();
    if (exitCode === null && signalCode === null && !(await within(ms, this.exited))) return false;
    while (this.#group.alive()) {
      if (performance.now() - start >= ms) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
    return true;
  }
}

/** The lines to quote: from the last that names an error, or the last three; not what a crashing Node writes after it. */
function telling(stderr: string): string[] {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const named = lines.findLastIndex((line) => /^(?:Uncaught )?[\w.]*(?:Error|Exception|panic)\b.*:/.test(line));
  return named < 0 ? lines.slice(-3) : lines.slice(named, named + 1);
}

function ignore(): void {}

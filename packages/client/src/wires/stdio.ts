import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { statSync } from 'node:fs';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { DragomanError } from '@dragoman/protocol';
import { LineWire } from './line-wire.ts';
import { fingerprint, maskCommand } from './mask.ts';
import { systemCode } from './outcomes.ts';
import { nodePipe } from './pipe.ts';
import { printable } from './printable.ts';
import { type ProcessGroup, watchProcessGroup } from './process-group.ts';
import { StderrRing } from './stderr-ring.ts';
import type { Wire } from './wire.ts';
import { within } from './within.ts';

/** A server that is started as a child process and spoken to over its stdin and stdout (basic/transports/stdio). */
export interface CommandTarget {
  /** A program on the PATH, or the path of one. No shell reads it. */
  readonly command: string;
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
  /** Default: `child_process.spawn`; on Windows `cross-spawn`, which finds `.cmd` and `.ps1` commands. */
  readonly spawn?: Spawn | undefined;
}

/** A wire to a child process. */
export interface StdioWire extends Wire {
  readonly kind: 'stdio';
  readonly pid: number;
  /** The end of what the process wrote to stderr. */
  stderrTail(): string;
}

/** How long a process has to be reaped once its stdout ended, and its stdout to end once it is reaped, in milliseconds. */
const REAP = 200;
/** Between two looks at whether a process group is gone, in milliseconds. */
const LOOK = 10;

/**
 * Starts a server and makes a wire to it. The process leads its own group, so that closing the wire also ends what a
 * launcher such as `npx` started: stdin is closed, then SIGTERM, then SIGKILL (basic/transports/stdio, "Shutdown"). If
 * this process ends first, the group is ended with it.
 *
 * stderr is drained from the start and its end is kept: it is in the error when the process dies, and is no sign of
 * failure by itself.
 *
 * @throws DragomanError `CONNECTION_FAILED` where the program cannot be started, `INVALID_ARGUMENT` where the arguments
 * cannot be passed to any program.
 */
export async function stdioWire(target: CommandTarget, options: StdioOptions = {}): Promise<StdioWire> {
  const args = target.args ?? [];
  const child = await start(target, args, options.spawn ?? (await defaultSpawn()));
  return new ProcessWire(child, target, args, options);
}

async function defaultSpawn(): Promise<Spawn> {
  if (process.platform !== 'win32') return (await import('node:child_process')).spawn;
  return (await import('cross-spawn')).default;
}

type Child = ChildProcess & {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

async function start(target: CommandTarget, args: readonly string[], spawn: Spawn): Promise<Child> {
  let child: ChildProcess;
  try {
    child = spawn(target.command, args, {
      cwd: target.cwd,
      env: { ...process.env, ...target.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (cause) {
    throw cannotStart(target, cause as Error);
  }
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', () => {
      child.off('error', reject);
      resolve();
    });
    child.once('error', reject);
  }).catch((cause: Error) => {
    throw cannotStart(target, cause);
  });
  return child as Child;
}

function cannotStart(target: CommandTarget, cause: Error): DragomanError {
  const code = systemCode(cause);
  const details = { command: target.command, cwd: target.cwd, code };
  const failed = (why: string): DragomanError =>
    new DragomanError('CONNECTION_FAILED', `Cannot start ${printable(target.command)}: ${why}`, { cause, details });
  if (code?.startsWith('ERR_INVALID_ARG') === true) {
    return new DragomanError('INVALID_ARGUMENT', `Cannot start ${printable(target.command)}: ${cause.message}`, {
      cause,
      details,
    });
  }
  // The system says ENOENT for a missing program, a missing directory and a missing interpreter alike.
  if (target.cwd !== undefined && !isDirectory(target.cwd)) {
    return failed(`its working directory ${target.cwd} does not exist or is not a directory`);
  }
  const isPath = /[\\/]/.test(target.command);
  if (code === 'ENOENT') {
    if (!isPath) return failed(`no such program on the PATH. Install it, or give its full path`);
    return failed(
      exists(target.command, target.cwd)
        ? 'its interpreter (the first line after "#!") does not exist'
        : 'no such file',
    );
  }
  if (code === 'EACCES')
    return failed(`it is not executable. Make it so (chmod +x), or name the program that runs it as the command`);
  if (code === 'ENOEXEC')
    return failed(
      'the system does not know how to run it. Give it a "#!" line, or name the program that runs it as the command',
    );
  if (code === 'E2BIG') return failed('its arguments and environment are too large for the system');
  return failed(cause.message);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function exists(path: string, cwd: string | undefined): boolean {
  const full = path.startsWith('/') || cwd === undefined ? path : `${cwd}/${path}`;
  return statSync(full, { throwIfNoEntry: false }) !== undefined;
}

class ProcessWire extends LineWire implements StdioWire {
  override readonly kind = 'stdio';
  readonly pid: number;
  readonly #stderr: StderrRing;

  constructor(child: Child, target: CommandTarget, args: readonly string[], options: StdioOptions) {
    const words = [target.command, ...args];
    const life = new ProcessLife(child, options);
    const where = target.cwd === undefined ? '' : `${target.cwd}$ `;
    const shown = printable(maskCommand(words), 300);
    super(nodePipe(child.stdout, child.stdin), {
      kind: 'stdio',
      target: shown,
      identity: `stdio:${where}${maskCommand(words, fingerprint)}${environmentKey(target.env)}`,
      maxMessageBytes: options.maxMessageBytes,
      explain: (cause) => life.explain(shown, cause),
      shutDown: (end) => life.shutDown(end),
    });
    this.pid = child.pid;
    this.#stderr = life.stderr;
    const decoder = new TextDecoder();
    child.stderr.on('data', (chunk: Uint8Array) => {
      life.stderr.push(chunk);
      this.observers.stderr(decoder.decode(chunk, { stream: true }));
    });
    // What the process started may hold its stdout open without ever answering for it.
    life.exited.then(() => within(REAP, life.closed)).then(() => this.peerGone());
  }

  stderrTail(): string {
    return this.#stderr.tail();
  }
}

/** Variables given to the process tell two servers apart like arguments do; their values are never shown. */
function environmentKey(env: CommandTarget['env']): string {
  const entries = Object.entries(env ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? '' : ` ${fingerprint(JSON.stringify(entries))}`;
}

/** The life of one child process and of what it started. */
class ProcessLife {
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
          : 'closed its stdout without exiting';
    const stderr = this.stderr.tail();
    const lines = stderr
      .trimEnd()
      .split('\n')
      .slice(-3)
      .map((line) => printable(line, 300));
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

function ignore(): void {}

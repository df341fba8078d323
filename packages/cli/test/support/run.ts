import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command as it is published. */
export const command = fileURLToPath(new URL('../../dist/main.mjs', import.meta.url));

/** A folder for one test. */
export const folder = (): string => mkdtempSync(join(tmpdir(), 'dragoman-cli-'));

/** What a run came to. */
export interface Outcome {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
  /** Where state and cache are kept. Default: a folder of the run's own. */
  readonly home?: string;
  /** Told of the child as soon as there is one. */
  readonly onChild?: (child: ChildProcess) => void;
}

/** Runs the command in a process of its own, without a terminal. */
export function dragoman(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const home = options.home ?? folder();
  const child = spawn(process.execPath, [command, ...args], {
    cwd: options.cwd ?? home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CACHE_HOME: join(home, 'cache'),
      ...options.env,
    },
    stdio: 'pipe',
  });
  options.onChild?.(child);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({
        code: code ?? signal ?? 'unknown',
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
      });
    });
  });
}

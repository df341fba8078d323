import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { DragomanError, show } from '@dragoman/protocol';
import { systemCode } from './outcomes.ts';
import { printable } from './printable.ts';
import type { CommandTarget, Spawn } from './stdio.ts';

/** A process that has started, with all three streams. */
export type Child = ChildProcess & {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

/** Starts a process that leads its own group. Resolves when it runs. */
export async function startProcess(target: CommandTarget, spawn: Spawn | undefined): Promise<Child> {
  checkTarget(target);
  const start = spawn ?? (await defaultSpawn());
  let child: ChildProcess;
  try {
    child = start(target.command, target.args ?? [], {
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

/** Before anything runs: what cannot be shown or told apart afterwards must not be started. */
function checkTarget({ command, args = [], env = {} }: CommandTarget): void {
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `Cannot start ${printable(command)}: args must be strings, not ${show(args)}`,
    );
  }
  if (typeof env === 'object' && env !== null && !Array.isArray(env)) return;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `Cannot start ${printable(command)}: env must be an object, not ${show(env)}`,
  );
}

async function defaultSpawn(): Promise<Spawn> {
  if (process.platform !== 'win32') return (await import('node:child_process')).spawn;
  return (await import('cross-spawn')).default;
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

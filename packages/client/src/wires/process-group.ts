import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** A process that we started, together with whatever it started. */
export interface ProcessGroup {
  /** Asks all of it to end. On Windows, where there is no asking, ends it. */
  terminate(): void;
  /** Ends all of it. */
  kill(): void;
  /** Whether anything of it still lives. Always false on Windows, where it cannot be known without the leader. */
  alive(): boolean;
  /** It needs no watching any more. */
  release(): void;
}

/** Time between asking and ending when this process itself is on its way out, in milliseconds. */
const LAST_WORDS = 50;

const watched = new Set<ProcessGroup>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Watches a process that leads its own group (POSIX: spawned `detached`). Until it is released, all of it is ended when
 * this process exits, whether by itself, by an uncaught error, or by SIGINT, SIGTERM or SIGHUP. Only SIGKILL leaves the
 * children to notice by themselves that their stdin has ended.
 */
export function watchProcessGroup(pid: number): ProcessGroup {
  const windows = process.platform === 'win32';
  const send = (signal: NodeJS.Signals | 0): boolean => {
    try {
      process.kill(-pid, signal);
      return true;
    } catch (error) {
      // EPERM: it lives, but is not ours to signal, such as a process that changed its user.
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  };
  const group: ProcessGroup = {
    terminate: () => (windows ? endTree(pid) : void send('SIGTERM')),
    kill: () => (windows ? endTree(pid) : void send('SIGKILL')),
    alive: () => !windows && send(0) && hasLiveMember(pid),
    release() {
      if (watched.delete(group) && watched.size === 0) unhook();
    },
  };
  if (watched.size === 0) hook();
  watched.add(group);
  return group;
}

/**
 * Where the first process of a container does not reap, the dead stay in their group for a while, and signals reach them.
 * Linux tells them apart; elsewhere what can be signalled counts as alive.
 */
function hasLiveMember(group: number): boolean {
  if (process.platform !== 'linux') return true;
  try {
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      const [state, , member] = statOf(entry);
      if (member === String(group) && state !== 'Z' && state !== 'X') return true;
    }
    return false;
  } catch {
    return true;
  }
}

/** State, parent and group of a process (proc_pid_stat(5)); nothing where it has gone meanwhile. */
function statOf(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before it may hold anything, parentheses and spaces included.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
  } catch {
    return [];
  }
}

function endTree(pid: number): void {
  const arguments_ = ['/pid', String(pid), '/T', '/F'];
  if (exiting) spawnSync('taskkill', arguments_, { stdio: 'ignore', windowsHide: true });
  // Fails where the process is gone already, which is what is wanted.
  else spawn('taskkill', arguments_, { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
}

let exiting = false;

function endAll(): void {
  exiting = true;
  const left = [...watched].filter((group) => group.alive());
  for (const group of watched) group.terminate();
  // Nothing asynchronous runs any more: waiting is all there is.
  if (left.length > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_WORDS);
  for (const group of left) group.kill();
}

function onSignal(signal: NodeJS.Signals): void {
  // Whoever else listens decides what the signal means; if that is to exit, the exit hook does its work.
  if (process.listenerCount(signal) > 1) return;
  endAll();
  unhook();
  process.kill(process.pid, signal);
}

function hook(): void {
  process.on('exit', endAll);
  for (const signal of signals) process.on(signal, onSignal);
}

function unhook(): void {
  process.off('exit', endAll);
  for (const signal of signals) process.off(signal, onSignal);
}

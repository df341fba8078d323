import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root } from '../../docs/support/compile.ts';

/** A program that runs until it is ended. */
export interface Program {
  /** The address in its first line. */
  readonly url: string;
  /** Asks it to end. Resolves to its exit code, or to the signal that ended it. */
  end(): Promise<number | string>;
}

/** Starts a program in the root of the repository. Resolves when it has said where it listens. */
export function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Program> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const closed = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'nothing'));
  });
  const end = (): Promise<number | string> => {
    child.kill('SIGTERM');
    return closed;
  };
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        said += `${line}\n`;
        const url = /https?:\/\/[^\s/]+\S*/.exec(line)?.[0];
        if (url !== undefined) resolve({ url, end });
      });
    }
    void closed.then((how) => reject(new Error(`${command} ended (${how}) before it said where it listens:\n${said}`)));
  });
}

/** What a program printed that ended by itself, and its exit code. */
export function run(command: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

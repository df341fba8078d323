import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './compile.ts';
import { makeScratch } from './scratch.ts';

/** The command as it is built. */
const command = join(root, 'packages', 'cli', 'dist', 'main.mjs');

/** What came of a line of shell. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A place where a reader's files lie and his commands run, with a home of its own. */
export class Shell {
  readonly directory: string;
  readonly #background: ChildProcess[] = [];

  constructor() {
    if (!existsSync(command)) throw new Error(`${command} is not there: npm run build makes it`);
    this.directory = makeScratch('shell');
    mkdirSync(join(this.directory, 'home'));
  }

  /** Runs a line to its end. Nobody is at the terminal. */
  run(line: string): Promise<Outcome> {
    const child = this.#spawn(line);
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  }

  /** Starts what runs until it is ended. Resolves to the first line that it prints. */
  start(line: string): Promise<string> {
    const child = this.#spawn(line);
    this.#background.push(child);
    return new Promise((resolve, reject) => {
      createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> }).once('line', resolve);
      child.once('error', reject);
      child.once('close', (code) => reject(new Error(`${line} ended with code ${code} before it printed anything`)));
    });
  }

  /** Ends what was started, and clears the place. */
  async close(): Promise<void> {
    await Promise.all(
      this.#background.map((child) => {
        if (child.exitCode !== null || child.signalCode !== null) return undefined;
        const closed = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGTERM');
        return closed;
      }),
    );
    rmSync(this.directory, { recursive: true, force: true });
  }

  #spawn(line: string): ChildProcess {
    // What npm adds to `npm start` is a look at whether all is built.
    const script = line
      .replace(/^(?:npm start(?: -- |$)|dragoman )/, '"$NODE" "$COMMAND" ')
      .replace(/^node /, '"$NODE" ')
      .replace(/ (examples\/\S+\.mjs)/, ' "$ROOT"/$1');
    const home = join(this.directory, 'home');
    return spawn('/bin/sh', ['-c', `exec ${script}`], {
      cwd: this.directory,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        XDG_STATE_HOME: join(home, 'state'),
        XDG_CACHE_HOME: join(home, 'cache'),
        NODE: process.execPath,
        COMMAND: command,
        ROOT: root,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

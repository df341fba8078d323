import { spawn } from 'node:child_process';

/** What a command of the user's came to. */
export interface CommandOutcome {
  readonly stdout: string;
  /** 0, another status, or the signal that ended it. */
  readonly status: number | string;
}

/** The most that is read of a command's output, in bytes. */
const MOST = 16 * 1024 * 1024;

/**
 * Runs a command of the user's through the shell, with text on its standard input; its standard error is ours. What comes
 * from a server is only ever in that text and in variables, never in the command. Rejects where there is no shell.
 */
export function runCommand(
  command: string,
  input: string,
  variables: { readonly [name: string]: string },
  signal: AbortSignal,
): Promise<CommandOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...variables },
      signal,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST) chunks.push(chunk);
      else child.kill();
    });
    // A command that does not read its input closes it; that is its own affair.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      resolve({ stdout: Buffer.concat(chunks).toString('utf8'), status: code ?? killedBy ?? 'unknown' });
    });
  });
}

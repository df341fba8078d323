import type { ReadStream, WriteStream } from 'node:tty';

/** The streams and the environment that a command works with. The process's own unless a test puts others in. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>;
  readonly stdout: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** The process's own. */
export const processTerminal = (): Terminal => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
});

/** Whether a person can be asked: questions go to standard error, so that standard output stays the result's. */
export const canAsk = (terminal: Terminal): boolean =>
  terminal.stdin.isTTY === true && terminal.stderr.isTTY === true && terminal.env.TERM !== 'dumb';

/** Columns to fit text into: a terminal's own, no limit elsewhere, so that what is piped on is whole. */
export function widthOf(stream: Terminal['stdout']): number {
  return stream.isTTY === true && stream.columns !== undefined && stream.columns > 0
    ? stream.columns
    : Number.POSITIVE_INFINITY;
}

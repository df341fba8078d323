import type { ByteSink } from './line-writer.ts';

/** The parts of a process that stdio serving touches. Node's `process` is one. */
export interface StdioProcess {
  /** Where messages come from. */
  readonly stdin: NodeJS.ReadableStream;
  /** Where messages go, and nothing else. */
  readonly stdout: NodeJS.WritableStream;
  /** Where everything else goes. */
  readonly stderr: NodeJS.WritableStream;
  /** Ends the process. */
  exit(code: number): void;
}

type Write = NodeJS.WritableStream['write'];

type End = NodeJS.WritableStream['end'];

const guarded = new WeakMap<NodeJS.WritableStream, Write>();

/**
 * Keeps stdout for messages: from here on whatever else writes to it, `console.log` included, ends up on stderr
 * (basic/transports/stdio: nothing but MCP messages on stdout). Calling it again changes nothing. Import
 * `@dragoman/server/guard-stdout` before anything else to have it in force while other modules load.
 *
 * @returns the one way left to write to stdout
 */
export function guardStdout(host: StdioProcess = process): ByteSink {
  const { stdout, stderr } = host;
  let write = guarded.get(stdout);
  if (write === undefined) {
    write = stdout.write;
    guarded.set(stdout, write);
    const divert = stderr.write.bind(stderr) as Write;
    stdout.write = divert;
    // Nobody but the serving may end it either; what a last write brings goes the way of the others.
    stdout.end = ((...args: unknown[]) => {
      const [chunk] = args;
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) divert(chunk);
      const done = args.find((arg) => typeof arg === 'function') as (() => void) | undefined;
      if (done !== undefined) queueMicrotask(done);
      return stdout;
    }) as End;
  }
  const original = write as (text: string, callback?: () => void) => boolean;
  return {
    on: (event: string, listener: (error: Error) => void) => stdout.on(event, listener),
    write: (text) => original.call(stdout, text),
    // stdout stays open: only what is on its way has to be waited for.
    end: (callback) => original.call(stdout, '', () => callback()),
  };
}

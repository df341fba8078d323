import { ExitCode } from './exit-code.ts';

/** How long a call that was interrupted has to be cancelled on the wire, in milliseconds. */
const GRACE = 2000;

/**
 * Ctrl-C: the first aborts what is under way, which cancels it at the server, and gives it two seconds; the second leaves
 * at once. A reader of our output that goes away ends things the same way, without a word.
 */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #timers: ReturnType<typeof setTimeout>[] = [];
  /** The status to exit with whatever the command says. */
  code: number | undefined;

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    const code = signal === 'SIGTERM' ? 143 : signal === 'SIGHUP' ? 129 : ExitCode.Interrupted;
    if (this.code !== undefined) process.exit(code);
    this.#end(code);
  };

  constructor() {
    process.on('SIGINT', this.#onSignal);
    process.on('SIGTERM', this.#onSignal);
    process.on('SIGHUP', this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Watches a stream whose reader may go away, as `head` does. */
  watch(stream: NodeJS.WritableStream): void {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') {
        process.stderr.write(`error: what there is to print cannot be written: ${error.message}\n`);
        process.exit(ExitCode.Defect);
      }
      if (this.code === undefined) this.#end(0);
    });
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    process.off('SIGINT', this.#onSignal);
    process.off('SIGTERM', this.#onSignal);
    process.off('SIGHUP', this.#onSignal);
  }

  #end(code: number): void {
    this.code = code;
    this.#controller.abort();
    this.#timers.push(setTimeout(() => process.exit(code), GRACE));
  }
}

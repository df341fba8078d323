import { type LineProblem, LineReader } from '@dragoman/protocol';
import type { Outgoing } from './correlator.ts';
import type { BytePipe } from './pipe.ts';

/** What a line channel tells. */
export interface LineChannelOptions {
  readonly maxMessageBytes: number;
  onLine(line: string): void;
  onProblem(problem: LineProblem, sample: string): void;
  /** The pipe has ended. Called once, after the last line. */
  onEnd(error?: Error): void;
}

/**
 * Newline-delimited messages over a pipe (basic/transports/stdio, "Messages"). Lines that are sent in one tick go out in
 * one write; while the other side does not read, lines wait, and those taken back meanwhile are never written.
 */
export class LineChannel {
  readonly #pipe: BytePipe;
  readonly #reader: LineReader;
  readonly #options: LineChannelOptions;
  #queue: Outgoing[] = [];
  #scheduled = false;
  #blocked = false;

  constructor(pipe: BytePipe, options: LineChannelOptions) {
    this.#pipe = pipe;
    this.#options = options;
    this.#reader = new LineReader({
      maxBytes: options.maxMessageBytes,
      onLine: options.onLine,
      onProblem: options.onProblem,
    });
    pipe.open(this);
  }

  send(item: Outgoing): void {
    this.#queue.push(item);
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    queueMicrotask(this.#flush);
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    if (this.#blocked) return;
    const queue = this.#queue;
    this.#queue = [];
    let text = '';
    for (const item of queue) {
      if (item.line === undefined) continue;
      text += `${item.line}\n`;
      item.line = undefined;
    }
    if (text !== '') this.#blocked = !this.#pipe.write(text);
  };

  /** Writes what waits, and says that nothing more will come. */
  end(): void {
    this.#flush();
    this.#pipe.end();
  }

  /** Called by the pipe. */
  data(chunk: Uint8Array): void {
    this.#reader.push(chunk);
  }

  /** Called by the pipe. */
  drained(): void {
    this.#blocked = false;
    this.#flush();
  }

  /** Called by the pipe. */
  ended(error?: Error): void {
    this.#reader.end();
    this.#options.onEnd(error);
  }
}

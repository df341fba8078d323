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

/** What is written at once, in UTF-16 units: more than a pipe holds, and far less than a string can. */
const WRITE = 1024 * 1024;
/** Lines that wait before those that nobody wants written any more are looked for. */
const SWEEP = 1024;

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
  /** How many lines have to wait until they are looked through again. */
  #sweepAt = SWEEP;

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
    if (this.#blocked && this.#queue.length >= this.#sweepAt) this.#sweep();
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
    for (let at = 0; at < queue.length; at++) {
      const item = queue[at] as Outgoing;
      if (item.line === undefined) continue;
      text += `${item.line}\n`;
      item.line = undefined;
      if (text.length < WRITE) continue;
      this.#blocked = !this.#pipe.write(text);
      text = '';
      if (!this.#blocked) continue;
      this.#queue = queue.slice(at + 1);
      return;
    }
    if (text !== '') this.#blocked = !this.#pipe.write(text);
  };

  /** While the other side does not read, calls come and are given up: what is left of them must not pile up. */
  #sweep(): void {
    this.#queue = this.#queue.filter((item) => item.line !== undefined);
    this.#sweepAt = Math.max(SWEEP, 2 * this.#queue.length);
  }

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

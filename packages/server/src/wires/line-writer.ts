/** The end of a byte stream that is written. A Node `Writable` is one. */
export interface ByteSink {
  /** Listens: `drain` when more may be written, `close` when nothing can be any more, `error` with the reason. */
  on(event: 'drain' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** @returns whether more may be written before the next `drain` */
  write(text: string): boolean;
  /** Writes what is left and calls back. */
  end(callback: () => void): unknown;
  /** Lets go of whatever has not been taken. */
  destroy?(): unknown;
}

/** What a {@link LineWriter} tells. */
export interface LineWriterEvents {
  /** The sink takes no more for now. */
  onFull(): void;
  /** The sink has taken what it had: whatever waited may be sent. */
  onDrained(): void;
  /** The sink takes more again. */
  onFree(): void;
}

/** What is written at once even in the middle of a turn, in characters. */
const FLUSH_AT = 64 * 1024;

/** Writes lines so that those of one turn of the event loop leave in one write, and no more than the sink takes. */
export class LineWriter {
  readonly #sink: ByteSink;
  readonly #events: LineWriterEvents;
  #text = '';
  #scheduled = false;
  #full = false;
  #closed = false;

  constructor(sink: ByteSink, events: LineWriterEvents) {
    this.#sink = sink;
    this.#events = events;
    sink.on('drain', () => this.#drained());
  }

  /** Whether the sink takes no more for now. */
  get isFull(): boolean {
    return this.#full;
  }

  /** How much waits to be written, in characters. */
  get pending(): number {
    return this.#text.length;
  }

  send(line: string): void {
    if (this.#closed) return;
    this.#text = this.#text === '' ? `${line}\n` : `${this.#text}${line}\n`;
    if (this.#text.length > FLUSH_AT) {
      this.flush();
    } else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#turnOver);
    }
  }

  /** Writes what has come together, where the sink takes it. */
  flush(): void {
    if (this.#full || this.#closed || this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    if (this.#sink.write(text)) return;
    this.#full = true;
    this.#events.onFull();
  }

  /** Writes all there is, whether the sink wants it or not: it is the last. */
  flushAll(): void {
    this.#full = false;
    this.flush();
  }

  /** Writes nothing from here on. Returns whether it was open. */
  close(): boolean {
    const open = !this.#closed;
    this.#closed = true;
    this.#text = '';
    return open;
  }

  readonly #turnOver = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  #drained(): void {
    if (!this.#full) return;
    this.#full = false;
    this.#events.onDrained();
    this.flush();
    if (!this.#full) this.#events.onFree();
  }
}

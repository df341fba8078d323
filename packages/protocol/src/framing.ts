import { Pieces } from './pieces.ts';

/** What a {@link LineReader} tells of bytes that are no line of text. */
export type LineProblem = 'not UTF-8' | 'too long';

/** Options of a {@link LineReader}. */
export interface LineReaderOptions {
  /** The longest line, in bytes. Default 16 MiB. A longer one is skipped to its end and reported. */
  maxBytes?: number | undefined;
  /** Called for each line, without its line end. Empty lines are passed over. */
  onLine(line: string): void;
  /** Called for each line that could not be read; `sample` is its beginning, for people. */
  onProblem(problem: LineProblem, sample: string): void;
}

const NEWLINE = 0x0a;
// A byte order mark inside a stream is text like any other: keeping it makes the decoder leave every line as it came.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8');

/**
 * Splits a stream of bytes into lines (stdio, "Messages"). It splits on the byte 0x0A before it decodes, so that a
 * character that arrives in pieces stays whole, and keeps the pieces of an unfinished line apart until its end arrives,
 * so that a long line costs what it weighs.
 */
export class LineReader {
  readonly #maxBytes: number;
  readonly #options: LineReaderOptions;
  /** The beginning of a line whose end has not come. */
  #pieces: Pieces | undefined;
  /** The beginning of a line that is too long, while the rest of it is skipped. */
  #skipped: string | undefined;

  /** Makes a reader of one stream. */
  constructor(options: LineReaderOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? 16 * 1024 * 1024;
  }

  /** Takes the next bytes. The chunk must not be changed afterwards. */
  push(chunk: Uint8Array): void {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      this.#take(chunk);
      return;
    }
    let from = 0;
    if (this.#pieces !== undefined || this.#skipped !== undefined) {
      from = chunk.indexOf(NEWLINE) + 1;
      this.#take(chunk.subarray(0, from - 1));
      this.#finish();
    }
    if (from <= last) this.#lines(chunk.subarray(from, last));
    if (last + 1 < chunk.length) this.#take(chunk.subarray(last + 1));
  }

  /** Reads whole lines that arrived together: decoded at once where all of them can be. */
  #lines(block: Uint8Array): void {
    let text: string | undefined;
    try {
      if (block.length <= this.#maxBytes) text = strict.decode(block);
    } catch {
      // One of the lines is not UTF-8: one by one, so that it does not take its neighbours down.
    }
    if (text !== undefined) {
      let from = 0;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        this.#emit(text.slice(from, at));
        from = at + 1;
      }
      this.#emit(from === 0 ? text : text.slice(from));
      return;
    }
    let from = 0;
    while (from <= block.length) {
      const at = block.indexOf(NEWLINE, from);
      const end = at < 0 ? block.length : at;
      this.#take(block.subarray(from, end));
      this.#finish();
      from = end + 1;
    }
  }

  /** The stream has ended: what stands unfinished is the last line. */
  end(): void {
    this.#finish();
  }

  #take(bytes: Uint8Array): void {
    if (this.#skipped !== undefined || bytes.length === 0) return;
    this.#pieces ??= new Pieces();
    if (this.#pieces.size + bytes.length > this.#maxBytes) {
      this.#skipped = lenient.decode((this.#pieces.first ?? bytes).subarray(0, 200));
      this.#pieces = undefined;
      return;
    }
    this.#pieces.add(bytes);
  }

  #finish(): void {
    if (this.#skipped !== undefined) {
      const sample = this.#skipped;
      this.#skipped = undefined;
      this.#options.onProblem('too long', sample);
      return;
    }
    if (this.#pieces === undefined) return;
    const bytes = this.#pieces.whole();
    this.#pieces = undefined;
    let line: string;
    try {
      line = strict.decode(bytes);
    } catch {
      this.#options.onProblem('not UTF-8', lenient.decode(bytes.subarray(0, 200)));
      return;
    }
    this.#emit(line);
  }

  #emit(line: string): void {
    const text = line.charCodeAt(line.length - 1) === 0x0d ? line.slice(0, -1) : line;
    if (text !== '') this.#options.onLine(text);
  }
}

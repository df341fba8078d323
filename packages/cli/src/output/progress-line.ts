import { escapeLine } from '../terminal/escape.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsOf, cutTo } from '../terminal/width.ts';

/** Shortest time between two drawings, in milliseconds. */
const PACE = 100;

const ERASE = '\r\u001b[K';

/** The clock and timers of a progress line. */
export interface Pacer {
  now(): number;
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

const systemPacer: Pacer = {
  now: () => performance.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds).unref(),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** One line on standard error that shows progress on a terminal and leaves no trace. */
export class ProgressLine {
  readonly #stream: Terminal['stderr'];
  readonly #active: boolean;
  readonly #pacer: Pacer;
  #text = '';
  #shown = false;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #timer: unknown;

  constructor(stream: Terminal['stderr'], active: boolean, pacer = systemPacer) {
    this.#stream = stream;
    this.#active = active && stream.isTTY === true;
    this.#pacer = pacer;
  }

  /** Shows progress as `2/4 (50%) linking`. */
  update(progress: {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  }): void {
    this.show(progressText(progress));
  }

  /** Shows a text of one line. */
  show(text: string): void {
    if (!this.#active) return;
    this.#text = text;
    const wait = this.#drawnAt + PACE - this.#pacer.now();
    if (wait <= 0) this.#draw();
    else this.#drawAfter(wait);
  }

  /** Erases the line, and shows a text when nothing else is said for so many milliseconds. */
  later(text: string, milliseconds: number): void {
    this.erase();
    if (!this.#active) return;
    this.#text = text;
    this.#drawAfter(milliseconds);
  }

  /** Erases the line; what is shown afterwards begins anew. */
  erase(): void {
    if (this.#timer !== undefined) this.#pacer.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#shown) this.#stream.write(ERASE);
    this.#shown = false;
  }

  #drawAfter(milliseconds: number): void {
    if (this.#timer !== undefined) this.#pacer.clearTimeout(this.#timer);
    this.#timer = this.#pacer.setTimeout(() => this.#draw(), milliseconds);
  }

  #draw(): void {
    if (this.#timer !== undefined) this.#pacer.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drawnAt = this.#pacer.now();
    this.#shown = true;
    const columns = (this.#stream.columns ?? 80) - 1;
    this.#stream.write(ERASE + (columnsOf(this.#text) > columns ? cutTo(this.#text, columns) : this.#text));
  }
}

/** `2/4 (50%) linking`, `7 reading`. */
export function progressText(progress: {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}): string {
  const { progress: done, total, message } = progress;
  const share = total !== undefined && total > 0 ? `/${round(total)} (${Math.floor((done / total) * 100)}%)` : '';
  return escapeLine(`${round(done)}${share}${message === undefined ? '' : ` ${message}`}`);
}

const round = (value: number): string => String(Math.round(value * 100) / 100);

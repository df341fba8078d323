/** One event of a stream (HTML Living Standard §9.2.6). */
export interface SseEvent {
  /** The event's type; `message` where it names none. */
  readonly event: string;
  /** The data lines, joined by line feeds. Empty for a priming event or a heartbeat: nothing to parse. */
  readonly data: string;
  /** The event's id, where this event set one. Streams of 2026-07-28 cannot be resumed and need none. */
  readonly id?: string;
  /** Reconnection time in milliseconds, where this event set one. */
  readonly retry?: number;
}

/** What a {@link SseReader} tells of a stream that cannot be read on. */
export type SseProblem = 'not UTF-8' | 'too long';

/** How many small pieces of a line are kept apart. */
const MAX_CRUMBS = 1024;

/** Options of a {@link SseReader}. */
export interface SseReaderOptions {
  /** The longest event, in UTF-16 code units, all its lines together. Default 16 Mi. */
  maxEventLength?: number | undefined;
  /** A whole event has come. */
  onEvent(event: SseEvent): void;
  /** The stream is broken for good: nothing that comes after is read. */
  onProblem(problem: SseProblem): void;
}

/**
 * Reads `text/event-stream` by the rules of the HTML Living Standard §9.2.5-9.2.6: lines end in LF, CR or CR LF, mixed as
 * they come; comments and unknown fields are passed over; an event without its closing blank line is none. Bytes that
 * are not UTF-8 break the stream rather than corrupt a message.
 */
export class SseReader {
  readonly #options: SseReaderOptions;
  readonly #maxLength: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** What has come of the line that is being read. */
  #line = '';
  /** What belongs behind it and came in small pieces. */
  readonly #crumbs: string[] = [];
  /** The last character was a CR: an LF right behind it ends the same line. */
  #afterCr = false;
  #broken = false;
  #length = 0;
  /** The first data line of the event, and the others. */
  #data: string | undefined;
  #moreData: string[] | undefined;
  #event = '';
  #id: string | undefined;
  #retry: number | undefined;

  /** Makes a reader of one stream. */
  constructor(options: SseReaderOptions) {
    this.#options = options;
    this.#maxLength = options.maxEventLength ?? 16 * 1024 * 1024;
  }

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    if (this.#broken) return;
    let text: string;
    try {
      text = this.#decoder.decode(chunk, { stream: true });
    } catch {
      this.#break('not UTF-8');
      return;
    }
    let from = 0;
    if (this.#afterCr && text.length > 0) {
      this.#afterCr = false;
      if (text.charCodeAt(0) === 0x0a) from = 1;
    }
    // Streams rarely hold a CR: looking for the next one only when it is due keeps the scan linear.
    let cr = text.indexOf('\r', from);
    let lf = text.indexOf('\n', from);
    while (cr >= 0 || lf >= 0) {
      const end = cr < 0 ? lf : lf < 0 ? cr : Math.min(cr, lf);
      this.#take(text.slice(from, end));
      if (this.#broken) return;
      this.#endLine();
      from = end + 1;
      if (end === cr) {
        if (from === text.length) this.#afterCr = true;
        else if (text.charCodeAt(from) === 0x0a) from++;
        cr = text.indexOf('\r', from);
      }
      if (lf >= 0 && lf < from) lf = text.indexOf('\n', from);
    }
    if (from < text.length) this.#take(text.slice(from));
  }

  #take(text: string): void {
    this.#length += text.length;
    if (this.#length > this.#maxLength) {
      this.#break('too long');
      return;
    }
    if (this.#line === '') {
      this.#line = text;
    } else {
      // Joined one by one they would make a string of as many parts, each of which weighs more than it says.
      this.#crumbs.push(text);
      if (this.#crumbs.length >= MAX_CRUMBS) this.#gather();
    }
  }

  #gather(): void {
    if (this.#crumbs.length === 0) return;
    this.#line += this.#crumbs.join('');
    this.#crumbs.length = 0;
  }

  #endLine(): void {
    this.#gather();
    const line = this.#line;
    this.#line = '';
    if (line === '') {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) {
      // A comment counts for nothing, or keep-alives would add up to a limit.
      this.#length -= line.length;
      return;
    }
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1);
    switch (field) {
      case 'data':
        if (this.#data === undefined) this.#data = value;
        else if (this.#moreData === undefined) this.#moreData = [value];
        else this.#moreData.push(value);
        break;
      case 'event':
        this.#event = value;
        break;
      case 'id':
        if (!value.includes('\0')) this.#id = value;
        break;
      case 'retry':
        if (/^\d+$/.test(value)) this.#retry = Number(value);
        break;
    }
  }

  #dispatch(): void {
    this.#length = 0;
    if (this.#data !== undefined || this.#id !== undefined || this.#retry !== undefined) {
      const event: { event: string; data: string; id?: string; retry?: number } = {
        event: this.#event === '' ? 'message' : this.#event,
        data: this.#moreData === undefined ? (this.#data ?? '') : `${this.#data}\n${this.#moreData.join('\n')}`,
      };
      if (this.#id !== undefined) event.id = this.#id;
      if (this.#retry !== undefined) event.retry = this.#retry;
      this.#data = undefined;
      this.#moreData = undefined;
      this.#id = undefined;
      this.#retry = undefined;
      this.#event = '';
      this.#options.onEvent(event);
      return;
    }
    this.#event = '';
  }

  #break(problem: SseProblem): void {
    this.#broken = true;
    this.#line = '';
    this.#crumbs.length = 0;
    this.#data = undefined;
    this.#moreData = undefined;
    this.#options.onProblem(problem);
  }
}

/** One message as an event. The JSON must stand on one line, as `JSON.stringify` writes it. */
export const sseEvent = (json: string): string => `event: message\ndata: ${json}\n\n`;

/** A comment that keeps a quiet stream open (streamable-http, "Receiving Messages"). */
export const SSE_KEEP_ALIVE = ':\n\n';

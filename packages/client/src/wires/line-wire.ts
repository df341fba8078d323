import { DragomanError, type Exchange, type LineProblem } from '@dragoman/protocol';
import { Correlator } from './correlator.ts';
import { LineChannel } from './line-channel.ts';
import { Observers } from './observers.ts';
import { closedHere } from './outcomes.ts';
import type { BytePipe } from './pipe.ts';
import type { CloseReason, Wire, WireObserver } from './wire.ts';

/** The longest message that is read where no option says otherwise, in bytes: 64 MiB. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** The parts of a wire over a byte stream that differ with what is at the other end. */
export interface LineWireParts {
  readonly kind: 'stdio' | 'stream';
  readonly target: string;
  readonly identity: string;
  readonly maxMessageBytes: number | undefined;
  /** Says why the stream ended without our doing. May wait a moment for a process to be reaped. */
  explain(error: Error | undefined): DragomanError | Promise<DragomanError>;
  /** Frees everything: `end` says to the other side that no more will be written, `ended` resolves when nothing more will be read. Called once. */
  shutDown(end: () => void, ended: Promise<void>): Promise<void>;
}

/** A wire over a byte stream: messages in lines, calls joined to answers by a {@link Correlator}. */
export class LineWire implements Wire {
  readonly kind: 'stdio' | 'stream';
  readonly target: string;
  readonly identity: string;
  readonly exchange: Exchange;
  readonly closed: Promise<CloseReason>;
  readonly observers = new Observers();
  readonly #parts: LineWireParts;
  readonly #correlator: Correlator;
  readonly #channel: LineChannel;
  readonly #ended: Promise<void>;
  #resolveEnded!: () => void;
  #resolveClosed!: (reason: CloseReason) => void;
  #closing: Promise<void> | undefined;
  #gone = false;

  constructor(pipe: BytePipe, parts: LineWireParts) {
    this.kind = parts.kind;
    this.target = parts.target;
    this.identity = parts.identity;
    this.#parts = parts;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#correlator = new Correlator(this.observers, (item) => this.#channel.send(item));
    this.exchange = this.#correlator.exchange;
    const maxMessageBytes = parts.maxMessageBytes ?? MAX_MESSAGE_BYTES;
    this.#channel = new LineChannel(pipe, {
      maxMessageBytes,
      onLine: (line) => this.#correlator.receive(line),
      onProblem: (problem, sample) => this.#problem(problem, sample, maxMessageBytes),
      onEnd: (error) => {
        this.#resolveEnded();
        this.peerGone(error);
      },
    });
  }

  #problem(problem: LineProblem, sample: string, maxMessageBytes: number): void {
    if (problem === 'not UTF-8') {
      this.observers.warn('junk', 'The server wrote a line that is not UTF-8', sample);
      return;
    }
    const message = `The server wrote a line of more than ${maxMessageBytes} bytes; raise maxMessageBytes if that is right`;
    this.observers.warn('too-long', message, sample);
    this.#correlator.failOnly(new DragomanError('LIMIT_EXCEEDED', message, { details: { maxMessageBytes } }));
  }

  /** The other side went away: what is pending is rejected as soon as it is known why. Called any number of times. */
  peerGone(error?: Error): void {
    if (this.#gone || this.#closing !== undefined) return;
    this.#gone = true;
    const explained = this.#parts.explain(error);
    if (explained instanceof DragomanError) this.#lost(explained);
    else
      explained.then(
        (reason) => this.#lost(reason),
        (reason: unknown) =>
          this.#lost(new DragomanError('CONNECTION_CLOSED', `${this.target} went away`, { cause: reason })),
      );
  }

  #lost(error: DragomanError): void {
    this.#correlator.fail(error);
    this.#resolveClosed({ by: 'peer', error });
    this.#closing ??= this.#shutDown();
  }

  observe(observer: WireObserver): () => void {
    return this.observers.add(observer);
  }

  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#correlator.fail(closedHere(this.target));
      this.#closing = this.#shutDown().then(() => this.#resolveClosed({ by: 'local' }));
    }
    return this.#closing;
  }

  #shutDown(): Promise<void> {
    return this.#parts
      .shutDown(() => this.#channel.end(), this.#ended)
      .catch((error: unknown) => this.observers.receiverFailed(error));
  }
}

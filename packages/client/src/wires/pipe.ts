import type { Readable, Writable } from 'node:stream';
import { DragomanError, show } from '@dragoman/protocol';

/** What a pipe tells. */
interface PipeSink {
  data(chunk: Uint8Array): void;
  /** Writing may go on after `write` returned false. */
  drained(): void;
  /** Nothing more will come, or nothing more can be written. Called once. */
  ended(error?: Error): void;
}

/** Bytes in both directions, whatever carries them. */
export interface BytePipe {
  /** Starts the flow. Called once. */
  open(sink: PipeSink): void;
  /** False asks to hold back until `drained`. What cannot be written any more is dropped: `ended` tells. */
  write(text: string): boolean;
  /** No more will be written. */
  end(): void;
  /** Frees both directions. No event comes afterwards. */
  destroy(): void;
}

const encoder = new TextEncoder();

/** How long what is already on its way may still be read once nothing can be written any more, in milliseconds. */
const DRAIN = 200;

/** A chunk as bytes. Streams of the user's may carry anything. */
function bytesOf(chunk: unknown): Uint8Array | Error {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk === 'string') return encoder.encode(chunk);
  return new TypeError(`the stream carries ${show(chunk)} where bytes should be`);
}

/** A pipe over two Node streams, which may be one and the same. */
export function nodePipe(readable: Readable, writable: Writable): BytePipe {
  let sink: PipeSink | undefined;
  let broken: Error | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (error?: Error): void => {
    clearTimeout(timer);
    const told = sink;
    sink = undefined;
    told?.ended(error ?? broken);
  };
  // A process that answers and leaves breaks the pipe to it before its answer is read.
  const unwritable = (error?: Error): void => {
    broken ??= error;
    if (sink !== undefined) timer ??= setTimeout(end, DRAIN);
  };
  return {
    open(to) {
      sink = to;
      readable.on('data', (chunk: unknown) => {
        const bytes = bytesOf(chunk);
        if (bytes instanceof Error) end(bytes);
        else sink?.data(bytes);
      });
      readable.on('end', () => end());
      readable.on('close', () => end());
      // Errors are listened to for good: one that comes after the end would otherwise take the whole process down.
      readable.on('error', end);
      writable.on('error', unwritable);
      writable.on('close', () => unwritable());
      writable.on('drain', () => sink?.drained());
      if (readable.readableEnded || readable.destroyed) queueMicrotask(() => end());
      else if (writable.destroyed) unwritable();
    },
    write: (text) => sink === undefined || !writable.writable || writable.write(text),
    end() {
      if (writable.writable) writable.end();
    },
    destroy() {
      clearTimeout(timer);
      sink = undefined;
      readable.destroy();
      writable.destroy();
    },
  };
}

/** A pipe over two web streams. */
export function webPipe(readable: ReadableStream<Uint8Array>, writable: WritableStream<Uint8Array>): BytePipe {
  if (readable.locked || writable.locked) {
    throw new DragomanError('INVALID_ARGUMENT', 'A stream target needs two streams that nobody else reads or writes');
  }
  const reader = readable.getReader();
  const writer = writable.getWriter();
  let sink: PipeSink | undefined;
  const end = (error?: unknown): void => {
    const told = sink;
    sink = undefined;
    told?.ended(error === undefined || error instanceof Error ? error : new Error(String(error)));
  };
  const ignore = (): void => undefined;
  return {
    open(to) {
      sink = to;
      const read = ({ done, value }: ReadableStreamReadResult<Uint8Array>): void => {
        if (done) {
          end();
          return;
        }
        const bytes = bytesOf(value);
        if (bytes instanceof Error) {
          end(bytes);
          return;
        }
        sink?.data(bytes);
        reader.read().then(read, end);
      };
      reader.read().then(read, end);
      writer.closed.then(() => end(), end);
    },
    write(text) {
      if (sink === undefined) return true;
      writer.write(encoder.encode(text)).catch(end);
      if ((writer.desiredSize ?? 1) > 0) return true;
      writer.ready.then(() => sink?.drained(), ignore);
      return false;
    },
    end() {
      writer.close().catch(ignore);
    },
    destroy() {
      sink = undefined;
      reader.cancel().catch(ignore);
      writer.abort().catch(ignore);
    },
  };
}

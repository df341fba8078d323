import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TraceEvent } from '@dragoman/client';
import { DragomanError } from '@dragoman/protocol';

/** Writes what passes over the wire as JSON lines. */
export interface TraceFile {
  write(event: TraceEvent): void;
  close(): void;
}

/** Opens the file, readable by its owner alone. Throws INVALID_ARGUMENT before anything is sent. */
export function openTrace(name: string, cwd: string): TraceFile {
  const path = resolve(cwd, name);
  if (/\.har$/i.test(path)) {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `--trace ${name}: HAR comes with a later version; name the file .jsonl`,
    );
  }
  let file: number | undefined;
  try {
    file = openSync(path, 'w', 0o600);
  } catch (cause) {
    throw new DragomanError('INVALID_ARGUMENT', `--trace: cannot write ${path}: ${(cause as Error).message}`, {
      cause,
    });
  }
  return {
    write(event) {
      if (file !== undefined) writeSync(file, `${JSON.stringify(traceLine(event))}\n`);
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** One event as it is written: the time for people, a message as JSON rather than as text within JSON. */
export function traceLine(event: TraceEvent): object {
  const { at, ...rest } = event;
  const time = new Date(at).toISOString();
  if (rest.type === 'message') {
    const { text, ...more } = rest;
    try {
      return { time, ...more, message: JSON.parse(text) as unknown };
    } catch {
      return { time, ...rest };
    }
  }
  if (rest.type === 'http-end' && rest.error !== undefined) return { time, ...rest, error: rest.error.message };
  return { time, ...rest };
}

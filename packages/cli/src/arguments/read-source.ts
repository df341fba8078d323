import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import type { Terminal } from '../terminal/terminal.ts';

/** Reads what an argument names: a file, or standard input once. */
export interface Sources {
  /** @param name a file, or `-` for standard input. @param what the argument it is for. Throws INVALID_ARGUMENT. */
  text(name: string, what: string): Promise<string>;
}

/** Sources of a terminal. */
export function sourcesOf(terminal: Terminal): Sources {
  let taken: string | undefined;
  return {
    async text(name, what) {
      if (name !== '-') return decode(readFile(resolve(terminal.cwd, name), what), what);
      if (taken !== undefined) throw wrong(`${what}: standard input is read for ${taken} already`);
      taken = what;
      const chunks: Buffer[] = [];
      for await (const chunk of terminal.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
      return decode(Buffer.concat(chunks), what);
    },
  };
}

function readFile(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const reason =
      (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (cause as Error).message;
    throw new DragomanError('INVALID_ARGUMENT', `${what}: cannot read ${path}: ${reason}`, { cause });
  }
}

function decode(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrong(`${what}: what was read is not UTF-8 text`);
  }
}

const wrong = (message: string): DragomanError => new DragomanError('INVALID_ARGUMENT', message);

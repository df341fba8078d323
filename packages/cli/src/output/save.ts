import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DragomanError, type JsonObject } from '@dragoman/protocol';
import { isObject } from '../arguments/schema-document.ts';
import { compactJson } from './json.ts';

/** Text from this size on goes to a file, in bytes. Shorter text is shown. */
export const LARGE_TEXT = 32 * 1024;

const extensions = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
  ['image/avif', 'avif'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/flac', 'flac'],
  ['audio/mp4', 'm4a'],
  ['video/mp4', 'mp4'],
  ['application/pdf', 'pdf'],
  ['application/json', 'json'],
  ['application/zip', 'zip'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/html', 'html'],
  ['text/csv', 'csv'],
  ['text/css', 'css'],
  ['text/javascript', 'js'],
]);

/**
 * Makes a file name of what a server calls something: no folders, no leading dots, no characters or names that a file
 * system takes for something else, at most 100 characters.
 */
export function safeName(name: string, mimeType: string | undefined, fallback: string): string {
  const decoded = decode(name);
  const last =
    decoded
      .split(/[/\\]/)
      .filter((part) => !/^\.*$/.test(part))
      .at(-1) ?? '';
  const clean = last
    .normalize('NFC')
    .replace(/[\p{C}<>:"|?*%]/gu, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '');
  const [stem = '', extension] = splitExtension(clean.slice(0, 100));
  const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|clock\$)$/i.test(stem.split('.')[0]!);
  const base = stem === '' ? fallback : reserved ? `_${stem}` : stem;
  const suffix = extension ?? extensions.get((mimeType ?? '').split(';')[0]!.trim().toLowerCase()) ?? 'bin';
  return `${base}.${suffix}`;
}

function splitExtension(name: string): [string, string | undefined] {
  const match = /^(.+)\.([A-Za-z0-9]{1,10})$/.exec(name);
  return match === null ? [name, undefined] : [match[1]!, match[2]!];
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Writes a new file; never over another, and never through a link. Returns its path. */
export function writeNew(dir: string, name: string, bytes: Uint8Array): string {
  const dot = name.lastIndexOf('.');
  for (let n = 1; n < 10_000; n += 1) {
    const path = join(dir, n === 1 ? name : `${name.slice(0, dot)}-${n}${name.slice(dot)}`);
    let file: number;
    try {
      // O_EXCL refuses an existing name, a dangling link included.
      file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw failed(path, cause);
    }
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    } catch (cause) {
      throw failed(path, cause);
    } finally {
      closeSync(file);
    }
    return path;
  }
  throw new DragomanError('INVALID_ARGUMENT', `--save: ${dir} holds 10,000 files called ${name} already`);
}

const failed = (path: string, cause: unknown): DragomanError =>
  new DragomanError('INVALID_ARGUMENT', `--save: cannot write ${path}: ${(cause as Error).message}`, { cause });

/** Makes the directory. Before anything is sent, so that a result is not lost to a typing error. */
export function prepareDirectory(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (cause) {
    throw failed(dir, cause);
  }
}

/** Saves what is not short text among blocks of content or contents of a resource; returns the paths by part. */
export function saveParts(
  parts: readonly unknown[],
  dir: string,
  warn: (message: string) => void,
): Map<unknown, string> {
  const saved = new Map<unknown, string>();
  parts.forEach((part, i) => {
    if (!isObject(part)) return;
    const inner = part.type === 'resource' && isObject(part.resource) ? part.resource : part;
    const bytes = bytesOf(inner, warn);
    if (bytes === undefined) return;
    const label = typeof inner.uri === 'string' ? inner.uri : typeof inner.name === 'string' ? inner.name : '';
    const type =
      typeof inner.mimeType === 'string' ? inner.mimeType : typeof inner.text === 'string' ? 'text/plain' : undefined;
    const fallback = `${typeof part.type === 'string' && /^[a-z]+$/.test(part.type) ? part.type : 'contents'}-${i + 1}`;
    saved.set(inner, writeNew(dir, safeName(label, type, fallback), bytes));
  });
  return saved;
}

function bytesOf(part: JsonObject, warn: (message: string) => void): Uint8Array | undefined {
  if (typeof part.text === 'string') {
    return Buffer.byteLength(part.text) >= LARGE_TEXT ? Buffer.from(part.text) : undefined;
  }
  const base64 = typeof part.data === 'string' ? part.data : part.blob;
  if (typeof base64 !== 'string') return undefined;
  const bytes = decodeBase64(base64);
  if (bytes === undefined) warn(`what should be Base64 is not, and was not saved: ${compactJson(base64.slice(0, 40))}`);
  return bytes;
}

/** Decodes Base64 (RFC 4648 §4); undefined where it is not. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 === 1) return undefined;
  return Buffer.from(text, 'base64');
}

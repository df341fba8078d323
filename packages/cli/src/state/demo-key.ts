import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '../arguments/schema-document.ts';
import { readJsonFile, writeAtomic } from './atomic-file.ts';

/**
 * The key that the demo server seals its questions with, kept on disk so that a call that stopped for want of an answer can
 * be gone on with by another run.
 */
export function demoKey(directory: string): { readonly id: string; readonly secret: string } {
  const path = join(directory, 'demo-key.json');
  const known = readJsonFile(path);
  if (isObject(known) && typeof known.secret === 'string' && known.secret.length >= 32)
    return { id: 'demo', secret: known.secret };
  const secret = randomBytes(32).toString('base64url');
  try {
    writeAtomic(path, `${JSON.stringify({ secret })}\n`);
  } catch {
    // Without a place to keep it the key holds for this run, like that of any server that was given none.
  }
  return { id: 'demo', secret };
}

import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './compile.ts';

/**
 * A directory of one's own, from which packages are found as from anywhere in the repository. Whoever makes it removes it.
 * Several runs of the tests may be under way at once.
 */
export function makeScratch(name: string): string {
  const directory = join(root, 'node_modules', '.dragoman');
  mkdirSync(directory, { recursive: true });
  return mkdtempSync(join(directory, `${name}-`));
}

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DragomanError, type Root } from '@dragoman/protocol';

/** The roots that `--root NAME=PATH` names, each a folder or file that exists. Throws INVALID_ARGUMENT. */
export function rootsOf(given: readonly (readonly [name: string, path: string])[], cwd: string): Root[] {
  return given.map(([name, path]) => {
    const whole = resolve(cwd, path);
    try {
      statSync(whole);
    } catch (cause) {
      throw new DragomanError('INVALID_ARGUMENT', `--root ${name}: there is nothing at ${whole}`, { cause });
    }
    return { name, uri: pathToFileURL(whole).href };
  });
}

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where this program keeps what outlives a run: the XDG directories, and their like on Windows (XDG Base Directory 0.8). */
export interface Directories {
  /** What should survive: verdicts, saved calls. */
  readonly state: string;
  /** What may be thrown away at any time: responses. */
  readonly cache: string;
}

export function directoriesOf(env: NodeJS.ProcessEnv): Directories {
  const local = process.platform === 'win32' ? absolute(env.LOCALAPPDATA) : undefined;
  const home = absolute(env.HOME) ?? homedir();
  return {
    state: join(absolute(env.XDG_STATE_HOME) ?? local ?? join(home, '.local', 'state'), 'dragoman'),
    cache: join(
      absolute(env.XDG_CACHE_HOME) ?? (local === undefined ? join(home, '.cache') : join(local, 'cache')),
      'dragoman',
    ),
  };
}

/** A relative path is to be ignored, says the specification. */
const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && isAbsolute(path) ? path : undefined;

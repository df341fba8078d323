// One lock file, so that two commands started at once do not install or build over each other.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const POLL_MS = 200;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM'; // alive, and somebody else's
  }
}

/** The process that holds the lock; 0 where the holder is gone, or died before it wrote its number. */
function holder(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return pid > 0 && isAlive(pid) ? pid : 0;
  } catch {
    return 0;
  }
}

function tryTake(path) {
  try {
    const fd = openSync(path, 'wx');
    writeSync(fd, String(process.pid));
    closeSync(fd);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Runs `work` while holding the lock at `path`. A lock whose holder is gone is taken over.
 * @param {(pid: number) => void} onWait called once when somebody else holds it.
 */
export async function withLock(path, work, onWait = () => {}) {
  mkdirSync(dirname(path), { recursive: true });
  let waited = false;
  let orphanSince = 0;
  while (!tryTake(path)) {
    const pid = holder(path);
    if (pid === 0) {
      // A lock without a living holder may be one that is just being written: give it one more look.
      if (orphanSince && Date.now() - orphanSince >= POLL_MS) {
        rmSync(path, { force: true });
        continue;
      }
      orphanSince ||= Date.now();
    } else {
      orphanSince = 0;
      if (!waited) onWait(pid);
      waited = true;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

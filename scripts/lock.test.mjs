import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock.mjs';

let base;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'dragoman-lock-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('one at a time, and the second is told who it waits for', async () => {
  const path = join(base, 'lock');
  const seen = [];
  let release;
  const gate = new Promise((resolve) => {
    release = resolve;
  });
  const first = withLock(path, async () => {
    await gate;
    seen.push('first');
  });
  const second = withLock(
    path,
    () => seen.push('second'),
    (pid) => {
      seen.push(pid);
      release();
    },
  );
  await Promise.all([first, second]);
  expect(seen).toEqual([process.pid, 'first', 'second']);
  expect(existsSync(path)).toBe(false);
});

test('a lock whose holder is gone is taken over', async () => {
  const path = join(base, 'lock');
  writeFileSync(path, '2147483646');
  expect(await withLock(path, () => 'done')).toBe('done');
});

test('work that fails lets go', async () => {
  const path = join(base, 'lock');
  await expect(
    withLock(path, () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(existsSync(path)).toBe(false);
});

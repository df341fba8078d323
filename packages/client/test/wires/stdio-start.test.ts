import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { connect, MemoryVerdicts } from '../../src/index.ts';
import { rejection } from './far-side.ts';
import { lives, temporary } from './process-far-side.ts';

const directory = temporary();
afterAll(() => directory.remove());

/** Starts a program that notes each start in a file; resolves to how that failed, and the process ids. */
async function failure(name: string, program: string, startTimeout?: number) {
  const path = join(directory.path, name);
  const source = `require('node:fs').appendFileSync(${JSON.stringify(path)}, process.pid + '\\n');${program}`;
  const error = await rejection(
    connect(
      { command: process.execPath, args: ['-e', source] },
      { verdicts: new MemoryVerdicts(), ...(startTimeout === undefined ? {} : { startTimeout }) },
    ),
  );
  const pids = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(Number) : [];
  return { error, pids };
}

test('[P02] a server that never answers is given up at the deadline, and ended behind it', async () => {
  const { error, pids } = await failure('silent', 'process.stdin.resume();', 500);
  expect(error).toMatchObject({ code: 'LEGACY_SERVER' });
  expect(pids).toHaveLength(1);
  await expect.poll(() => lives(pids[0] as number), { timeout: 5_000 }).toBe(false);
});

test('[P14] [T10] a server that fails is started once, and what it said is told', async () => {
  const { error, pids } = await failure('broken', `console.error('no such config: x.json'); process.exitCode = 3;`);
  expect(error.message).toContain('no such config: x.json');
  expect(pids).toHaveLength(1);
});

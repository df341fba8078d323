import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchProcessGroup } from '../../src/wires/process-group.ts';
import { lives, temporary } from './process-far-side.ts';

/** A child that ends for nothing but SIGKILL, and starts one more like itself. */
const STUBBORN = `
process.on('SIGTERM', () => {});
setInterval(() => {}, 1000);
if (process.argv[2] === 'leader') {
  const child = require('node:child_process').spawn(process.execPath, [__filename], { stdio: 'ignore' });
  child.once('spawn', () => process.stdout.write(process.pid + ' ' + child.pid + '\\n'));
}
`;

const directory = temporary();
let stubborn: string;

beforeAll(() => {
  stubborn = directory.write('stubborn.cjs', STUBBORN);
  const url = new URL('../../src/wires/process-group.ts', import.meta.url);
  const { outputText } = ts.transpileModule(readFileSync(url, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  directory.write('process-group.mjs', outputText);
});
afterAll(() => directory.remove());

/** Runs a program that watches a stubborn child and then ends as told; says which processes there were. */
async function parent(ending: string): Promise<{ process: ChildProcess; pids: number[] }> {
  const program = directory.write(
    'parent.mjs',
    `import { spawn } from 'node:child_process';
     import { watchProcessGroup } from './process-group.mjs';
     const child = spawn(process.execPath, [${JSON.stringify(stubborn)}, 'leader'], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
     const group = watchProcessGroup(child.pid);
     child.stdout.once('data', (text) => { process.stdout.write(text); setImmediate(() => { ${ending} }); });`,
  );
  const process_ = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface(process_.stdout), 'line')) as [string];
  return { process: process_, pids: line.split(' ').map(Number) };
}

describe.runIf(process.platform !== 'win32')('[T08] nothing is left behind', () => {
  test.each([
    ['exits', 'process.exit(0)', 0],
    ['throws', 'throw new Error("crash")', 1],
    ['rejects', 'Promise.reject(new Error("crash"))', 1],
    [
      'exits in its own way on a signal',
      `process.on('SIGTERM', () => process.exit(7)); process.kill(process.pid, 'SIGTERM')`,
      7,
    ],
  ])('by a process that %s', async (_how, ending, code) => {
    const { process: ended, pids } = await parent(ending);
    expect(await once(ended, 'exit')).toEqual([code, null]);
    expect(pids).toHaveLength(2);
    await expect.poll(() => pids.filter(lives)).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by a process that %s ends', async (signal) => {
    const { process: ended, pids } = await parent('');
    ended.kill(signal);
    expect(await once(ended, 'exit')).toEqual([null, signal]);
    await expect.poll(() => pids.filter(lives)).toEqual([]);
  });

  test('a group that was released is left alone, and the process ends by itself', async () => {
    const { process: ended, pids } = await parent(
      'group.release(); child.unref(); child.stdout.destroy(); child.stdin.destroy()',
    );
    expect(await once(ended, 'exit')).toEqual([0, null]);
    expect(pids.filter(lives)).toEqual(pids);
    process.kill(-(pids[0] as number), 'SIGKILL');
  });

  test('one hook serves all groups, and is gone with the last', async () => {
    const count = () => process.listenerCount('exit') + process.listenerCount('SIGTERM');
    const before = count();
    const children = [0, 1].map(() => spawn(process.execPath, ['-e', ''], { detached: true, stdio: 'ignore' }));
    const groups = children.map((child) => watchProcessGroup(child.pid as number));
    expect(count()).toBe(before + 2);
    for (const group of groups) group.release();
    expect(count()).toBe(before);
    await Promise.all(children.map((child) => once(child, 'exit')));
  });
});

// npm run runtimes: the examples on Bun and on Deno, which are fetched from npm. Ends with N passed, N failed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled } from './ensure.mjs';
import { npmBinary } from './npm-binary.mjs';
import { main, root, stateDir } from './workspace.mjs';

const bun = {
  title: 'Bun',
  version: '1.4.5',
  file: 'bin/bun',
  remedy: 'give the path of one in DRAGOMAN_BUN',
  packages: new Map([
    ['linux-x64', '@oven/bun-linux-x64'],
    ['linux-arm64', '@oven/bun-linux-aarch64'],
    ['darwin-x64', '@oven/bun-darwin-x64'],
    ['darwin-arm64', '@oven/bun-darwin-aarch64'],
    ['win32-x64', '@oven/bun-windows-x64'],
    ['win32-arm64', '@oven/bun-windows-aarch64'],
  ]),
};
const deno = {
  title: 'Deno',
  version: '2.9.6',
  file: 'deno',
  remedy: 'give the path of one in DRAGOMAN_DENO',
  packages: new Map([
    ['linux-x64', '@deno/linux-x64-glibc'],
    ['linux-arm64', '@deno/linux-arm64-glibc'],
    ['darwin-x64', '@deno/darwin-x64'],
    ['darwin-arm64', '@deno/darwin-arm64'],
    ['win32-x64', '@deno/win32-x64'],
    ['win32-arm64', '@deno/win32-arm64'],
  ]),
};

await main(async () => {
  await ensureInstalled();
  const env = {
    ...process.env,
    DRAGOMAN_BUN: process.env.DRAGOMAN_BUN ?? (await npmBinary(bun, stateDir)),
    DRAGOMAN_DENO: process.env.DRAGOMAN_DENO ?? (await npmBinary(deno, stateDir)),
  };
  const args = [join(root, 'scripts', 'test.mjs'), 'examples/runtimes.test.ts'];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
});

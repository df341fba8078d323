import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installedMatchesLock, lockMatchesManifests } from './lockfile.mjs';

let base;
const put = (path, value) => {
  mkdirSync(join(base, path, '..'), { recursive: true });
  writeFileSync(join(base, path), JSON.stringify(value));
};
const lock = () => ({
  packages: {
    '': { devDependencies: { a: '^1.0.0' } },
    'packages/one': { dependencies: { b: '2.0.0' } },
    'node_modules/a': { version: '1.2.0', integrity: 'x' },
    'node_modules/b': { version: '2.0.0', integrity: 'y' },
    'node_modules/one': { resolved: 'packages/one', link: true },
    'node_modules/elsewhere': { version: '1.0.0', integrity: 'z', optional: true },
  },
});
const installed = () => {
  const { '': _, 'packages/one': workspace, 'node_modules/elsewhere': __, ...rest } = lock().packages;
  return { packages: { 'packages/one': workspace, ...rest } };
};

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'dragoman-lock-'));
  put('package.json', { devDependencies: { a: '^1.0.0' } });
  put('packages/one/package.json', { name: 'one', dependencies: { b: '2.0.0' } });
  put('package-lock.json', lock());
  put('node_modules/.package-lock.json', installed());
  for (const name of ['a', 'b', 'one']) mkdirSync(join(base, 'node_modules', name));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('an installation that npm made is recognised without a stamp of ours', () => {
  expect(lockMatchesManifests(base)).toBe(true);
  expect(installedMatchesLock(base)).toBe(true);
});

test('a dependency added by hand is not in the lock', () => {
  put('packages/one/package.json', { name: 'one', dependencies: { b: '2.0.0', c: '1.0.0' } });
  expect(lockMatchesManifests(base)).toBe(false);
});

test('a package of the workspace that the lock has not seen', () => {
  put('packages/two/package.json', { name: 'two' });
  expect(lockMatchesManifests(base)).toBe(false);
});

test('another version in node_modules', () => {
  const other = installed();
  other.packages['node_modules/a'].version = '1.1.0';
  put('node_modules/.package-lock.json', other);
  expect(installedMatchesLock(base)).toBe(false);
});

test('a directory that was deleted', () => {
  rmSync(join(base, 'node_modules/b'), { recursive: true });
  expect(installedMatchesLock(base)).toBe(false);
});

test('something installed that the lock does not know', () => {
  const more = installed();
  more.packages['node_modules/stray'] = { version: '1.0.0' };
  put('node_modules/.package-lock.json', more);
  expect(installedMatchesLock(base)).toBe(false);
});

test('nothing installed, and no lock', () => {
  rmSync(join(base, 'node_modules'), { recursive: true });
  expect(installedMatchesLock(base)).toBe(false);
  rmSync(join(base, 'package-lock.json'));
  expect(lockMatchesManifests(base)).toBe(false);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { namesWhatIsThere } from './installed.mjs';

let modules;
beforeEach(() => {
  modules = mkdtempSync(join(tmpdir(), 'dragoman-installed-'));
});
afterEach(() => rmSync(modules, { recursive: true, force: true }));

const whole = {
  name: 'one',
  description: 'One',
  keywords: ['one'],
  license: 'Apache-2.0',
  engines: { node: '>=20.19' },
  files: ['dist'],
  sideEffects: false,
  exports: { '.': { 'dragoman-source': './src/index.ts', types: './dist/index.d.mts', default: './dist/index.mjs' } },
  imports: { '#part': { node: './dist/part.mjs', default: './dist/index.mjs' } },
  bin: { one: './dist/one.mjs' },
};

/** Lays out a package and tells what is said of it. */
function judged(manifest, files) {
  for (const file of files) {
    const path = join(modules, 'one', file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
  }
  writeFileSync(join(modules, 'one', 'package.json'), JSON.stringify(manifest));
  return namesWhatIsThere({ name: 'one' }, modules)?.split('\n');
}

const files = ['README.md', 'LICENSE', 'dist/index.mjs', 'dist/index.d.mts', 'dist/part.mjs', 'dist/one.mjs'];

test('a package whose manifest is right is let through', () => {
  expect(judged(whole, files)).toBeUndefined();
});

test('each thing that is not there is named', () => {
  const { keywords, ...rest } = whole;
  expect(keywords).toBeDefined();
  expect(judged(rest, ['dist/index.mjs'])).toEqual([
    './dist/index.d.mts is not in the tarball',
    './dist/part.mjs is not in the tarball',
    './dist/one.mjs is not in the tarball',
    'package.json has no "keywords"',
    'there is no README.md',
    'there is no LICENSE',
  ]);
});

test('sources and tests have no place in a package', () => {
  const [source, test, ...more] = judged(whole, [...files, 'src/index.ts', 'test.d.mts/one.test.mjs']);
  expect(source).toMatch(/src.index\.ts is of no use$/);
  expect(test).toMatch(/one\.test\.mjs is of no use$/);
  expect(more).toEqual([]);
});

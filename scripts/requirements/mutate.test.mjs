import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../workspace.mjs';
import { page } from './mutate.mjs';
import { mutations } from './mutations.mjs';

test('forty rules and more are broken, none twice, each in files that are there', () => {
  expect(mutations.length).toBeGreaterThanOrEqual(40);
  expect(new Set(mutations.map(({ id }) => id)).size).toBe(mutations.length);
  const missing = mutations
    .flatMap(({ file, test: tests }) => [file, tests])
    .filter((path) => !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});

test('docs/requirements-mutations.md tells of these and no others, each noticed', () => {
  const text = readFileSync(join(root, 'docs', 'requirements-mutations.md'), 'utf8');
  expect([...text.matchAll(/^\| ([A-Z]+-\d+) /gm)].map(([, id]) => id)).toEqual(mutations.map(({ id }) => id));
  expect(text).not.toContain('| none |');
});

test('the page has a row for each, cells escaped', () => {
  const outcome = { id: 'A-01', file: 'a.ts', what: 'a | b', from: 'a', to: 'b', test: 'a.test.ts' };
  const text = page([
    { ...outcome, noticed: '[A-01] x | y' },
    { ...outcome, id: 'A-02', noticed: undefined },
  ]);
  expect(text.split('\n').filter((line) => line.startsWith('| A-'))).toEqual([
    '| A-01 | a.ts | a \\| b | [A-01] x \\| y (a.test.ts) |',
    '| A-02 | a.ts | a \\| b | none |',
  ]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, workspacePackages } from './workspace.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

function used() {
  const manifests = [JSON.parse(read('package.json')), ...workspacePackages().map((p) => p.manifest)];
  const own = new Set(manifests.map((m) => m.name));
  const names = manifests.flatMap((m) => kinds.flatMap((kind) => Object.keys(m[kind] ?? {})));
  return [...new Set(names)].filter((name) => !own.has(name)).sort();
}

test('docs/dependencies.md has a row for every dependency, and for nothing else', () => {
  const firstCells = read('docs/dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1]);
  const documented = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]));
  expect(documented.sort()).toEqual(used());
});

test('package-lock.json names no registry', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const resolved = Object.entries(packages).filter(([, entry]) => entry.resolved && !entry.link);
  expect(resolved).toEqual([]);
});

// Reads what npm wrote down, to tell whether npm has anything to do.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { workspacePackages } from './workspace.mjs';

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

/** Whether package-lock.json was made from the package.json files as they are now. */
export function lockMatchesManifests(base) {
  const lock = readJson(join(base, 'package-lock.json'));
  if (!lock) return false;
  const manifests = new Map([['', readJson(join(base, 'package.json'))]]);
  for (const pkg of workspacePackages(base)) manifests.set(`packages/${pkg.dir.split(/[\\/]/).at(-1)}`, pkg.manifest);
  for (const [path, manifest] of manifests) {
    const locked = lock.packages[path];
    if (!locked) return false;
    for (const kind of KINDS) if (!isDeepStrictEqual(locked[kind] ?? {}, manifest[kind] ?? {})) return false;
  }
  return true;
}

/** Whether node_modules holds what package-lock.json asks for, by npm's own record of what it installed. */
export function installedMatchesLock(base) {
  const lock = readJson(join(base, 'package-lock.json'));
  const installed = readJson(join(base, 'node_modules', '.package-lock.json'));
  if (!lock || !installed) return false;
  const wanted = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'));
  for (const [path, entry] of wanted) {
    const have = installed.packages[path];
    // What is meant for another platform is not installed, and need not be.
    if (!have && (entry.optional || entry.devOptional || entry.peer)) continue;
    if (!have || have.version !== entry.version || have.integrity !== entry.integrity) return false;
    if (entry.link && have.resolved !== entry.resolved) return false;
    if (!existsSync(join(base, path))) return false;
  }
  const paths = new Set(wanted.map(([path]) => path));
  return Object.keys(installed.packages).every((path) => !path.includes('node_modules/') || paths.has(path));
}

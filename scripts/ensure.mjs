// Brings node_modules and dist up to date, and does nothing, silently, when they are.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withLock } from './lock.mjs';
import { installedMatchesLock, lockMatchesManifests } from './lockfile.mjs';
import {
  binOf,
  filesBelow,
  hashFiles,
  must,
  npmCommand,
  root,
  StepFailed,
  stateDir,
  step,
  workspacePackages,
} from './workspace.mjs';

// Not in node_modules: `npm ci` empties that while we hold the lock.
const lockPath = join(root, '.stamps', 'lock');
const onWait = (pid) => process.stderr.write(`waiting for another install or build (process ${pid})\n`);

function readStamp(name) {
  const path = join(stateDir, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function writeStamp(name, value) {
  const path = join(stateDir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, value);
}

const lockfile = join(root, 'package-lock.json');
const installHash = () =>
  hashFiles([
    lockfile,
    join(root, 'package.json'),
    join(root, '.npmrc'),
    ...workspacePackages().map((p) => join(p.dir, 'package.json')),
  ]);

function isInstalled() {
  if (readStamp('install') === installHash()) return true;
  // Somebody may have run npm themselves: what npm wrote down about node_modules tells.
  if (!lockMatchesManifests(root) || !installedMatchesLock(root)) return false;
  writeStamp('install', installHash());
  return true;
}

/** Installs what package-lock.json asks for, unless it is there already. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock(
    lockPath,
    async () => {
      if (isInstalled()) return;
      // A manifest that was edited by hand needs a new lock; in CI that is a mistake, which `npm ci` reports.
      const clean = existsSync(lockfile) && (process.env.CI || lockMatchesManifests(root));
      const verb = clean ? 'ci' : 'install';
      const npm = npmCommand();
      await step(`installing dependencies (npm ${verb})`, () =>
        must(
          `npm ${verb}`,
          npm.command,
          [...npm.args, verb, '--no-audit', '--no-fund', '--loglevel=error'],
          npm.options,
        ),
      );
      writeStamp('install', installHash());
    },
    onWait,
  );
}

/** Files whose change makes a package's dist stale; tests do not. */
function inputsOf(pkg) {
  const own = ['package.json', 'tsdown.config.ts', 'tsconfig.json'].map((name) => join(pkg.dir, name));
  // The demo server is no package and goes into the command's bundle.
  const bundled = pkg.name === 'dragoman' ? filesBelow(join(root, 'examples', 'demo')) : [];
  const sources = [...filesBelow(join(pkg.dir, 'src')), ...bundled].filter(
    (file) => !/\.test\.[cm]?[jt]sx?$/.test(file),
  );
  return [...own, ...sources];
}

/** Hash of each package's inputs, its dependencies' included; in dependency order. */
function buildHashes(packages) {
  const common = hashFiles([lockfile, join(root, 'tsconfig.json'), join(root, 'scripts', 'third-party.ts')]);
  const byName = new Map(packages.map((p) => [p.name, p]));
  const hashes = new Map();
  const hashOf = (pkg) => {
    const known = hashes.get(pkg.name);
    if (known) return known;
    const needs = pkg.needs.map((name) => hashOf(byName.get(name)));
    const hash = createHash('sha256')
      .update([common, hashFiles(inputsOf(pkg)), ...needs].join())
      .digest('hex');
    hashes.set(pkg.name, hash);
    return hash;
  };
  packages.forEach(hashOf);
  return hashes;
}

/** Every file in dist that package.json promises. */
function promisedFiles(pkg) {
  const out = [];
  const walk = (value) => {
    if (typeof value === 'string') {
      if (value.startsWith('./dist/')) out.push(join(pkg.dir, value));
    } else if (value) Object.values(value).forEach(walk);
  };
  walk(pkg.manifest.exports);
  walk(pkg.manifest.imports);
  walk(pkg.manifest.bin);
  return out;
}

/** Packages with these names and all that they need; every package where no names are given. */
function closure(packages, names) {
  if (!names) return packages;
  const chosen = new Set();
  const visit = (name) => {
    if (chosen.has(name)) return;
    chosen.add(name);
    packages.find((p) => p.name === name)?.needs.forEach(visit);
  };
  names.forEach(visit);
  return packages.filter((p) => chosen.has(p.name));
}

function stalePackages(names) {
  const buildable = workspacePackages().filter((p) => existsSync(join(p.dir, 'tsdown.config.ts')));
  const packages = closure(buildable, names);
  const hashes = buildHashes(packages);
  return [...hashes.keys()]
    .map((name) => ({ ...packages.find((p) => p.name === name), hash: hashes.get(name) }))
    .filter((p) => readStamp(`build/${p.name}`) !== p.hash || !promisedFiles(p).every((file) => existsSync(file)));
}

async function build(pkg) {
  rmSync(join(stateDir, 'build', pkg.name), { force: true });
  await must(`building ${pkg.name}`, process.execPath, [binOf('tsdown'), '--logLevel', 'warn'], {
    cwd: pkg.dir,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const missing = promisedFiles(pkg).find((file) => !existsSync(file));
  if (missing)
    throw new StepFailed(`building ${pkg.name} made no ${relative(root, missing)}, which package.json names`);
  writeStamp(`build/${pkg.name}`, pkg.hash);
}

/**
 * Builds the packages whose sources, configuration or dependencies changed since their last build.
 * @param {string[]} [names] only these, and what they need
 */
export async function ensureBuilt(names) {
  if (stalePackages(names).length === 0) return;
  await withLock(
    lockPath,
    async () => {
      const stale = stalePackages(names);
      if (stale.length === 0) return;
      const running = new Map();
      const start = (pkg) => {
        const needs = pkg.needs.map((need) => running.get(need)).filter(Boolean);
        const work = Promise.all(needs).then(() => build(pkg));
        running.set(pkg.name, work);
        return work;
      };
      await step(`building ${stale.map((p) => p.name).join(', ')}`, async () => {
        // Dependencies come first in `stale`, so every promise that is waited for exists already.
        const results = await Promise.allSettled(stale.map(start));
        const failed = results.find((r) => r.status === 'rejected');
        if (failed) throw failed.reason;
      });
    },
    onWait,
  );
}

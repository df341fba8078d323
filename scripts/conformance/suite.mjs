// The official conformance suite: what it requires of a revision, how it is run, and what it writes down.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { LTS, nodeBinary } from '../node-binary.mjs';
import { capture, root, StepFailed, stateDir } from '../workspace.mjs';

const dir = join(root, 'node_modules', '@modelcontextprotocol', 'conformance');
const entry = join(dir, 'dist', 'index.js');

export const version = () => JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')).version;

/** The frozen requirement set of a revision: which scenarios are scored, and which only run. */
export function requirementSet(revision) {
  const folder = join(dir, 'requirements');
  const known = readdirSync(folder).map((name) => name.replace(/\.yaml$/, ''));
  if (!known.includes(revision)) {
    throw new StepFailed(`the suite has no requirement set for "${revision}": it has ${known.join(', ')}`);
  }
  const yaml = createRequire(entry)('yaml');
  const set = yaml.parse(readFileSync(join(folder, `${revision}.yaml`), 'utf8'));
  return { server: set.server ?? [], client: set.client ?? [], notScored: set.not_scored ?? [] };
}

/** A Node that can run the suite, which needs 22; ours may be older, and stays the one that runs our own code. */
export async function suiteNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  return nodeBinary(LTS, stateDir);
}

/** Runs the suite; `show` lets a person watch. Resolves to `{ code, output }`. */
export async function runSuite(node, args, show) {
  if (!show) return capture(node, [entry, ...args]);
  const child = spawn(node, [entry, ...args], { cwd: root, stdio: ['ignore', process.stderr, process.stderr] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: '' }));
  });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // cut short: judged as a scenario that left no results
  }
}

/** Reads the checks of every scenario in a results directory. @returns {Map<string, import('./judge.mjs').Check[]>} */
export function readResults(directory, leg) {
  const found = new Map();
  const visit = (folder, name) => {
    const file = join(folder, 'checks.json');
    if (existsSync(file)) {
      const scenario = name.replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
      const bare = leg === 'server' ? scenario.replace(/^server-/, '') : scenario;
      found.set(bare, parse(readFileSync(file, 'utf8')));
      return;
    }
    for (const child of readdirSync(folder, { withFileTypes: true })) {
      if (child.isDirectory()) visit(join(folder, child.name), name ? `${name}/${child.name}` : child.name);
    }
  };
  if (existsSync(directory)) visit(directory, '');
  return found;
}

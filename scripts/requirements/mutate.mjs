// Breaks rules in a copy of the repository, one at a time, and tells whether the tests that name them fail. The working
// tree is only read.
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { binOf, root, StepFailed, step, workspacePackages } from '../workspace.mjs';
import { mutations } from './mutations.mjs';
import { testsById } from './tests.mjs';

/** @typedef {import('./mutations.mjs').Mutation} Mutation */

const LEFT_OUT = new Set(['.git', '.stamps', 'coverage', 'dist', 'node_modules', 'results']);

/** A copy whose packages see each other and, of everything else, what the repository has installed. */
function copyRepository() {
  const copy = join(realpathSync(mkdtempSync(join(tmpdir(), 'dragoman-mutations-'))), 'repository');
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || !LEFT_OUT.has(basename(path)) });
  const installed = join(root, 'node_modules');
  const own = new Map(workspacePackages(copy).map(({ name, dir }) => [name, dir]));
  for (const entry of readdirSync(installed)) {
    const scoped = entry.startsWith('@')
      ? readdirSync(join(installed, entry)).map((name) => `${entry}/${name}`)
      : [entry];
    for (const name of scoped) {
      if (name === '.dragoman') continue;
      const link = join(copy, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(own.get(name) ?? join(installed, name), link, 'junction');
    }
  }
  return copy;
}

/** Runs tests of the copy; resolves to those that name something, by id. */
async function run(copy, files, pattern) {
  const output = join(dirname(copy), 'report.json');
  rmSync(output, { force: true });
  const args = [binOf('vitest'), 'run', '--reporter=json', `--outputFile=${output}`, ...files];
  const child = spawn(process.execPath, pattern ? [...args, '-t', pattern] : args, { cwd: copy, stdio: 'ignore' });
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return testsById(JSON.parse(readFileSync(output, 'utf8')), copy);
}

/** The tests of a mutation among those that ran: they name its rule and stand in its file. @param {Mutation} mutation */
const testsOf = ({ id, test }, byId) => (byId.get(id) ?? []).filter(({ file }) => file === test);

/** Breaks one rule, runs its tests, mends it; resolves to the test that noticed. @param {Mutation} mutation */
async function attempt(copy, mutation) {
  const path = join(copy, mutation.file);
  const source = readFileSync(path, 'utf8');
  if (source.split(mutation.from).length !== 2) {
    throw new StepFailed(`${mutation.id}: ${mutation.file} has "${mutation.from}" not exactly once`);
  }
  try {
    writeFileSync(
      path,
      source.replace(mutation.from, () => mutation.to),
    );
    const byId = await run(copy, [mutation.test], `\\[${mutation.id}\\]`);
    return testsOf(mutation, byId).find((test) => test.failed);
  } finally {
    writeFileSync(path, source);
  }
}

/**
 * Breaks rules and prints what became of each; with no ids all of the table, which then is written to
 * docs/requirements-mutations.md.
 * @param {string[]} ids
 * @returns {Promise<boolean>} whether every one was noticed
 */
export async function mutate(ids) {
  const chosen = ids.length === 0 ? mutations : mutations.filter(({ id }) => ids.includes(id));
  if (chosen.length === 0) throw new StepFailed(`no mutation breaks ${ids.join(', ')}`);
  const copy = copyRepository();
  try {
    const files = [...new Set(chosen.map(({ test }) => test))];
    const whole = await step(`${files.length} files of tests before anything is broken`, () => run(copy, files));
    for (const mutation of chosen) {
      const tests = testsOf(mutation, whole);
      if (tests.length === 0) throw new StepFailed(`no test in ${mutation.test} names ${mutation.id}`);
      const broken = tests.find((test) => test.failed);
      if (broken) throw new StepFailed(`${mutation.test} fails already: ${broken.name}`);
    }
    const outcomes = [];
    for (const mutation of chosen) {
      const noticed = await attempt(copy, mutation);
      outcomes.push({ ...mutation, noticed: noticed?.name });
      console.log(
        `${noticed ? '✓' : '✗'} ${mutation.id} ${mutation.what}${noticed ? '' : `: ${mutation.test} passes`}`,
      );
    }
    const noticed = outcomes.filter((outcome) => outcome.noticed !== undefined).length;
    console.log(`\n${noticed} of ${outcomes.length} noticed`);
    if (ids.length === 0) writeFileSync(join(root, 'docs', 'requirements-mutations.md'), page(outcomes));
    return noticed === outcomes.length;
  } finally {
    rmSync(dirname(copy), { recursive: true, force: true });
  }
}

/** docs/requirements-mutations.md. */
export function page(outcomes) {
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rows = outcomes.map(
    ({ id, file, what, test, noticed }) =>
      `| ${id} | ${file} | ${cell(what)} | ${noticed === undefined ? 'none' : `${cell(noticed)} (${test})`} |`,
  );
  return `# Broken rules that tests noticed

A sample of the rules of [requirements.md](requirements.md), each broken by one small change to the sources in a copy of the
repository, and the test naming it that then failed. Written by \`npm run requirements -- --mutate\`, which does it again;
the changes themselves stand in \`scripts/requirements/mutations.mjs\`.

| id | broken in | how | test that failed |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

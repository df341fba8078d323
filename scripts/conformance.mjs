// npm run conformance -- server|client REVISION [--only a,b] [--fixture FILE] [--verbose]
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { figures, judge, problemOf, wanted } from './conformance/judge.mjs';
import { readResults, requirementSet, runSuite, suiteNode, version } from './conformance/suite.mjs';
import { ensureBuilt, ensureInstalled } from './ensure.mjs';
import { main, root, StepFailed } from './workspace.mjs';

const USAGE = 'usage: npm run conformance -- server|client REVISION [--only SCENARIO,…] [--fixture FILE] [--verbose]';
const START_MS = 20_000;
const STOP_MS = 5_000;
const SCENARIO_MS = 120_000;
const AT_ONCE = 2; // the suite itself would start every client at the same time, and time correct ones out

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { only: { type: 'string' }, fixture: { type: 'string' }, verbose: { type: 'boolean', default: false } },
    });
    const [leg, revision, ...rest] = positionals;
    if ((leg === 'server' || leg === 'client') && revision && rest.length === 0) return { leg, revision, ...values };
  } catch (error) {
    throw new StepFailed(`${error.message}\n${USAGE}`);
  }
  throw new StepFailed(USAGE);
}

/** Starts the server fixture; resolves to its URL, the one line that it prints, and a way to stop it. */
async function startServer(fixture, log) {
  const child = spawn(process.execPath, [fixture], {
    cwd: root,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', log ? openSync(log, 'w') : 'inherit'],
  });
  const told = log ? `: see ${relative(root, log)}` : '';
  const ended = new Promise((done) => child.once('close', (code, signal) => done(signal ?? code)));
  const lines = createInterface({ input: child.stdout });
  const first = new Promise((done) => lines.once('line', done));
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const line = await Promise.race([
    first,
    ended.then((how) => {
      throw new StepFailed(`${relative(root, fixture)} ended before it printed its URL (${how})${told}`);
    }),
  ]);
  clearTimeout(timer);
  const stop = async () => {
    const kill = setTimeout(() => {
      process.stderr.write(`${relative(root, fixture)} did not end on SIGTERM\n`);
      child.kill('SIGKILL');
    }, STOP_MS);
    child.kill('SIGTERM');
    await ended;
    clearTimeout(kill);
  };
  const url = line.trim();
  if (URL.canParse(url)) return { url, stop, ended, told };
  await stop();
  throw new StepFailed(`the first line of ${relative(root, fixture)} must be its URL, not "${url}"`);
}

/** Runs the server leg one scenario after another: they share one server, and some wait for what others change. */
async function runServerLeg({ node, fixture, revision, names, output, verbose, whole }) {
  const server = await startServer(fixture, verbose ? undefined : join(output, 'fixture.stderr.txt'));
  let died;
  void server.ended.then((how) => {
    died = how;
  });
  const said = new Map();
  const common = ['server', '--url', server.url, '-o', output];
  try {
    if (whole) await runSuite(node, [...common, '--requirements', revision], verbose);
    else {
      for (const name of names) {
        const one = [...common, '--scenario', name, '--spec-version', revision, '--force'];
        said.set(name, await runSuite(node, one, verbose));
      }
    }
    if (died !== undefined)
      throw new StepFailed(`${relative(root, fixture)} ended during the run (${died})${server.told}`);
  } finally {
    await server.stop();
  }
  return said;
}

/** Runs the client leg, each scenario in its own process. */
async function runClientLeg({ node, fixture, revision, names, output, verbose }) {
  const said = new Map();
  const queue = [...names];
  const command = `"${process.execPath}" "${fixture}"`;
  const common = ['client', '--command', command, '-o', output, '--timeout', String(SCENARIO_MS)];
  const work = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const one = [...common, '--scenario', name, '--spec-version', revision, '--force'];
      said.set(name, await runSuite(node, one, verbose));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return said;
}

function show(verdict) {
  const { counts, shortfalls } = verdict;
  const numbers = [`${counts.passed} passed`];
  if (counts.failed > 0) numbers.push(`${counts.failed} failed`);
  if (counts.warnings > 0) numbers.push(`${counts.warnings} warned`);
  if (counts.skipped > 0) numbers.push(`${counts.skipped} skipped`);
  const mark = shortfalls.length === 0 ? '✓' : verdict.required ? '✗' : '·';
  const note = verdict.reason ? ` (not scored: ${verdict.reason})` : '';
  console.log(`${mark} ${verdict.scenario}: ${numbers.join(', ')}${note}`);
  if (!verdict.required) return;
  for (const check of verdict.bad) {
    console.log(`    ${check.status} ${check.id}: ${check.errorMessage ?? check.description ?? check.name}`);
  }
  for (const reason of shortfalls) console.log(`    ${reason.replaceAll('\n', '\n    ')}`);
}

await main(async () => {
  const { leg, revision, only, verbose, fixture: given } = readArguments();
  await ensureInstalled();
  const fixture = given ? resolve(given) : join(root, 'conformance', `${leg}.mjs`);
  if (!existsSync(fixture)) throw new StepFailed(`there is no ${relative(root, fixture)} to judge`);
  const set = requirementSet(revision);
  const table = JSON.parse(readFileSync(join(root, 'conformance', 'expected.json'), 'utf8'));
  const expected = table[`${leg} ${revision}`] ?? {};
  const all = wanted(set, leg, expected);
  const named = only?.split(',').map((name) => name.trim());
  // What is asked for by name must pass, scored or not.
  const list = named
    ? named.map((scenario) => ({
        scored: false,
        ...all.find((w) => w.scenario === scenario),
        scenario,
        required: true,
      }))
    : all;

  await ensureBuilt(['@dragoman/client', '@dragoman/server']);
  const node = await suiteNode();
  const output = join(root, 'conformance', 'results', `${leg}-${revision}`);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });

  console.log(`${leg} ${revision}, @modelcontextprotocol/conformance ${version()}, Node ${process.version}`);
  const names = list.map((w) => w.scenario);
  const run = leg === 'server' ? runServerLeg : runClientLeg;
  const said = await run({ node, fixture, revision, names, output, verbose, whole: !named });
  const results = readResults(output, leg);
  const verdicts = list.map((want) => {
    const checks = results.get(want.scenario);
    const outcome = { checks, problem: problemOf(said.get(want.scenario), checks) };
    return judge(want, outcome, expected.checks?.[want.scenario] ?? 1);
  });
  for (const verdict of verdicts) show(verdict);
  const { line, ok } = figures(`${leg} ${revision}`, verdicts, named ? 0 : expected.allChecks);
  console.log(line);
  process.exitCode = ok ? 0 : 1;
});

// npm test: installs, builds, checks types, style and floating promises, and runs every test with coverage.
// npm test -- PATH …: only those tests, and nothing else. npm test -- --tests-only: every test, no static checks.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './ensure.mjs';
import { runVitest } from './vitest-report.mjs';
import { binOf, capture, main, stateDir } from './workspace.mjs';

const incremental = (name) => ['--incremental', '--tsBuildInfoFile', join(stateDir, `${name}.tsbuildinfo`)];
const checks = [
  ['types', 'typescript', 'tsc', ['--noEmit', '-p', '.', ...incremental('root')]],
  [
    'types of protocol without Node and DOM',
    'typescript',
    'tsc',
    ['--noEmit', '-p', 'packages/protocol', ...incremental('protocol')],
  ],
  ['style (biome)', '@biomejs/biome', 'biome', ['check', '--error-on-warnings', '--colors=off', '.']],
  ['floating promises (eslint)', 'eslint', 'eslint', ['.']],
];

/** Runs the static checks one after another; resolves to how many passed and failed. */
async function staticChecks() {
  let failed = 0;
  for (const [name, dependency, command, args] of checks) {
    const started = performance.now();
    const { code, output } = await capture(process.execPath, [binOf(dependency, command), ...args]);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (code === 0) console.log(`✓ ${name} (${seconds} s)`);
    else {
      failed += 1;
      console.log(`✗ ${name} (${seconds} s, exit code ${code})\n${output.trimEnd()}\n`);
    }
  }
  return { passed: checks.length - failed, failed };
}

/** Runs vitest; resolves to the counts of its JSON report. A file that could not be loaded is one failure. */
async function tests(args, everyTest) {
  const { code, report } = await runVitest(args, { everyTest });
  if (report === undefined) {
    console.log(`vitest left no report (exit code ${code})`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const unloaded = report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0).length;
  const failed = report.numFailedTests + unloaded;
  return {
    passed: report.numPassedTests,
    // An unhandled rejection or a missed threshold fails the run without failing a test.
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const given = process.argv.slice(2);
  const testsOnly = given[0] === '--tests-only';
  const everyTest = given.length === 0 || (testsOnly && given.length === 1);
  const vitestArgs = given.length === 0 || testsOnly ? ['--coverage', ...given.slice(1)] : given;
  // Side by side: vitest leaves one of two cores idle for much of its run.
  const [unit, fixed] = await Promise.all([
    tests(vitestArgs, everyTest),
    given.length === 0 ? staticChecks() : { passed: 0, failed: 0 },
  ]);
  const failed = unit.failed + fixed.failed;
  if (given.length === 0) console.log(`\nstatic checks: ${fixed.passed} passed, ${fixed.failed} failed`);
  console.log(`${unit.passed} passed, ${failed} failed${unit.skipped > 0 ? `, ${unit.skipped} skipped` : ''}`);
  process.exitCode = failed > 0 || unit.passed === 0 ? 1 : 0;
});

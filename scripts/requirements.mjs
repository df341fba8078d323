// npm run requirements: which rows of docs/requirements.md and docs/faults.md have a passing test that names them.
// npm run requirements -- ID …: those rows, with their tests. npm run requirements -- --mutate [ID …]: breaks rules in a
// copy of the repository and tells whether their tests notice, see requirements/mutate.mjs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled } from './ensure.mjs';
import { judge } from './requirements/judge.mjs';
import { mutate } from './requirements/mutate.mjs';
import { table, verdict } from './requirements/report.mjs';
import { excuses, faultRows, requirementRows } from './requirements/rows.mjs';
import { testsById } from './requirements/tests.mjs';
import { currentReport, runVitest } from './vitest-report.mjs';
import { main, root, StepFailed } from './workspace.mjs';

const USAGE = 'usage: npm run requirements -- [--mutate] [ID …]';

function readArguments() {
  try {
    const options = { mutate: { type: 'boolean', default: false } };
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    return { ...values, ids: positionals };
  } catch (error) {
    throw new StepFailed(`${error.message}\n${USAGE}`);
  }
}

/** The report of every test: the last one where it still holds, otherwise a new one. */
async function reportOfTests() {
  const current = currentReport();
  if (current !== undefined) return current;
  const { code, report } = await runVitest([], { everyTest: true, reporter: 'dot' });
  if (report === undefined) throw new StepFailed(`vitest left no report (exit code ${code})`);
  return report;
}

function show(ids, rows, tests) {
  for (const id of ids) {
    const row = rows.find((each) => each.id === id);
    if (row === undefined) throw new StepFailed(`there is no row ${id}`);
    console.log([id, row.role, row.level, row.text].filter(Boolean).join(' · '));
    for (const { file, name, passed } of tests.get(id) ?? []) console.log(`  ${passed ? '✓' : '✗'} ${file}: ${name}`);
  }
}

await main(async () => {
  const { mutate: mutating, ids } = readArguments();
  await ensureInstalled();
  if (mutating) {
    process.exitCode = (await mutate(ids)) ? 0 : 1;
    return;
  }
  const read = (name) => readFileSync(join(root, 'docs', name), 'utf8');
  const rows = [...requirementRows(read('requirements.md')), ...faultRows(read('faults.md'))];
  await ensureBuilt();
  const tests = testsById(await reportOfTests(), root);
  if (ids.length > 0) {
    show(ids, rows, tests);
    return;
  }
  const { groups, problems } = judge(rows, excuses(read('requirements-excused.md')), tests);
  console.log(table(groups));
  if (problems.length > 0) console.log(`\n${problems.join('\n')}`);
  console.log(`\n${verdict(groups, problems)}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
});

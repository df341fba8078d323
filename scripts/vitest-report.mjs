// Runs vitest and keeps its JSON report, with what it was made from: whoever needs to know which tests pass need not run
// them again while nothing changed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binOf, filesBelow, hashFiles, root, stateDir } from './workspace.mjs';

const reportPath = join(stateDir, 'vitest.json');
const partPath = join(stateDir, 'vitest-part.json');
const stampPath = join(stateDir, 'vitest.inputs');

/** What a run of every test depends on. */
function inputs() {
  const top = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  const folders = ['conformance', 'docs', 'examples', 'packages', 'scripts'].flatMap((name) =>
    filesBelow(join(root, name)),
  );
  const written = join(root, 'conformance', 'results');
  const files = [...top.map((entry) => join(root, entry.name)), ...folders.filter((file) => !file.startsWith(written))];
  return `${process.version} ${hashFiles(files)}`;
}

/**
 * Runs vitest; resolves to its exit code, and to its report unless it left none.
 * @param {string[]} args
 * @param {{ everyTest: boolean, reporter?: string }} how `everyTest` says that the arguments leave no test out
 */
export async function runVitest(args, { everyTest, reporter = 'default' }) {
  mkdirSync(stateDir, { recursive: true });
  const path = everyTest ? reportPath : partPath;
  for (const stale of everyTest ? [path, stampPath] : [path]) rmSync(stale, { force: true });
  const before = everyTest ? inputs() : undefined;
  const child = spawn(
    process.execPath,
    [binOf('vitest'), 'run', `--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${path}`, ...args],
    { cwd: root, stdio: 'inherit' },
  );
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(exitCode ?? `signal ${signal}`));
  });
  const report = readReport(path);
  if (report !== undefined && before !== undefined) writeFileSync(stampPath, before);
  return { code, report };
}

/** The report of the last run of every test, where nothing that it depends on has changed since it began. */
export function currentReport() {
  if (!existsSync(stampPath) || readFileSync(stampPath, 'utf8') !== inputs()) return undefined;
  return readReport(reportPath);
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

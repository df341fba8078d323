// npm start: the tour; npm start -- ARGS: the dragoman command with those arguments.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled } from './ensure.mjs';
import { main, root } from './workspace.mjs';

/** A signal to npm reaches the shell between us and goes no further: whoever is left alone then has to end as well. */
function endWithParent() {
  if (process.platform === 'win32' || process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const command = join(root, 'packages', 'cli', 'dist', 'main.mjs');
  const args = process.argv.slice(2);
  // In this very process: exit code, signals and the terminal are the command's own, with nothing in between.
  endWithParent();
  process.env.DRAGOMAN_COMMAND ??= 'npm start --';
  process.argv = [process.execPath, command, ...(args.length > 0 ? args : ['tour'])];
  await import(pathToFileURL(command).href);
});

// What every script needs to know about this repository. Only node: imports here and in everything that runs before
// the dependencies are there.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root directory, without a trailing separator. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/** Where stamps and fetched tools live. It goes when node_modules goes, which is what makes it safe. */
export const stateDir = join(root, 'node_modules', '.dragoman');

/** A step that a tool refused; the message is ready to be shown to a person. */
export class StepFailed extends Error {
  name = 'StepFailed';
}

/**
 * The packages of the workspace.
 * @returns {{ name: string, dir: string, manifest: any, needs: string[] }[]} `needs` names other packages of the workspace.
 */
export function workspacePackages(base = root) {
  const folder = join(base, 'packages');
  const found = [];
  for (const entry of existsSync(folder) ? readdirSync(folder).sort() : []) {
    const dir = join(folder, entry);
    if (!existsSync(join(dir, 'package.json'))) continue;
    const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
    found.push({ name: manifest.name, dir, manifest });
  }
  const names = new Set(found.map((p) => p.name));
  return found.map((p) => ({
    ...p,
    needs: Object.keys({ ...p.manifest.dependencies, ...p.manifest.devDependencies }).filter((n) => names.has(n)),
  }));
}

/** SHA-256 over the names and contents of files; a missing file counts as missing, not as empty. */
export function hashFiles(files, base = root) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${relative(base, file).split(sep).join('/')}\0`);
    if (existsSync(file)) hash.update(readFileSync(file));
    else hash.update('\0missing');
    hash.update('\0');
  }
  return hash.digest('hex');
}

/** Every file below a directory, sorted, without node_modules and dist. */
export function filesBelow(dir) {
  if (!existsSync(dir)) return [];
  const out = [];
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== 'dist') out.push(...filesBelow(path));
    } else out.push(path);
  }
  return out.sort();
}

/** Runs a tool and keeps what it says: `{ code, signal, output }`. Never rejects, except when the tool cannot be started. */
export function capture(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, output }));
  });
}

/** Runs a tool that must succeed; otherwise throws StepFailed with the tool's own words and exit code. */
export async function must(what, command, args, options) {
  const { code, signal, output } = await capture(command, args, options);
  if (code === 0) return output;
  throw new StepFailed(`${output.trimEnd()}\n\n${what} failed (${signal ? `signal ${signal}` : `exit code ${code}`})`);
}

/** Command and leading arguments that start npm, the same npm that started us where there is one. */
export function npmCommand() {
  const cli = process.env.npm_execpath;
  if (cli && /\.c?js$/.test(cli) && existsSync(cli)) return { command: process.execPath, args: [cli], options: {} };
  return { command: 'npm', args: [], options: { shell: process.platform === 'win32' } };
}

/** Path of the script behind a dependency's command, so that it runs with our own Node and no shell. */
export function binOf(dependency, command = dependency.split('/').at(-1)) {
  const dir = join(root, 'node_modules', dependency);
  const { bin } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  return join(dir, typeof bin === 'string' ? bin : bin[command]);
}

/** Progress goes to stderr: stdout belongs to the command that is run. Appends the duration when the step is done. */
export async function step(line, work) {
  const started = performance.now();
  process.stderr.write(`${line} …`);
  try {
    const result = await work();
    process.stderr.write(` ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stderr.write(' failed\n');
    throw error;
  }
}

const OLDEST_NODE = [20, 19];

/** Runs a script's main function and turns a refused step into a message and exit code 1. */
export async function main(work) {
  try {
    const [major, minor] = process.versions.node.split('.').map(Number);
    if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
      throw new StepFailed(
        `Node ${process.versions.node} is too old: Dragoman needs ${OLDEST_NODE.join('.')} or newer`,
      );
    }
    await work();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

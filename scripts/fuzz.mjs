// npm run fuzz -- NAME|all [seconds] [seed]: feeds a parser what is made of its corpus, guided by what of the code it
// reaches, until the time is over. Every input that breaks a rule, hangs or eats memory is kept in fuzz/findings.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ensureInstalled } from './ensure.mjs';
import { main, root, StepFailed, stateDir } from './workspace.mjs';

const base = join(stateDir, 'fuzz');
const findings = join(root, 'fuzz', 'findings');
const usage = 'usage: npm run fuzz -- NAME|all [seconds, default 30] [seed]';
/** An input that runs for so long hangs. In milliseconds. */
const HANG = 20_000;

/** One target and what it needs, and nothing else: what of it is reached is what guides. */
async function bundled(name) {
  const { build } = await import('esbuild');
  const outfile = join(base, `${name}.mjs`);
  await build({
    stdin: {
      contents: `import { target } from './targets/${name}.ts'; import { fuzz } from './worker.ts'; await fuzz(target);`,
      resolveDir: join(root, 'fuzz'),
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['dragoman-source'],
    // CommonJS dependencies ask for Node's modules by require.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return outfile;
}

/** Runs one target; resolves to how many findings there were. */
async function fuzz(name, seconds, seed) {
  const script = await bundled(name);
  const current = new SharedArrayBuffer(8 + 256 * 1024);
  const counter = new Int32Array(current, 0, 2);
  let count = 0;
  const keep = (error, input) => {
    count++;
    const file = join(findings, `${name}-${createHash('sha1').update(input).digest('hex').slice(0, 12)}`);
    mkdirSync(findings, { recursive: true });
    writeFileSync(file, input);
    const shown = JSON.stringify(Buffer.from(input).toString('latin1'));
    console.log(`✗ ${name}: ${error}\n  ${shown.length > 1000 ? `${shown.slice(0, 1000)}…` : shown}`);
    console.log(`  kept in ${relative(root, file)}`);
  };
  /** A copy, for the thread may go on. */
  const running = () => Uint8Array.from(new Uint8Array(current, 8, counter[1]));
  const thread = new Worker(script, {
    workerData: { script, seed, seconds, corpus: join(base, 'corpus', name), current },
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  let before = 0;
  const watch = setInterval(() => {
    if (counter[0] === before) {
      keep(`runs for more than ${HANG} ms`, running());
      void thread.terminate();
    }
    before = counter[0];
  }, HANG);
  await new Promise((resolve) => {
    thread.on('message', ({ error, input, runs, corpus }) => {
      if (error !== undefined) keep(error, input);
      else console.log(`${count === 0 ? '✓' : '✗'} ${name}: ${runs} inputs, ${corpus} of them kept, seed ${seed}`);
    });
    thread.on('error', (error) => keep(error.stack ?? String(error), running()));
    thread.on('exit', resolve);
  });
  clearInterval(watch);
  return count;
}

await main(async () => {
  const [given, seconds = '30', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
  await ensureInstalled();
  const files = readdirSync(join(root, 'fuzz', 'targets'));
  const names = files.map((file) => file.replace('.ts', '')).filter((name) => name !== 'index');
  if (given !== 'all' && !names.includes(given)) throw new StepFailed(`${usage}\nNAME is one of ${names.join(', ')}`);
  if (!(Number(seconds) > 0) || !Number.isInteger(Number(seed))) throw new StepFailed(usage);
  let found = 0;
  for (const name of given === 'all' ? names : [given]) found += await fuzz(name, Number(seconds), Number(seed));
  if (found > 0) throw new StepFailed(`${found} findings`);
});

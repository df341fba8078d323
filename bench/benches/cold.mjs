// Cold start: node + import + connect over stdio + one tools/list, wall clock and CPU; and what bare imports cost.
import { spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { adapterFile, choose } from '../lib/adapters.mjs';
import { quiet } from '../lib/quiet.mjs';
import { median } from '../lib/stats.mjs';
import { table } from '../lib/table.mjs';

const DEFAULT = ['dragoman', 'sdk-v2', 'sdk-v1'];
const script = (name) => fileURLToPath(new URL(`../lib/${name}`, import.meta.url));
const BARE = 'node -e 0';

function once(args) {
  return new Promise((resolve) => {
    const t = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (d) => {
      said += d;
    });
    child.on('close', () => resolve({ ms: performance.now() - t, ...(said.startsWith('{') ? JSON.parse(said) : {}) }));
  });
}

const together = (client, server) => [script('cold-client.mjs'), client, server];
const importOf = (specifier) => [script('cold-import.mjs'), specifier];
const importOfFile = (impl, file) => importOf(pathToFileURL(adapterFile(impl, file)).href);

function casesFor(clients) {
  const cases = {
    [BARE]: ['-e', '0'],
    'floor client + floor server': together('floor', 'floor'),
    'import node:http': importOf('node:http'),
    'import zod/v4': importOf(import.meta.resolve('zod/v4')),
  };
  for (const impl of clients) {
    // A client that speaks no 2026-07-28 has nothing to say to the floor's server, nor the other way round.
    if (impl !== 'sdk-v1') {
      cases[`${impl} client + floor server`] = together(impl, 'floor');
      cases[`floor client + ${impl} server`] = together('floor', impl);
    }
    cases[`${impl} client + ${impl} server`] = together(impl, impl);
    cases[`import ${impl} client`] = importOfFile(impl, 'client.mjs');
    cases[`import ${impl} HTTP server`] = importOfFile(impl, 'http-server.mjs');
  }
  for (const impl of choose(undefined, ['fastmcp', 'mcp-lite'], 'http-server.mjs')) {
    cases[`import ${impl} HTTP server`] = importOfFile(impl, 'http-server.mjs');
  }
  return cases;
}

export default async function run(named, { reps = 15 }) {
  const cases = casesFor(choose(named, DEFAULT, 'client.mjs'));
  const rows = Object.fromEntries(Object.keys(cases).map((k) => [k, []]));
  for (let r = -1; r < reps; r++) {
    await quiet();
    for (const [k, a] of Object.entries(cases)) {
      const x = await once(a);
      if (r >= 0) rows[k].push(x);
    }
  }
  const base = rows[BARE];
  const out = {};
  for (const k of Object.keys(cases)) {
    const mid = (key) => {
      const values = rows[k].map((x) => x[key]).filter((x) => x !== undefined);
      return values.length > 0 ? median(values) : undefined;
    };
    out[k] = {
      ms: mid('ms'),
      min: Math.min(...rows[k].map((x) => x.ms)),
      ratio: median(rows[k].map((x, r) => x.ms / base[r].ms)),
      import: mid('import'),
      cpu: mid('cpu'),
      rss: mid('rss'),
      connect: mid('connect'),
      list: mid('list'),
    };
  }
  const f = (x, d = 0) => (x === undefined ? '' : x.toFixed(d));
  console.log(`\n### Cold start (${reps} interleaved runs, medians)`);
  table(
    ['case', 'wall ms', 'min ms', 'x bare node', 'import ms', 'import CPU ms', 'RSS MB', 'connect ms', 'list ms'],
    Object.entries(out).map(([k, x]) => [
      k,
      f(x.ms),
      f(x.min),
      f(x.ratio, 2),
      f(x.import),
      f(x.cpu),
      f(x.rss),
      f(x.connect),
      f(x.list),
    ]),
  );
  return out;
}

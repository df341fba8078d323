// node bench/lib/profile.mjs IMPL [EXTRA TOOLS] [CALL]: where does a server's CPU go? Self time by package and function,
// from a V8 CPU profile.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { hostHttp } from './proc.mjs';
import { encodeRequest, load } from './rawhttp.mjs';
import { calls, httpHeaders } from './workload.mjs';

const impl = process.argv[2];
const tools = Number(process.argv[3] ?? 0);
const call = process.argv[4] ?? 'echo';
const dir = `${tmpdir()}/bench-profile/${impl}-${tools}`;
rmSync(dir, { recursive: true, force: true });
mkdirSync(dir, { recursive: true });
const h = await hostHttp(impl, {
  tools,
  execArgv: [
    '--expose-gc',
    '--import',
    'data:text/javascript,' +
      encodeURIComponent(`
  import { Session } from 'node:inspector'; const s = new Session(); s.connect();
  process.on('message', (m) => { if (m.op === 'prof-start') s.post('Profiler.enable', () => s.post('Profiler.setSamplingInterval', { interval: 500 }, () => s.post('Profiler.start', () => process.send({ id: m.id }))));
    if (m.op === 'prof-stop') s.post('Profiler.stop', (e, { profile }) => { import('node:fs').then((fs) => { fs.writeFileSync('${dir}/p.json', JSON.stringify(profile)); process.send({ id: m.id }); }); }); });`),
  ],
});
const req = calls[call](h.wire);
const bytes = encodeRequest(h.url, httpHeaders(h.wire, req), JSON.stringify(req));
await load(h.url, bytes, { conc: 16, total: tools ? 200 : 8000 });
await h.ask('prof-start');
const r = await load(h.url, bytes, { conc: 16, total: tools ? 200 : 5000 });
await h.ask('prof-stop');
const p = JSON.parse(readFileSync(`${dir}/p.json`, 'utf8'));
const by = new Map();
const fn = new Map();
let total = 0;
const nodes = new Map(p.nodes.map((n) => [n.id, n]));
p.samples.forEach((id, i) => {
  const n = nodes.get(id);
  const dt = p.timeDeltas[i];
  const f = n.callFrame;
  if (f.functionName === '(idle)') return;
  total += dt;
  let k;
  const u = f.url;
  const m = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(u) ?? /\/(packages\/[^/]+)\//.exec(u);
  if (f.functionName === '(garbage collector)') k = 'GC';
  else if (f.functionName === '(program)') k = '(native/program)';
  else if (m) k = m[1];
  else if (u.startsWith('node:internal/deps/undici')) k = 'undici (Request/Response/Headers)';
  else if (/webstreams/.test(u)) k = 'web streams';
  else if (/abort_controller|event_target/.test(u)) k = 'AbortSignal/EventTarget';
  else if (u.startsWith('node:')) k = 'node core';
  else if (u === '') k = 'V8 builtins / eval';
  else k = 'adapter';
  by.set(k, (by.get(k) ?? 0) + dt);
  const key = `${f.functionName || '(anon)'} ${k}:${f.lineNumber}`;
  fn.set(key, (fn.get(key) ?? 0) + dt);
});
console.log(impl, 'us/req', (total / r.n).toFixed(0));
for (const [k, v] of [...by].sort((a, b) => b[1] - a[1]).slice(0, 12))
  console.log(`  ${((100 * v) / total).toFixed(1)}%  ${(v / r.n).toFixed(0)} us  ${k}`);
console.log('  top functions:');
for (const [k, v] of [...fn].sort((a, b) => b[1] - a[1]).slice(0, 14))
  console.log(`    ${((100 * v) / total).toFixed(1)}% ${k}`);
await h.stop();
process.exit(0);

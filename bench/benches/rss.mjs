// Server memory: after start, after `n` requests at concurrency 16, and after a forced GC.
import { choose } from '../lib/adapters.mjs';
import { hostHttp } from '../lib/proc.mjs';
import { encodeRequest, load } from '../lib/rawhttp.mjs';
import { openSession } from '../lib/session.mjs';
import { table } from '../lib/table.mjs';
import { calls, httpHeaders } from '../lib/workload.mjs';

const MB = (b) => (b / 1048576).toFixed(1);
const DEFAULT = ['floor', 'dragoman', 'sdk-v2', 'sdk-v2-hoisted', 'sdk-v1', 'sdk-v1-session'];

export default async function run(named, { n = 50_000 }) {
  const impls = choose(named, DEFAULT, 'http-server.mjs');
  const out = {};
  const rows = [];
  for (const impl of impls) {
    const h = await hostHttp(impl);
    const sid = await openSession(h);
    const req = calls.echo(h.wire);
    const bytes = encodeRequest(h.url, httpHeaders(h.wire, req, sid), JSON.stringify(req));
    await load(h.url, bytes, { conc: 4, total: 200 });
    const s0 = await h.ask('stats', { gc: true });
    const t = performance.now();
    let peak = 0;
    const timer = setInterval(async () => {
      const s = await h.ask('stats');
      peak = Math.max(peak, s.rss);
    }, 500);
    const r = await load(h.url, bytes, { conc: 16, total: n });
    clearInterval(timer);
    const s1 = await h.ask('stats');
    const s2 = await h.ask('stats', { gc: true });
    out[impl] = {
      s0,
      s1,
      s2,
      peak: Math.max(peak, s1.rss),
      rps: r.rps,
      cpu: (s1.cpu - s0.cpu) / r.n,
      sec: (performance.now() - t) / 1000,
    };
    rows.push([
      impl,
      MB(s0.rss),
      MB(s0.heap),
      MB(s1.rss),
      MB(out[impl].peak),
      MB(s2.rss),
      MB(s2.heap),
      out[impl].cpu.toFixed(0),
    ]);
    await h.stop();
  }
  console.log(`\n### Memory (MB) before and after ${n} echo calls at concurrency 16`);
  table(
    ['impl', 'RSS start', 'heap start', 'RSS after', 'RSS peak', 'RSS after gc', 'heap after gc', 'CPU us/req'],
    rows,
  );
  return out;
}

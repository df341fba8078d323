// tools/call over Streamable HTTP: rps, p50/p99, server CPU per request; every implementation in each round.
// Each slice starts with a discarded pre-slice (cold caches on a shared box). Reported: the median over rounds
// and, because noise only ever adds cost, the best round as the estimate of the intrinsic cost.
import { loadavg } from 'node:os';
import { choose } from '../lib/adapters.mjs';
import { hostHttp } from '../lib/proc.mjs';
import { quiet } from '../lib/quiet.mjs';
import { encodeRequest, load } from '../lib/rawhttp.mjs';
import { openSession } from '../lib/session.mjs';
import { summarize } from '../lib/stats.mjs';
import { printSummary } from '../lib/table.mjs';
import { calls, httpHeaders } from '../lib/workload.mjs';

const DEFAULT = [
  'floor',
  'dragoman',
  'sdk-v2',
  'sdk-v2-hoisted',
  'sdk-v2-lowlevel',
  'sdk-v2-legacy',
  'sdk-v1',
  'sdk-v1-session',
  'fastmcp',
  'mcp-lite',
];
export default async function run(
  named,
  { rounds = 7, ms = 800, pre = 300, warm = 6000, concs = '1x16x64', call = 'echo', tools = 0 },
) {
  const impls = choose(named, DEFAULT, 'http-server.mjs');
  const hosts = [];
  for (const impl of impls) {
    const h = await hostHttp(impl, { tools });
    h.sid = await openSession(h);
    const req = calls[call](h.wire);
    h.bytes = encodeRequest(h.url, httpHeaders(h.wire, req, h.sid), JSON.stringify(req));
    await load(h.url, h.bytes, { conc: 16, total: warm }); // by count, so every engine is equally JIT-warm
    hosts.push(h);
  }
  const out = {};
  for (const conc of String(concs).split('x').map(Number)) {
    const rows = Object.fromEntries(impls.map((i) => [i, []]));
    for (let r = 0; r < rounds; r++) {
      await quiet();
      for (const h of r % 2 ? [...hosts].reverse() : hosts) {
        await load(h.url, h.bytes, { conc, ms: pre });
        const a = await h.ask('stats');
        const res = await load(h.url, h.bytes, { conc, ms });
        const b = await h.ask('stats');
        if (res.errors) throw new Error(`${h.impl}: ${res.errors} non-200`);
        rows[h.impl].push({ ...res, cpu: (b.cpu - a.cpu) / res.n });
      }
    }
    out[conc] = summarize(impls, rows);
    console.log(
      `\n### HTTP ${call}, concurrency ${conc}, ${tools} extra tools (${rounds} rounds x ${ms} ms, interleaved; load ${loadavg()[0].toFixed(1)})`,
    );
    printSummary(impls, out[conc]);
  }
  for (const h of hosts) await h.stop();
  return out;
}

// Heavy single requests: tools/list with 1,000 tools, tools/call with 1 MB and 10 MB text, 10,000 progress notifications.
import { choose } from '../lib/adapters.mjs';
import { hostHttp } from '../lib/proc.mjs';
import { quiet } from '../lib/quiet.mjs';
import { encodeRequest, RawConn } from '../lib/rawhttp.mjs';
import { openSession } from '../lib/session.mjs';
import { median } from '../lib/stats.mjs';
import { table } from '../lib/table.mjs';
import { calls, httpHeaders } from '../lib/workload.mjs';

const CASES = [
  ['list1000', 1000, (w) => calls.list(w), 9],
  ['call with 1000 tools', 1000, (w) => calls.echo(w), 15],
  ['1 MB', 0, (w) => calls.big(w, 1_000_000), 15],
  ['10 MB', 0, (w) => calls.big(w, 10_000_000), 7],
  ['10k progress', 0, (w) => calls.progress(w, 10_000), 5],
];
const DEFAULT = ['floor', 'dragoman', 'sdk-v2', 'sdk-v2-hoisted', 'sdk-v1-session'];

export default async function run(named, { only }) {
  const impls = choose(named, DEFAULT, 'http-server.mjs');
  const out = {};
  for (const [name, tools, make, reps] of CASES) {
    if (only && !name.includes(only)) continue;
    const hosts = [];
    for (const impl of impls) {
      const h = await hostHttp(impl, { tools });
      h.sid = await openSession(h);
      hosts.push(h);
    }
    const rows = Object.fromEntries(impls.map((i) => [i, []]));
    for (let r = -2; r < reps; r++) {
      await quiet();
      for (const h of r % 2 ? [...hosts].reverse() : hosts) {
        const req = make(h.wire);
        const c = new RawConn(h.url);
        await c.ready;
        const a = await h.ask('stats');
        const t = performance.now();
        const res = await c.send(encodeRequest(h.url, httpHeaders(h.wire, req, h.sid), JSON.stringify(req)));
        const ms = performance.now() - t;
        const b = await h.ask('stats');
        c.close();
        if (res.status !== 200) throw new Error(`${h.impl} ${name} ${res.status}`);
        if (r >= 0) rows[h.impl].push({ ms, cpu: (b.cpu - a.cpu) / 1000, bytes: res.bytes, rss: b.rss });
      }
    }
    const base = rows[impls[0]];
    out[name] = {};
    for (const i of impls) {
      const m = (k) => median(rows[i].map((x) => x[k]));
      out[name][i] = {
        ms: m('ms'),
        ratio: median(rows[i].map((x, r) => x.ms / base[r].ms)),
        cpu: m('cpu'),
        cpuRatio: median(rows[i].map((x, r) => x.cpu / base[r].cpu)),
        bytes: m('bytes'),
        rss: Math.max(...rows[i].map((x) => x.rss)),
      };
    }
    console.log(`\n### ${name}`);
    table(
      ['impl', 'ms', 'x floor', 'server CPU ms', 'CPU x floor', 'bytes on wire', 'RSS max MB'],
      impls.map((i) => {
        const x = out[name][i];
        return [
          i,
          x.ms.toFixed(1),
          x.ratio.toFixed(2),
          x.cpu.toFixed(1),
          x.cpuRatio.toFixed(2),
          x.bytes,
          (x.rss / 1048576).toFixed(0),
        ];
      }),
    );
    for (const h of hosts) await h.stop();
  }
  return out;
}

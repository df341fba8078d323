// 1,000 concurrent subscriptions/listen streams, then list_changed broadcasts.
import { choose } from '../lib/adapters.mjs';
import { hostHttp } from '../lib/proc.mjs';
import { quiet } from '../lib/quiet.mjs';
import { encodeRequest, RawConn } from '../lib/rawhttp.mjs';
import { median, sleep } from '../lib/stats.mjs';
import { table } from '../lib/table.mjs';
import { calls, httpHeaders } from '../lib/workload.mjs';

const DEFAULT = ['floor', 'dragoman', 'sdk-v2', 'sdk-v2-hoisted', 'sdk-v2-lowlevel'];

export default async function run(named, { n = 1000, rounds = 7 }) {
  const impls = choose(named, DEFAULT, 'http-server.mjs');
  const out = {};
  for (const impl of impls) {
    const h = await hostHttp(impl);
    // warm the code paths
    for (let i = 0; i < 50; i++) {
      const req = calls.listen();
      const c = new RawConn(h.url, { onData() {} });
      await c.ready;
      c.sendCb(encodeRequest(h.url, httpHeaders('modern', req), JSON.stringify(req)), () => {});
      await sleep(2);
      c.close();
    }
    await sleep(300);
    const m0 = await h.ask('stats', { gc: true });
    await quiet();
    const t = performance.now();
    let acked = 0;
    let got = 0;
    let done;
    let target = Infinity;
    const conns = [];
    const c0 = await h.ask('stats');
    for (let i = 0; i < n; i++) {
      const req = calls.listen();
      const c = new RawConn(h.url, {
        onData(chunk) {
          const s = chunk.latin1Slice();
          if (s.includes('subscriptions/acknowledged')) acked++;
          if (s.includes('tools/list_changed')) {
            got++;
            if (got >= target) done?.();
          }
        },
      });
      conns.push(c);
      await c.ready;
      c.sendCb(encodeRequest(h.url, httpHeaders('modern', req), JSON.stringify(req)), () => {});
      if (i % 20 === 19) while (acked < i - 20) await sleep(1);
    }
    while (acked < n) await sleep(5);
    const openMs = performance.now() - t;
    const c1 = await h.ask('stats');
    const m1 = await h.ask('stats', { gc: true });
    const times = [];
    const cpus = [];
    for (let r = 0; r < rounds; r++) {
      await quiet();
      got = 0;
      target = n;
      const a = await h.ask('stats');
      const s = performance.now();
      const p = new Promise((res) => {
        done = res;
      });
      h.ask('broadcast');
      await p;
      times.push(performance.now() - s);
      const b = await h.ask('stats');
      cpus.push((b.cpu - a.cpu) / 1000);
    }
    for (const c of conns) c.close();
    await sleep(500);
    const m2 = await h.ask('stats', { gc: true });
    out[impl] = {
      rssPer: (m1.rss - m0.rss) / n,
      heapPer: (m1.heap - m0.heap) / n,
      extPer: (m1.ext - m0.ext) / n,
      openMs,
      openCpu: (c1.cpu - c0.cpu) / 1000,
      ms: median(times),
      cpu: median(cpus),
      leftoverHeap: m2.heap - m0.heap,
    };
    await h.stop();
  }
  console.log(`\n### ${n} subscriptions/listen streams`);
  const f = out[impls[0]];
  table(
    [
      'impl',
      'heap KB/stream',
      'RSS KB/stream',
      'open all ms',
      'open CPU ms',
      'broadcast to all ms',
      'x floor',
      'broadcast CPU ms',
      'heap left after close KB',
    ],
    impls.map((i) => {
      const x = out[i];
      return [
        i,
        (x.heapPer / 1024).toFixed(1),
        (x.rssPer / 1024).toFixed(1),
        x.openMs.toFixed(0),
        x.openCpu.toFixed(0),
        x.ms.toFixed(1),
        (x.ms / f.ms).toFixed(2),
        x.cpu.toFixed(1),
        (x.leftoverHeap / 1024).toFixed(0),
      ];
    }),
  );
  return out;
}

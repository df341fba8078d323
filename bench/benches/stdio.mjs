// stdio: sequential round trips and 32 in flight, against the bare newline-JSON process.
import { choose } from '../lib/adapters.mjs';
import { hostStdio, procCpu } from '../lib/proc.mjs';
import { quiet } from '../lib/quiet.mjs';
import { summarize } from '../lib/stats.mjs';
import { printSummary } from '../lib/table.mjs';
import { calls, legacyInitialize, legacyInitialized } from '../lib/workload.mjs';

/** Servers that do not speak 2026-07-28 on stdio; what is not listed does. */
const WIRES = { 'sdk-v1': 'legacy', fastmcp: 'legacy' };
const DEFAULT = ['floor', 'dragoman', 'sdk-v2', 'sdk-v1', 'fastmcp'];

function drive(h, wire, inflight, ms) {
  return new Promise((resolve) => {
    const lat = [];
    const started = new Map();
    let n = 0;
    const end = performance.now() + ms;
    const t0 = performance.now();
    const send = () => {
      const m = calls.echo(wire);
      started.set(m.id, performance.now());
      h.write(`${JSON.stringify(m)}\n`);
    };
    h.onLine = (l) => {
      const id = Number(/"id":(\d+)/.exec(l)?.[1]);
      const s = started.get(id);
      if (s === undefined) return;
      started.delete(id);
      const now = performance.now();
      lat.push(now - s);
      n++;
      if (now < end) send();
      else if (started.size === 0) {
        lat.sort((a, b) => a - b);
        resolve({ rps: (n * 1000) / (now - t0), n, p50: 1000 * lat[n >> 1], p99: 1000 * lat[Math.floor(n * 0.99)] });
      }
    };
    for (let i = 0; i < inflight; i++) send();
  });
}
export default async function run(named, { rounds = 7, ms = 1200 }) {
  const impls = choose(named, DEFAULT, 'stdio-server.mjs');
  const hosts = [];
  for (const impl of impls) {
    const h = hostStdio(impl);
    h.wire = WIRES[impl] ?? 'modern';
    if (h.wire === 'legacy') {
      const init = legacyInitialize();
      await new Promise((r) => {
        h.onLine = r;
        h.write(`${JSON.stringify(init)}\n`);
      });
      h.write(`${JSON.stringify(legacyInitialized)}\n`);
    }
    await drive(h, h.wire, 32, 3000);
    hosts.push(h);
  }
  const out = {};
  for (const inflight of [1, 32]) {
    const rows = Object.fromEntries(impls.map((i) => [i, []]));
    for (let r = 0; r < rounds; r++) {
      await quiet();
      for (const h of r % 2 ? [...hosts].reverse() : hosts) {
        await drive(h, h.wire, inflight, 300);
        const c0 = procCpu(h.pid);
        const res = await drive(h, h.wire, inflight, ms);
        rows[h.impl].push({ ...res, cpu: (procCpu(h.pid) - c0) / res.n });
      }
    }
    out[inflight] = summarize(impls, rows);
    console.log(`\n### stdio echo, ${inflight} in flight`);
    printSummary(impls, out[inflight], 'rt');
  }
  for (const h of hosts) await h.stop();
  return out;
}

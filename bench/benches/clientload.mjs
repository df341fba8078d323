// The client's side of heavy payloads, against the bare servers: list 1,000 tools, 10,000 progress notifications over SSE.
import { choose } from '../lib/adapters.mjs';
import { hostClient, hostHttp } from '../lib/proc.mjs';
import { median } from '../lib/stats.mjs';
import { table } from '../lib/table.mjs';

const DEFAULT = ['floor', 'dragoman', 'sdk-v2', 'sdk-v1'];
export default async function run(named, { reps = 7 }) {
  const impls = choose(named, DEFAULT, 'client.mjs');
  const out = {};
  for (const [name, tools, op, x] of [
    ['list 1,000 tools', 1000, 'list', {}],
    ['10,000 progress', 0, 'progress', { count: 10_000 }],
  ]) {
    const server = await hostHttp('floor', { tools });
    const use = op === 'progress' ? impls.filter((i) => i !== 'floor') : impls;
    const cs = [];
    for (const i of use) cs.push(await hostClient(i, server.url));
    const rows = Object.fromEntries(use.map((i) => [i, []]));
    for (let r = -3; r < reps; r++)
      for (const c of cs) {
        const m = await c.ask(op, x);
        if (r >= 0) rows[c.impl].push(m);
      }
    out[name] = {};
    console.log(`\n### client: ${name}`);
    table(
      ['client', 'ms median (best)', 'client CPU ms median (best)', 'callbacks seen'],
      use.map((i) => {
        const ms = rows[i].map((y) => y.ms);
        const cpu = rows[i].map((y) => y.cpu / 1000);
        out[name][i] = { ms: median(ms), msBest: Math.min(...ms), cpu: median(cpu), cpuBest: Math.min(...cpu) };
        const o = out[name][i];
        return [
          i,
          `${o.ms.toFixed(1)} (${o.msBest.toFixed(1)})`,
          `${o.cpu.toFixed(1)} (${o.cpuBest.toFixed(1)})`,
          rows[i][0].seen,
        ];
      }),
    );
    for (const c of cs) await c.stop();
    await server.stop();
  }
  return out;
}

// Client overhead: each client calls the same bare constant-reply server.
import { choose } from '../lib/adapters.mjs';
import { hostClient, hostHttp, stderrCounts } from '../lib/proc.mjs';
import { quiet } from '../lib/quiet.mjs';
import { summarize } from '../lib/stats.mjs';
import { printSummary } from '../lib/table.mjs';

const DEFAULT = ['floor', 'floor-undici', 'floor-fetch', 'dragoman', 'sdk-v2', 'sdk-v1'];
export default async function run(named, { rounds = 7, ms = 900, warm = 8000, call = 'echo' }) {
  const impls = choose(named, DEFAULT, 'client.mjs');
  const server = await hostHttp('floor');
  const cs = [];
  for (const i of impls) {
    const c = await hostClient(i, server.url);
    await c.ask('load', { conc: 16, n: warm, call });
    cs.push(c);
  }
  const out = {};
  for (const conc of [1, 16]) {
    const rows = Object.fromEntries(impls.map((i) => [i, []]));
    for (let r = 0; r < rounds; r++) {
      await quiet();
      for (const c of r % 2 ? [...cs].reverse() : cs) {
        await c.ask('load', { conc, ms: 300, call });
        rows[c.impl].push(await c.ask('load', { conc, ms, call }));
      }
    }
    out[conc] = summarize(impls, rows);
    console.log(
      `\n### client ${call}, concurrency ${conc}, against the bare constant-reply server (CPU is the client's)`,
    );
    printSummary(impls, out[conc], 'call');
  }
  console.log(`stderr lines ${JSON.stringify(stderrCounts)}`);
  for (const c of cs) await c.stop();
  await server.stop();
  return out;
}

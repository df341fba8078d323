// Is the generator the bottleneck? Drive a raw TCP server that answers a canned reply without parsing HTTP.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { encodeRequest, load } from '../lib/rawhttp.mjs';
import { calls, httpHeaders } from '../lib/workload.mjs';
export default async function run() {
  const child = fork(fileURLToPath(new URL('../lib/canned-tcp.mjs', import.meta.url)));
  const port = await new Promise((r) => child.once('message', r));
  const url = `http://127.0.0.1:${port}/mcp`;
  const req = calls.echo('modern');
  const bytes = encodeRequest(url, httpHeaders('modern', req), JSON.stringify(req));
  const out = {};
  for (const conc of [1, 16, 64]) {
    await load(url, bytes, { conc, ms: 500 });
    const c0 = process.cpuUsage();
    const r = await load(url, bytes, { conc, ms: 2000 });
    const c = process.cpuUsage(c0);
    out[conc] = { ...r, genCpuUs: (c.user + c.system) / r.n };
    console.log(conc, r.rps.toFixed(0), 'rps; generator CPU us/req', out[conc].genCpuUs.toFixed(1));
  }
  child.kill();
  return out;
}

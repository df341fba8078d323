// node bench/lib/smoke.mjs <impl>...   prints one real answer per call so a human can check they are the same work
import { hostHttp } from './proc.mjs';
import { encodeRequest, RawConn } from './rawhttp.mjs';
import { openSession } from './session.mjs';
import { calls, httpHeaders } from './workload.mjs';

for (const impl of process.argv.slice(2)) {
  const t = performance.now();
  const h = await hostHttp(impl);
  console.log(`== ${impl} ready in ${(performance.now() - t).toFixed(0)} ms, wire ${h.wire}`);
  const sid = await openSession(h);
  for (const k of ['echo', 'sum', 'list']) {
    const req = calls[k](h.wire);
    const c = new RawConn(h.url, { keepBody: true });
    await c.ready;
    const out = await c.send(encodeRequest(h.url, httpHeaders(h.wire, req, sid), JSON.stringify(req)));
    console.log(k, out.status, /content-type: \S+/i.exec(out.head)?.[0], out.body.slice(0, 300));
    c.close();
  }
  await h.stop();
}

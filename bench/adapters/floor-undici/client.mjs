// Bare undici Pool.request + JSON.
import { Pool } from 'undici';
import { calls, httpHeaders, rpc } from '../../lib/workload.mjs';
export async function connectHttp(url) {
  const u = new URL(url);
  const pool = new Pool(u.origin, { connections: 256 });
  const post = async (msg) => {
    const { body } = await pool.request({
      path: u.pathname,
      method: 'POST',
      headers: httpHeaders('modern', msg),
      body: JSON.stringify(msg),
    });
    return (await body.json()).result;
  };
  await post(calls.discover('modern'));
  return {
    echo: (text) => post(rpc('modern', 'tools/call', { name: 'echo', arguments: { text } })),
    sum: (a, b) => post(rpc('modern', 'tools/call', { name: 'sum', arguments: { a, b } })),
    list: () => post(calls.list('modern')),
    close: () => pool.close(),
  };
}

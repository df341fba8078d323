// Opens a legacy session when the adapter needs one; returns the session id (or undefined).
import { encodeRequest, RawConn } from './rawhttp.mjs';
import { httpHeaders, legacyInitialize, legacyInitialized } from './workload.mjs';
export async function openSession(h) {
  if (h.wire !== 'legacy-session') return undefined;
  const c = new RawConn(h.url, { keepBody: true });
  await c.ready;
  const init = legacyInitialize();
  const out = await c.send(encodeRequest(h.url, httpHeaders(h.wire, init), JSON.stringify(init)));
  const id = /mcp-session-id: (.*)/i.exec(out.head)?.[1];
  await c.send(encodeRequest(h.url, httpHeaders(h.wire, legacyInitialized, id), JSON.stringify(legacyInitialized)));
  c.close();
  return id;
}

// MCP on Bun: bun examples/bun/server.mjs 3000
import { Server, toFetchHandler } from '@dragoman/server';
import { z } from 'zod';

const mcp = new Server({ name: 'bun', version: '1.0.0' });
mcp.tool('count', { description: 'Counts', input: z.object({ to: z.int().min(1).max(100) }) }, ({ to }, ctx) => {
  for (let at = 1; at <= to; at++) ctx.progress(at, to);
  return `Counted to ${to}`;
});

// The listener is not ours: without the hosts that it is reached under, a web page could get through by DNS rebinding.
const handle = toFetchHandler(mcp, { allowedHosts: ['127.0.0.1', 'localhost'] });
const http = Bun.serve({
  port: Number(process.argv[2] ?? 3000),
  hostname: '127.0.0.1',
  idleTimeout: 0, // Bun's own would cut off streams that are quiet for ten seconds
  routes: { '/mcp': (request) => handle(request), '/': new Response('The rest of the house\n') },
});
console.log(`http://127.0.0.1:${http.port}/mcp`);

process.once('SIGTERM', async () => {
  await handle.close(); // streams that are open would keep the server from closing
  await http.stop();
});

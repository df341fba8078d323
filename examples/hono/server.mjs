// MCP in a Hono application, here on Node: node examples/hono/server.mjs 3000
import { Server, toFetchHandler } from '@dragoman/server';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { z } from 'zod';

const mcp = new Server({ name: 'hono', version: '1.0.0' });
mcp.tool('count', { description: 'Counts', input: z.object({ to: z.int().min(1).max(100) }) }, ({ to }, ctx) => {
  for (let at = 1; at <= to; at++) ctx.progress(at, to);
  return `Counted to ${to}`;
});

// The listener is not ours: without the hosts that it is reached under, a web page could get through by DNS rebinding.
const handle = toFetchHandler(mcp, { allowedHosts: ['127.0.0.1', 'localhost'] });
const app = new Hono();
app.all('/mcp', (c) => handle(c.req.raw));
app.get('/', (c) => c.text('The rest of the house\n'));

const http = serve({ fetch: app.fetch, port: Number(process.argv[2] ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/mcp`);
});

process.once('SIGTERM', async () => {
  await handle.close(); // streams that are open would keep the server from closing
  http.close();
});

// MCP beside what your own HTTP server does already: node examples/node-http/server.mjs 3000
import { createServer } from 'node:http';
import { Server, toNodeHandler } from '@dragoman/server';
import { z } from 'zod';

const mcp = new Server({ name: 'node-http', version: '1.0.0' });
mcp.tool('count', { description: 'Counts', input: z.object({ to: z.int().min(1).max(100) }) }, ({ to }, ctx) => {
  for (let at = 1; at <= to; at++) ctx.progress(at, to);
  return `Counted to ${to}`;
});

const handle = toNodeHandler(mcp);
const http = createServer((request, response) => {
  if (request.url === '/mcp') handle(request, response);
  else response.end('The rest of the house\n');
});
http.listen(Number(process.argv[2] ?? 3000), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (http.address());
  console.log(`http://127.0.0.1:${port}/mcp`);
});

process.once('SIGTERM', async () => {
  await handle.close(); // streams that are open would keep the server from closing
  http.close();
});

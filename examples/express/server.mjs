// MCP in an Express application: node examples/express/server.mjs 3000
import { Server, toNodeHandler } from '@dragoman/server';
import express from 'express';
import { z } from 'zod';

const mcp = new Server({ name: 'express', version: '1.0.0' });
mcp.tool('count', { description: 'Counts', input: z.object({ to: z.int().min(1).max(100) }) }, ({ to }, ctx) => {
  for (let at = 1; at <= to; at++) ctx.progress(at, to);
  return `Counted to ${to}`;
});

const handle = toNodeHandler(mcp);
const app = express();
// Ahead of body parsers, so that what is no JSON is answered as MCP wants it. Behind them it works, too.
app.all('/mcp', handle);
app.use(express.json());
app.get('/', (_request, response) => response.send('The rest of the house\n'));

const http = app.listen(Number(process.argv[2] ?? 3000), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (http.address());
  console.log(`http://127.0.0.1:${port}/mcp`);
});

process.once('SIGTERM', async () => {
  await handle.close(); // streams that are open would keep the server from closing
  http.close();
});

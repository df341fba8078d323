// A server for whatever runs modules that export `fetch`: Workers, Deno (deno serve), Bun.
import { Server, toFetchHandler } from '@dragoman/server';
import { z } from 'zod';

const server = new Server({ name: 'worker', version: '1.0.0', cache: { tools: { ttlMs: 60_000, scope: 'public' } } });

server.tool(
  'dice',
  { description: 'Throws dice', input: z.object({ sides: z.int().min(2).max(1000).default(6) }) },
  ({ sides }) => String(1 + Math.floor(Math.random() * sides)),
);

export default { fetch: toFetchHandler(server, { path: '/mcp' }) };

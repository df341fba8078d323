// MCP in a Fastify application: node examples/fastify/server.mjs 3000
import { Server, toNodeHandler } from '@dragoman/server';
import fastify from 'fastify';
import { z } from 'zod';

const mcp = new Server({ name: 'fastify', version: '1.0.0' });
mcp.tool('count', { description: 'Counts', input: z.object({ to: z.int().min(1).max(100) }) }, ({ to }, ctx) => {
  for (let at = 1; at <= to; at++) ctx.progress(at, to);
  return `Counted to ${to}`;
});

const handle = toNodeHandler(mcp);
const app = fastify();
app.get('/', () => 'The rest of the house\n');
app.register(async (scope) => {
  // The body is left alone: MCP has its own limits, and its own answers to what is no JSON.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.all('/mcp', (request, reply) => {
    reply.hijack();
    handle(request.raw, reply.raw);
  });
});
app.addHook('preClose', () => handle.close()); // streams that are open would keep the server from closing

console.log(`${await app.listen({ port: Number(process.argv[2] ?? 3000), host: '127.0.0.1' })}/mcp`);

process.once('SIGTERM', () => app.close());

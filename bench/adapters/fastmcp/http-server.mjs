// fastmcp (on SDK v1), stateless, JSON responses.
import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { bigText, catalogueDesc, ECHO_DESC, SUM_DESC } from '../../lib/workload.mjs';
export const wire = 'legacy';
export function build(tools = 0) {
  const server = new FastMCP({
    name: 'bench',
    version: '1.0.0',
    logger: { debug() {}, error() {}, info() {}, log() {}, warn() {} },
  });
  server.addTool({
    name: 'echo',
    description: ECHO_DESC,
    parameters: z.object({ text: z.string() }),
    execute: async ({ text }) => text,
  });
  server.addTool({
    name: 'sum',
    description: SUM_DESC,
    parameters: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => JSON.stringify({ sum: a + b }),
  });
  if (tools === 0)
    server.addTool({
      name: 'big',
      description: 'big',
      parameters: z.object({ bytes: z.number() }),
      execute: async ({ bytes }) => bigText(bytes),
    });
  for (let i = 0; i < tools; i++)
    server.addTool({
      name: `tool_${i}`,
      description: catalogueDesc(i),
      parameters: z.object({
        query: z.string(),
        limit: z.number().int().min(1).max(100).optional(),
        verbose: z.boolean().optional(),
      }),
      execute: async () => 'ok',
    });
  return server;
}
export async function start({ port, tools = 0 }) {
  await build(tools).start({
    transportType: 'httpStream',
    httpStream: { port, host: '127.0.0.1', endpoint: '/mcp', stateless: true, enableJsonResponse: true },
  });
  return { url: `http://127.0.0.1:${port}/mcp` };
}

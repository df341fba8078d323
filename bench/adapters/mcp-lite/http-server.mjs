// mcp-lite (2025-06-18 only; fetch-first, one long-lived server), mounted with @hono/node-server.
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { McpServer, StreamableHttpTransport } from 'mcp-lite';
import { z } from 'zod';
import { bigText, catalogueDesc, ECHO_DESC, SUM_DESC } from '../../lib/workload.mjs';
export const wire = 'legacy-2025-06-18';
export function start({ port, tools = 0 }) {
  const mcp = new McpServer({ name: 'bench', version: '1.0.0', schemaAdapter: (s) => z.toJSONSchema(s) });
  mcp.tool('echo', {
    description: ECHO_DESC,
    inputSchema: z.object({ text: z.string() }),
    handler: ({ text }) => ({ content: [{ type: 'text', text }] }),
  });
  mcp.tool('sum', {
    description: SUM_DESC,
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
    handler: ({ a, b }) => {
      const out = { sum: a + b };
      return { content: [{ type: 'text', text: JSON.stringify(out) }], structuredContent: out };
    },
  });
  if (tools === 0)
    mcp.tool('big', {
      inputSchema: z.object({ bytes: z.number() }),
      handler: ({ bytes }) => ({ content: [{ type: 'text', text: bigText(bytes) }] }),
    });
  for (let i = 0; i < tools; i++)
    mcp.tool(`tool_${i}`, {
      description: catalogueDesc(i),
      inputSchema: z.object({
        query: z.string(),
        limit: z.number().int().min(1).max(100).optional(),
        verbose: z.boolean().optional(),
      }),
      handler: () => ({ content: [{ type: 'text', text: 'ok' }] }),
    });
  const handle = new StreamableHttpTransport().bind(mcp);
  const http = createServer(getRequestListener((req) => handle(req), { overrideGlobalObjects: true }));
  return new Promise((resolve) =>
    http.listen(port, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${port}/mcp` })),
  );
}

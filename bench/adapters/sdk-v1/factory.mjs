import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { bigText, catalogueDesc, ECHO_DESC, SUM_DESC } from '../../lib/workload.mjs';
export function buildServer(tools = 0) {
  const server = new McpServer({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
  server.registerTool('echo', { description: ECHO_DESC, inputSchema: { text: z.string() } }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  server.registerTool(
    'sum',
    { description: SUM_DESC, inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } },
    async ({ a, b }) => {
      const out = { sum: a + b };
      return { content: [{ type: 'text', text: JSON.stringify(out) }], structuredContent: out };
    },
  );
  if (tools === 0) {
    server.registerTool('big', { inputSchema: { bytes: z.number() } }, async ({ bytes }) => ({
      content: [{ type: 'text', text: bigText(bytes) }],
    }));
    server.registerTool('progress', { inputSchema: { count: z.number() } }, async ({ count }, extra) => {
      const progressToken = extra._meta?.progressToken;
      for (let i = 1; i <= count; i++)
        if (progressToken !== undefined)
          await extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken, progress: i, total: count },
          });
      return { content: [{ type: 'text', text: 'done' }] };
    });
  }
  for (let i = 0; i < tools; i++)
    server.registerTool(
      `tool_${i}`,
      {
        description: catalogueDesc(i),
        inputSchema: {
          query: z.string().describe(`Search text for catalogue ${i}`),
          limit: z.number().int().min(1).max(100).optional().describe('Page size'),
          verbose: z.boolean().optional().describe('Include every field'),
        },
      },
      async () => ({ content: [{ type: 'text', text: 'ok' }] }),
    );
  return server;
}

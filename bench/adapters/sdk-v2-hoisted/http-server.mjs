// Official SDK v2 with every schema hoisted to module scope: the factory only re-registers.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import { bigText, catalogueDesc, ECHO_DESC, SUM_DESC } from '../../lib/workload.mjs';

const Echo = z.object({ text: z.string() });
const Sum = z.object({ a: z.number(), b: z.number() });
const SumOut = z.object({ sum: z.number() });
const Big = z.object({ bytes: z.number() });
export const wire = 'modern';
export function start({ port, tools = 0 }) {
  const cat = Array.from({ length: tools }, (_, i) =>
    z.object({
      query: z.string().describe(`Search text for catalogue ${i}`),
      limit: z.int().min(1).max(100).optional().describe('Page size'),
      verbose: z.boolean().optional().describe('Include every field'),
    }),
  );
  const handler = createMcpHandler(() => {
    const server = new McpServer(
      { name: 'bench', version: '1.0.0' },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.registerTool('echo', { description: ECHO_DESC, inputSchema: Echo }, async ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
    server.registerTool('sum', { description: SUM_DESC, inputSchema: Sum, outputSchema: SumOut }, async ({ a, b }) => {
      const out = { sum: a + b };
      return { content: [{ type: 'text', text: JSON.stringify(out) }], structuredContent: out };
    });
    if (tools === 0)
      server.registerTool('big', { inputSchema: Big }, async ({ bytes }) => ({
        content: [{ type: 'text', text: bigText(bytes) }],
      }));
    for (let i = 0; i < tools; i++)
      server.registerTool(`tool_${i}`, { description: catalogueDesc(i), inputSchema: cat[i] }, async () => ({
        content: [{ type: 'text', text: 'ok' }],
      }));
    return server;
  });
  const node = toNodeHandler(handler);
  const server = createServer((req, res) => void node(req, res));
  return new Promise((resolve) =>
    server.listen(port, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${port}/mcp`,
        broadcast: () => handler.notify.toolsChanged(),
      }),
    ),
  );
}

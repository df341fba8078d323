import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
export async function handle(req, res) {
  const server = new McpServer({ name: 'a', version: '1' });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  const t = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(t);
  await t.handleRequest(req, res);
}

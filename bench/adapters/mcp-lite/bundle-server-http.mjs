import { McpServer, StreamableHttpTransport } from 'mcp-lite';

const mcp = new McpServer({ name: 'a', version: '1' });
mcp.tool('echo', {
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  handler: ({ text }) => ({ content: [{ type: 'text', text }] }),
});
export default { fetch: new StreamableHttpTransport().bind(mcp) };

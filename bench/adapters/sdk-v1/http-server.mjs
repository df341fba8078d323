// SDK v1 stateless: a server and transport per request, JSON responses on (its fast mode), plain node:http.
import { createServer } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { buildServer } from './factory.mjs';
export const wire = 'legacy';
export function start({ port, tools = 0 }) {
  const http = createServer(async (req, res) => {
    if (req.method !== 'POST') {
      res.writeHead(405).end();
      return;
    }
    const server = buildServer(tools);
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
    res.on('close', () => {
      void transport.close();
      void server.close();
    });
    await server.connect(transport);
    await transport.handleRequest(req, res);
  });
  return new Promise((resolve) =>
    http.listen(port, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${port}/mcp` })),
  );
}

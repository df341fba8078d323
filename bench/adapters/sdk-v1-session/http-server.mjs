// SDK v1 with one long-lived session (server and transport built once): its best case.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { buildServer } from '../sdk-v1/factory.mjs';
export const wire = 'legacy-session';
export function start({ port, tools = 0 }) {
  const sessions = new Map();
  const http = createServer(async (req, res) => {
    if (req.method !== 'POST') {
      res.writeHead(405).end();
      return;
    }
    let transport = sessions.get(req.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        enableJsonResponse: true,
        onsessioninitialized: (id) => {
          sessions.set(id, transport);
        },
      });
      await buildServer(tools).connect(transport);
    }
    await transport.handleRequest(req, res);
  });
  return new Promise((resolve) =>
    http.listen(port, '127.0.0.1', () => resolve({ url: `http://127.0.0.1:${port}/mcp` })),
  );
}

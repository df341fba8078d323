import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { buildServer } from './factory.mjs';

export const wire = 'modern';
export function start({ port, tools = 0 }) {
  const handler = createMcpHandler(() => buildServer(tools));
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

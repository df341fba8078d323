// Official SDK v2, low-level Server, hand-written tools/list and tools/call, NO argument validation: its best case.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { bigText } from '../../lib/workload.mjs';
import { listOf } from '../floor/replies.mjs';

export const wire = 'modern';
export function start({ port, tools = 0 }) {
  const list = { tools: listOf(tools).tools };
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler('tools/list', async () => list);
    server.setRequestHandler('tools/call', async (req) => {
      const a = req.params.arguments;
      switch (req.params.name) {
        case 'echo':
          return { content: [{ type: 'text', text: a.text }] };
        case 'sum': {
          const out = { sum: a.a + a.b };
          return { content: [{ type: 'text', text: JSON.stringify(out) }], structuredContent: out };
        }
        default:
          return { content: [{ type: 'text', text: bigText(a.bytes) }] };
      }
    });
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

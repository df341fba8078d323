// Bare node:http: collect body, JSON.parse, JSON.stringify a constant reply. The physical floor.
import { createServer } from 'node:http';
import { listOf, resultFor } from './replies.mjs';

export const wire = 'modern';
export function start({ port, tools = 0 }) {
  const result = resultFor(listOf(tools));
  const streams = new Map();
  const server = createServer((req, res) => {
    if (req.method !== 'POST') {
      res.writeHead(405).end();
      return;
    }
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (c) => {
      body += c;
    });
    req.on('end', () => {
      const msg = JSON.parse(body);
      if (msg.id === undefined) {
        res.writeHead(202).end();
        return;
      }
      if (msg.method === 'subscriptions/listen') {
        res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
        streams.set(res, msg.id);
        res.on('close', () => streams.delete(res));
        res.write(
          `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: { toolsListChanged: true }, _meta: { 'io.modelcontextprotocol/subscriptionId': msg.id } } })}\n\n`,
        );
        return;
      }
      if (msg.method === 'tools/call' && msg.params.name === 'progress') {
        const { count } = msg.params.arguments;
        const progressToken = msg.params._meta?.progressToken;
        res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
        for (let i = 1; i <= count; i++) {
          res.write(
            `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: i, total: count } })}\n\n`,
          );
        }
        res.end(
          `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: msg.id, result: result({ method: 'tools/call', params: { name: 'echo' } }) })}\n\n`,
        );
        return;
      }
      const text = JSON.stringify({ jsonrpc: '2.0', id: msg.id, result: result(msg) });
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      res.end(text);
    });
  });
  return new Promise((resolve) =>
    server.listen(port, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${port}/mcp`,
        broadcast() {
          for (const [res, id] of streams) {
            res.write(
              `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id } } })}\n\n`,
            );
          }
        },
      }),
    ),
  );
}

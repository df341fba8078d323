import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const face = (client) => ({
  echo: (text) => client.callTool({ name: 'echo', arguments: { text } }),
  sum: (a, b) => client.callTool({ name: 'sum', arguments: { a, b } }),
  list: () => client.listTools(),
  progress: (count, onprogress) =>
    client.callTool({ name: 'progress', arguments: { count } }, undefined, { onprogress, timeout: 600_000 }),
  close: () => client.close(),
});
const make = () => new Client({ name: 'bench', version: '1.0.0' });
export async function connectHttp(url) {
  const c = make();
  await c.connect(new StreamableHTTPClientTransport(new URL(url)));
  return face(c);
}
export async function connectStdio(command, args) {
  const c = make();
  await c.connect(new StdioClientTransport({ command, args }));
  return face(c);
}

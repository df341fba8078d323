import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const face = (client) => ({
  echo: (text) => client.callTool({ name: 'echo', arguments: { text } }),
  sum: (a, b) => client.callTool({ name: 'sum', arguments: { a, b } }),
  list: () => client.listTools(),
  progress: (count, onprogress) =>
    client.callTool({ name: 'progress', arguments: { count } }, { onprogress, timeout: 600_000 }),
  close: () => client.close(),
  client,
});
const make = () =>
  new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
export async function connectHttp(url) {
  const client = make();
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return face(client);
}
export async function connectStdio(command, args) {
  const client = make();
  await client.connect(new StdioClientTransport({ command, args }));
  return face(client);
}

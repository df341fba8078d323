// Starts the server beside it, looks at its tools and calls one: node examples/hello/client.mjs NAME
// Or calls one that is running: node examples/hello/client.mjs NAME http://localhost:3000/mcp
import { fileURLToPath } from 'node:url';
import { connect, DragomanError, McpError } from '@dragoman/client';

const [name = 'Ada', url] = process.argv.slice(2);
const beside = fileURLToPath(new URL('server.mjs', import.meta.url));

try {
  const client = await connect(url ?? { command: process.execPath, args: [beside] });
  try {
    for await (const tool of client.tools()) console.log(`${tool.name}: ${tool.description}`);
    const { content } = await client.callTool('greet', { name, times: 2 });
    for (const block of content) console.log(block.type === 'text' ? block.text : `(${block.type})`);
  } finally {
    await client.close();
  }
} catch (error) {
  // Both kinds say in their message what was wrong and what to do.
  if (!(error instanceof DragomanError || error instanceof McpError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}

// Calls a tool that asks, and keeps the question: node examples/later/ask.mjs CITY > question.json
import { fileURLToPath } from 'node:url';
import { connect, isInputRequired } from '@dragoman/client';

const [city = 'Rome'] = process.argv.slice(2);
const server = fileURLToPath(new URL('server.mjs', import.meta.url));

const client = await connect(
  { command: process.execPath, args: [server] },
  // There are no handlers: whoever reads the question answers it.
  { capabilities: { elicitation: { form: {} } } },
);
const result = await client.callTool('book', { city }, { onInputRequired: 'return' });
if (!isInputRequired(result)) throw new Error('The server did not ask');
console.log(JSON.stringify(result.continuation, null, 2));
await client.close();

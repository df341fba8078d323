// Answers a question that another process kept: node examples/later/answer.mjs question.json 2027-03-01
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connect } from '@dragoman/client';

const [file = 'question.json', date = '2027-03-01'] = process.argv.slice(2);
const server = fileURLToPath(new URL('server.mjs', import.meta.url));

const client = await connect(
  { command: process.execPath, args: [server] },
  { capabilities: { elicitation: { form: {} } } },
);
const result = await client.resume(JSON.parse(readFileSync(file, 'utf8')), {
  date: { action: 'accept', content: { date } },
});
console.log(result.content);
await client.close();

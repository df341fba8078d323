// A server with one tool. Over stdio for whoever starts it, or over HTTP: node examples/hello/server.mjs --http 3000
import { parseArgs } from 'node:util';
import { Server, serveHttp, serveStdio } from '@dragoman/server';
import { z } from 'zod';

const { values } = parseArgs({ options: { http: { type: 'string' } } });

const server = new Server({ name: 'hello', version: '1.0.0' });

server.tool(
  'greet',
  {
    description: 'Greets somebody',
    input: z.object({ name: z.string().min(1).describe('Whom'), times: z.int().min(1).max(5).default(1) }),
    annotations: { readOnlyHint: true },
  },
  ({ name, times }) => Array.from({ length: times }, () => `Hello, ${name}!`).join(' '),
);

if (values.http === undefined) {
  serveStdio(server);
} else {
  const { url } = await serveHttp(server, { port: Number(values.http) });
  console.log(url);
}

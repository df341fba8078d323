// Dragoman, written the way its own docs write it: JSON Schema in, registered once.
import { Server } from '@dragoman/server';
import { bigText, catalogueDesc, catalogueSchema, ECHO_DESC, SUM_DESC } from '../../lib/workload.mjs';

const number = { type: 'number' };

export function buildServer(tools = 0) {
  const server = new Server({ name: 'bench', version: '1.0.0' });
  server.tool(
    'echo',
    { description: ECHO_DESC, input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
    ({ text }) => text,
  );
  server.tool(
    'sum',
    {
      description: SUM_DESC,
      input: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
      output: { type: 'object', properties: { sum: number }, required: ['sum'] },
    },
    ({ a, b }) => ({ structured: { sum: a + b } }),
  );
  if (tools === 0) {
    server.tool('big', { input: { type: 'object', properties: { bytes: number }, required: ['bytes'] } }, ({ bytes }) =>
      bigText(bytes),
    );
    server.tool(
      'progress',
      { input: { type: 'object', properties: { count: number }, required: ['count'] } },
      ({ count }, ctx) => {
        for (let i = 1; i <= count; i++) ctx.progress(i, count);
        return 'done';
      },
    );
  }
  for (let i = 0; i < tools; i++) {
    server.tool(`tool_${i}`, { description: catalogueDesc(i), input: catalogueSchema(i) }, () => 'ok');
  }
  return server;
}

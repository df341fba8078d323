import { Server, toFetchHandler } from '@dragoman/server';

const server = new Server({ name: 'a', version: '1' });
server.tool(
  'echo',
  { input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
  ({ text }) => text,
);
export default toFetchHandler(server);

import { serveHttp } from '@dragoman/server';
import { buildServer } from './factory.mjs';

export const wire = 'modern';
export async function start({ port, tools = 0 }) {
  const server = buildServer(tools);
  const { url } = await serveHttp(server, { port });
  return { url, broadcast: () => server.changed.tools() };
}

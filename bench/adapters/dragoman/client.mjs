import { connect } from '@dragoman/client';

const options = { clientInfo: { name: 'bench', version: '1.0.0' } };
const face = (client) => ({
  echo: (text) => client.callTool('echo', { text }),
  sum: (a, b) => client.callTool('sum', { a, b }),
  list: () => client.listTools(),
  progress: (count, onProgress) => client.callTool('progress', { count }, { onProgress, timeout: 600_000 }),
  close: () => client.close(),
});
export const connectHttp = async (url) => face(await connect(url, options));
export const connectStdio = async (command, args) => face(await connect({ command, args }, options));

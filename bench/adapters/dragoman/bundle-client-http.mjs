import { connect } from '@dragoman/client';
export async function call(url) {
  const client = await connect(url);
  return client.callTool('echo', { text: 'hi' });
}

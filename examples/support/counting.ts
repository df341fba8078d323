import { request } from 'node:http';
import { connect } from '@dragoman/client';
import { expect } from 'vitest';
import { type Program, start } from './program.ts';

/** Sends one request, with headers that `fetch` would not send. Resolves to the status and the body. */
function send(url: string, method: string, headers: { [name: string]: string }, body?: string) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/**
 * Holds one of the servers that count against what each of them must do: answer by JSON and by event stream, leave the
 * rest of the site alone, refuse by itself what is no MCP and what a foreign page sends, and end what is open when it ends.
 */
export async function expectCounting(command: string, args: readonly string[]): Promise<void> {
  const program: Program = await start(command, args);
  const client = await connect(program.url);
  try {
    const [tool] = await client.listAllTools();
    expect(tool).toMatchObject({ name: 'count', description: 'Counts' });

    const steps: number[] = [];
    const counted = await client.callTool('count', { to: 3 }, { onProgress: ({ progress }) => steps.push(progress) });
    expect(counted.content).toEqual([{ type: 'text', text: 'Counted to 3' }]);
    expect(steps).toEqual([1, 2, 3]);
    expect(await client.callTool('count', { to: 0 })).toMatchObject({ isError: true });

    expect(await send(new URL('/', program.url).href, 'GET', {})).toEqual({
      status: 200,
      text: 'The rest of the house\n',
    });
    const malformed = await send(program.url, 'POST', json, '{ no JSON');
    expect(malformed.status).toBe(400);
    expect(JSON.parse(malformed.text)).toMatchObject({ error: { code: -32700 } });
    expect((await send(program.url, 'GET', json)).status).toBe(405);
    expect((await send(program.url, 'POST', { ...json, host: 'evil.example' }, '{}')).status).toBe(403);
    expect((await send(program.url, 'POST', { ...json, origin: 'https://evil.example' }, '{}')).status).toBe(403);

    const subscription = await client.listen({ toolsListChanged: true });
    expect(subscription.honored).toEqual({ toolsListChanged: true });
    expect(await program.end()).toBe(0);
    expect(await subscription.closed).toBe('graceful');
  } finally {
    await client.close();
    await program.end();
  }
}

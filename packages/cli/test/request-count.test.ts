import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Server, toNodeHandler } from '@dragoman/server';
import { afterEach, beforeEach, expect, test } from 'vitest';

const command = fileURLToPath(new URL('../dist/main.mjs', import.meta.url));
const run = promisify(execFile);

/** What reached the server, in order: `tools/call`, or the HTTP method where it was no POST. */
const requests: string[] = [];
let url: string;
let home: string;
let close: () => Promise<void>;

beforeEach(async () => {
  requests.length = 0;
  home = await mkdtemp(join(tmpdir(), 'dragoman-count-'));
  const server = new Server({ name: 'counted', version: '1.0.0' });
  server.tool(
    'echo',
    { input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
    ({ text }) => `You said ${text}`,
  );
  const handle = toNodeHandler(server);
  const http = createServer((request, response) => {
    requests.push(request.method === 'POST' ? String(request.headers['mcp-method']) : String(request.method));
    handle(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  close = async () => {
    const closed = new Promise((resolve) => http.close(resolve));
    await handle.close();
    http.closeAllConnections();
    await closed;
  };
});

afterEach(async () => {
  await close();
  await rm(home, { recursive: true, force: true });
});

/** Runs the command as a shell would, with a home of its own; resolves to what it prints. */
async function dragoman(...args: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
  };
  const { stdout } = await run(process.execPath, [command, ...args], { env });
  return stdout;
}

test('[ERA-10] [ERA-18] a call with JSON arguments costs two requests on first contact, and one from then on', async () => {
  expect(await dragoman('call', url, 'echo', '{"text":"hi"}')).toContain('You said hi');
  expect(requests).toEqual(['server/discover', 'tools/call']);
  requests.length = 0;
  expect(await dragoman('call', url, 'echo', '{"text":"again"}')).toContain('You said again');
  expect(requests).toEqual(['tools/call']);
});

test('[ERA-17] what one command found out, another knows', async () => {
  await dragoman('tools', url);
  requests.length = 0;
  await dragoman('call', url, 'echo', '{"text":"hi"}');
  expect(requests).toEqual(['tools/call']);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectOptions, connect } from '@dragoman/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shell } from '../docs/support/shell.ts';

let shell: Shell;
beforeAll(() => {
  shell = new Shell();
});
afterAll(() => shell.close());

test('hello: a client that starts its server, and one that finds it running', async () => {
  const greeting = 'greet: Greets somebody\nHello, Ada! Hello, Ada!\n';
  expect(await shell.run('node examples/hello/client.mjs')).toEqual({ code: 0, stdout: greeting, stderr: '' });

  const url = await shell.start('node examples/hello/server.mjs --http 0');
  expect(await shell.run(`node examples/hello/client.mjs Ada ${url}`)).toEqual({
    code: 0,
    stdout: greeting,
    stderr: '',
  });
});

test('hello: a client that finds nobody says so', async () => {
  const { code, stderr } = await shell.run('node examples/hello/client.mjs Ada http://127.0.0.1:1/mcp');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^CONNECTION_FAILED: .*127\.0\.0\.1:1/);
});

test('later: the answer of another process goes on with the call that asked, and with no other', async () => {
  const { stdout: question } = await shell.run('node examples/later/ask.mjs Oslo');
  const file = join(shell.directory, 'kept.json');
  writeFileSync(file, question);
  const { stdout } = await shell.run('node examples/later/answer.mjs kept.json 2027-05-01');
  expect(stdout).toMatch(/Booked Oslo on 2027-05-01, by offer \d+/);
  // The offer was made in the process that asked: whoever answers again gets the same.
  const again = await shell.run('node examples/later/answer.mjs kept.json 2027-05-01');
  expect(again.stdout).toBe(stdout);

  writeFileSync(file, readFileSync(file, 'utf8').replace('"Oslo"', '"Rome"'));
  const forged = await shell.run('node examples/later/answer.mjs kept.json 2027-05-01');
  expect(forged.code).toBe(1);
  expect(forged.stderr).toContain('requestState is not valid');
});

test('watch: every change is read as it is by then', async () => {
  const { code, stdout } = await shell.run('node examples/watch/watch.mjs 2');
  expect(code).toBe(0);
  const [first, second, ...more] = [...stdout.matchAll(/^counter:\/\/now (\d+)$/gm)].map((match) => Number(match[1]));
  expect(more).toEqual([]);
  expect(second).toBeGreaterThan(first as number);
});

test('worker: a module that answers requests', async () => {
  const module: unknown = await import(new URL('worker/worker.mjs', import.meta.url).href);
  const { default: worker } = module as { default: { fetch(request: Request): Promise<Response> } };
  const fetch: NonNullable<ConnectOptions['fetch']> = (url, init) => worker.fetch(new Request(url, init));
  const client = await connect('https://worker.example/mcp', { fetch });
  expect((await client.callTool('dice', { sides: 2 })).content).toEqual([
    { type: 'text', text: expect.stringMatching(/^[12]$/) },
  ]);
  await client.close();
});

// What npm run runtimes runs, which brings the two along.
import { connect } from '@dragoman/client';
import { describe, expect, test } from 'vitest';
import { expectCounting } from './support/counting.ts';
import { run, start } from './support/program.ts';

const { DRAGOMAN_BUN: bun, DRAGOMAN_DENO: deno } = process.env;
const runtimes = [
  { name: 'bun', command: bun, run: [], serve: [] },
  { name: 'deno', command: deno, run: ['run', '-A'], serve: ['serve', '-A', '--host', '127.0.0.1', '--port', '0'] },
];

describe.each(runtimes)('$name', ({ name, command = '', run: running, serve }) => {
  const here = test.skipIf(command === '');

  here('the example written for it', () => expectCounting(command, [...running, `examples/${name}/server.mjs`, '0']));

  here('a listener of its own and sockets, as in Node', () =>
    expectCounting(command, [...running, 'examples/node-http/server.mjs', '0']),
  );

  here('a module that exports fetch', async () => {
    const program = await start(command, [...serve, 'examples/worker/worker.mjs'], { PORT: '0' });
    const client = await connect(new URL('/mcp', program.url));
    const { content } = await client.callTool('dice', { sides: 2 });
    expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/^[12]$/) }]);
    await client.close();
    await program.end();
  });

  here('a client that starts its server', async () => {
    expect(await run(command, [...running, 'examples/hello/client.mjs', 'Ada'])).toEqual({
      code: 0,
      output: 'greet: Greets somebody\nHello, Ada! Hello, Ada!\n',
    });
  });

  here('a question that is answered later', async () => {
    const { code, output } = await run(command, [...running, 'examples/later/ask.mjs', 'Oslo']);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ inputRequests: { date: { method: 'elicitation/create' } } });
  });

  here('serveHttp, and a subscription over it', async () => {
    const { code, output } = await run(command, [...running, 'examples/watch/watch.mjs', '2']);
    expect(output.match(/^counter:\/\/now \d+$/gm)).toHaveLength(2);
    expect(code).toBe(0);
  });
});

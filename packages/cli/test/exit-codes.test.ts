import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command, dragoman, folder } from './support/run.ts';
import { discovery, error, type Running, result, serve, serveRaw } from './support/servers.ts';

let running: Running;

beforeAll(async () => {
  running = await serve((server) => {
    const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
    server.tool('echo', { input: text }, ({ text }) => String(text));
    server.tool('fail', {}, () => ({ text: 'It broke', isError: true }));
    server.tool('wipe', { annotations: { destructiveHint: true } }, () => 'wiped');
    server.tool('ask', {}, async (_args, ctx) => {
      const { name } = await ctx.elicit('name', {
        message: 'Who are you?',
        schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      });
      return `Hello, ${name}`;
    });
    server.tool(
      'slow',
      {},
      (_args, ctx) =>
        new Promise<never>((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))),
    );
  });
});

afterAll(() => running.close());

describe('exit status', () => {
  test.concurrent('0: done', async () => {
    const { code, stdout, stderr } = await dragoman(['call', running.url, 'echo', 'text=hi']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'hi\n' });
    expect(stderr).toBe('Served by under-test 1.2.3\n');
  });

  test.concurrent('1: the tool says that it failed', async () => {
    const { code, stdout } = await dragoman(['call', running.url, 'fail', '{}']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'It broke\n' });
  });

  test.concurrent.each([
    ['an unknown command', ['tolls', 'demo'], 'error: there is no command "tolls"; did you mean tools?\n'],
    ['an unknown server', ['tools', 'github'], /^error: there is no server called "github": SERVER is a URL/],
    ['an unknown option', ['tools', 'demo', '--jsn'], /^error: unknown option '--jsn'/],
    ['an option of another command', ['tools', 'demo', '--count', '3'], /^error: unknown option '--count'/],
    [
      'an option without effect',
      ['tools', 'demo', '-H', 'A: b'],
      /^error: -H has no effect on the built-in demo server/,
    ],
    [
      'a missing operand',
      ['call', 'demo'],
      'error: TOOL is missing; usage: dragoman call SERVER TOOL [ARGS...] [options]\n',
    ],
    ['a wrong value', ['tools', 'demo', '--timeout', 'soon'], /^error: --timeout "soon": expected a duration/],
    [
      'a revision to come',
      ['tools', 'demo', '--protocol', '2025-06-18'],
      /^error: --protocol 2025-06-18: .* come with a later one/,
    ],
    [
      'no revision',
      ['tools', 'demo', '--protocol', '2020-01-01'],
      /^error: --protocol "2020-01-01": expected auto, 2026-07-28/,
    ],
    [
      'arguments that do not fit',
      ['call', 'demo', 'get_weather', 'unit=kelvin', 'city=Rome'],
      /unit: must be one of "celsius", "fahrenheit", got "kelvin"/,
    ],
    [
      'an unknown tool',
      ['call', 'demo', 'get_wether', 'city=Rome'],
      'error: the server has no tool "get_wether"; did you mean "get_weather"?\n',
    ],
    ['a selection that is none', ['tools', 'demo', '--select', 'a['], /^error: --select "a\[" is neither/],
    ['a trace in a later format', ['tools', 'demo', '--trace', 'x.har'], /HAR comes with a later version/],
  ])('[P68] 2: %s, said once', async (_, args, message) => {
    const { code, stdout, stderr } = await dragoman(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
    expect(stderr.match(/^error:/gm)).toHaveLength(1);
  });

  test.concurrent('3: nobody there, a command that cannot be started, one that ends', async () => {
    const closed = await freePort();
    const [refused, missing, ended] = await Promise.all([
      dragoman(['tools', `127.0.0.1:${closed}/mcp`]),
      dragoman(['tools', '--', 'no-such-command-here']),
      dragoman(['tools', '--', process.execPath, '-e', 'console.error("no luck today"); process.exit(7)']),
    ]);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('nothing listens there') });
    expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining('no-such-command-here') });
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('no luck today') });
  });

  test.concurrent('3: a web page instead of a server', async () => {
    const page = await serveRaw((_, response) =>
      response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>'),
    );
    const { code, stderr } = await dragoman(['tools', page.url]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^error: http:.*answered HTTP 503/),
    });
    await page.close();
  });

  test.concurrent('4: authorization', async () => {
    const closed = await serveRaw((_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end());
    const { code, stderr } = await dragoman(['tools', closed.url]);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining('--header-env Authorization=VARIABLE'),
    });
    await closed.close();
  });

  test.concurrent('5: a protocol error, with its name, code, words and status', async () => {
    const broken = await serveRaw(({ id, method }, response) => {
      if (method === 'server/discover') result(response, id, discovery);
      else error(response, 200, id, { code: -32602, message: 'cursor expired', data: { cursor: 'x' } });
    });
    const { code, stderr } = await dragoman(['tools', broken.url]);
    expect(code).toBe(5);
    expect(stderr).toBe('error: INVALID_PARAMS -32602 (HTTP 200): cursor expired\n  data: {"cursor":"x"}\n');
    await broken.close();
  });

  test.concurrent('5: a server of an older revision', async () => {
    const older = await serveRaw(({ id }, response) =>
      error(response, 400, id, { code: -32000, message: 'no session' }),
    );
    const { code, stderr } = await dragoman(['tools', older.url]);
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: expect.stringMatching(/^error: .* does not speak MCP 2026-07-28: .*no session/),
    });
    await older.close();
  });

  test.concurrent('6: input that nobody gives; the call is saved and can be gone on with', async () => {
    const home = folder();
    const stopped = await dragoman(['call', running.url, 'ask', '{}'], { home });
    expect({ code: stopped.code, stdout: stopped.stdout }).toEqual({ code: 6, stdout: '' });
    const line = /dragoman (call .*) --continuation (\S+) --answer 'name=\{"name": \.\.\.\}'/.exec(stopped.stderr);
    expect(line?.[1]).toBe(`call ${running.url} ask`);
    const path = line![2]!.slice(1);
    expect(path).toMatch(new RegExp(`^${join(home, 'state', 'dragoman', 'inbox')}/[\\w-]+\\.json$`));
    const next = await dragoman(
      ['call', running.url, 'ask', '--continuation', `@${path}`, '--answer', 'name={"name": "Ada"}'],
      { home },
    );
    expect(next).toMatchObject({ code: 0, stdout: 'Hello, Ada\n' });
    expect(existsSync(path)).toBe(false);
  });

  test.concurrent('6: an answer to another question is pointed out', async () => {
    const { code, stderr } = await dragoman(['call', running.url, 'ask', '{}', '--answer', 'nam={"name": "Ada"}']);
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringMatching(/^warning: nobody asked for the answer "nam"\nerror: /),
    });
  });

  test.concurrent('7: timed out', async () => {
    const [call, whole] = await Promise.all([
      dragoman(['call', running.url, 'slow', '{}', '--timeout', '300ms']),
      dragoman(['call', running.url, 'slow', '{}', '--max-time', '300ms']),
    ]);
    expect(call).toMatchObject({ code: 7, stderr: expect.stringContaining('--timeout') });
    expect(whole).toMatchObject({ code: 7 });
  });

  test.concurrent('8: output that breaks its schema, with --strict; a warning without', async () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const wrong = await serveRaw(({ id, method }, response) => {
      if (method === 'server/discover') result(response, id, discovery);
      else if (method === 'tools/list')
        result(response, id, { tools: [{ name: 'wrong', inputSchema: { type: 'object' }, outputSchema }] });
      else
        result(response, id, { content: [{ type: 'text', text: 'as promised' }], structuredContent: { n: 'seven' } });
    });
    const [strict, lenient] = await Promise.all([
      dragoman(['call', wrong.url, 'wrong', '--strict', '--json']),
      dragoman(['call', wrong.url, 'wrong']),
    ]);
    await wrong.close();
    expect(strict.code).toBe(8);
    const envelope = JSON.parse(strict.stdout);
    expect(envelope.error).toMatchObject({
      class: 'output',
      code: 'OUTPUT_MISMATCH',
      message: expect.stringContaining('n: '),
    });
    expect(envelope.data.structuredContent).toEqual({ n: 'seven' });
    expect(lenient).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/warning: .*does not match its outputSchema: n: /),
    });
  });

  test.concurrent('9: a destructive tool without consent', async () => {
    const [refused, agreed] = await Promise.all([
      dragoman(['call', running.url, 'wipe']),
      dragoman(['call', running.url, 'wipe', '--yes']),
    ]);
    expect(refused).toMatchObject({ code: 9, stdout: '', stderr: expect.stringContaining('--yes') });
    expect(agreed).toMatchObject({ code: 0, stdout: 'wiped\n' });
  });

  test.runIf(existsSync('/dev/full'))('70: what cannot be written is said without a stack', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [command, 'tools', 'demo'], { stdio: ['ignore', full, 'pipe'] });
    const said: Buffer[] = [];
    child.stderr!.on('data', (chunk: Buffer) => said.push(chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    closeSync(full);
    expect(code).toBe(70);
    expect(Buffer.concat(said).toString()).toMatch(/^error: what there is to print cannot be written: ENOSPC.*\n$/);
  });
});

test.concurrent('a wrong path is told from an old server, with where to look', async () => {
  const nothing = await serveRaw((_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>'));
  const { origin } = new URL(nothing.url);
  const { code, stderr } = await dragoman(['tools', `${origin}/`]);
  await nothing.close();
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr: `error: there is no MCP endpoint at ${origin}/ (HTTP 404)\n  hint: check the address; many servers are at ${origin}/mcp\n`,
  });
});

test.concurrent('a command to try is written as this program was started', async () => {
  const env = { DRAGOMAN_COMMAND: 'npm start --' };
  const [tool, command, usage] = await Promise.all([
    dragoman(['call', 'demo', 'nope'], { env }),
    dragoman(['frobnicate'], { env }),
    dragoman(['info'], { env }),
  ]);
  expect(tool.stderr).toContain('; npm start -- tools demo lists them');
  expect(command.stderr).toContain('; npm start -- --help lists the commands');
  expect(usage.stderr).toContain('usage: npm start -- info SERVER');
});

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

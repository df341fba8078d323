import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, dragoman, folder } from './support/run.ts';

const demo = ['--', process.execPath, command, 'demo', '--stdio'];

describe('a command as the server', () => {
  test.concurrent('after --, with options and operands before it', async () => {
    const { code, stdout } = await dragoman(['--json', 'call', 'get_weather', 'city=Rome', ...demo]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      data: { structuredContent: { city: 'Rome' } },
      protocol: { known: 'asked' },
    });
  });

  test.concurrent('as one quoted word, and as a script file', async () => {
    const cwd = folder();
    writeFileSync(
      join(cwd, 'server.mjs'),
      `process.argv.splice(2, 9, 'demo', '--stdio'); await import(${JSON.stringify(command)});`,
    );
    const [quoted, script] = await Promise.all([
      dragoman(['tools', `"${process.execPath}" '${command}' demo --stdio`, '--select', 'tools[0].name']),
      dragoman(['tools', './server.mjs', '--select', '/tools/0/name'], { cwd }),
    ]);
    expect(quoted).toMatchObject({ code: 0, stdout: 'get_weather\n' });
    expect(script).toMatchObject({ code: 0, stdout: 'get_weather\n' });
  });

  test.concurrent('gets its environment and folder', async () => {
    const cwd = folder();
    const server = `const lines = require('node:readline').createInterface(process.stdin);
      lines.on('line', (line) => {
        const { id, method } = JSON.parse(line);
        const result = method === 'server/discover'
          ? { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
          : { content: [{ type: 'text', text: JSON.stringify([process.env.GREETING, process.env.PATH !== undefined, process.cwd()]) }] };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }));
      });`;
    const { stdout } = await dragoman([
      'call',
      'x',
      '{}',
      '--env',
      'GREETING=hi=there',
      '--cwd',
      cwd,
      '--',
      process.execPath,
      '-e',
      server,
    ]);
    expect(JSON.parse(stdout)).toEqual(['hi=there', true, cwd]);
  });

  test.concurrent('[P05] [STDIO-21] is started again where it ends while it is listened to', async () => {
    const server = `const lines = require('node:readline').createInterface(process.stdin);
      const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
      lines.on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        if (method === 'server/discover') {
          say({ id, result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } } } });
        } else if (method === 'subscriptions/listen') {
          const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
          say({ method: 'notifications/subscriptions/acknowledged', params: { notifications: params.notifications, _meta } });
          setTimeout(() => process.exit(1), 20);
        }
      });`;
    const { code, stdout, stderr } = await dragoman([
      ...['listen', '--tools', '--count', '1', '--json', '--'],
      process.execPath,
      '-e',
      server,
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'event', data: { kind: 'tools', gap: true } });
    expect(stderr).toContain('exited with code 1');
  });

  test.concurrent('[19] junk on its standard output is a warning, and its own messages are shown with -v', async () => {
    const server = `console.log('Welcome!'); console.error('starting');
      require('node:readline').createInterface(process.stdin).on('line', (line) => {
        const { id } = JSON.parse(line);
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, tools: [] } }));
      });`;
    const [quiet, verbose] = await Promise.all([
      dragoman(['tools', '--', process.execPath, '-e', server]),
      dragoman(['tools', '-v', '--', process.execPath, '-e', server]),
    ]);
    expect(quiet).toMatchObject({ code: 0, stdout: 'The server has no tools.\n' });
    expect(quiet.stderr).toMatch(/^warning: .*Welcome! \(its stdout is for messages alone;/m);
    expect(quiet.stderr).not.toContain('starting');
    expect(verbose.stderr).toContain('starting');
    expect(verbose.stderr).toMatch(/^connected to .* by stdio: modern era, 2026-07-28 \(asked\)$/m);
  });

  test.concurrent('what a process said before it failed is shown, once', async () => {
    const crash = ['--', process.execPath, '-e', "console.error('reading x.json'); throw new Error('no x.json')"];
    const [text, verbose, json] = await Promise.all([
      dragoman(['tools', ...crash]),
      dragoman(['tools', '-v', ...crash]),
      dragoman(['tools', '--json', ...crash]),
    ]);
    expect(text.code).toBe(3);
    expect(text.stderr).toMatch(
      /^error: The server process exited with code 1 .*\n {2}its stderr:\n {4}reading x\.json\n[\s\S]*\n {4}Error: no x\.json\n/,
    );
    expect(text.stderr.match(/Error: no x\.json/g)).toHaveLength(1);
    expect(verbose.stderr).not.toContain('its stderr:\n');
    expect(JSON.parse(json.stdout).error.message).toMatch(/The end of its stderr: Error: no x\.json$/);
  });

  test.concurrent('a process that says nothing is given up', async () => {
    const silent = ['--', process.execPath, '-e', "console.error('ready'); process.stdin.resume()"];
    const [start, whole] = await Promise.all([
      dragoman(['tools', '--connect-timeout', '1500ms', ...silent]),
      dragoman(['tools', '--max-time', '600ms', ...silent]),
    ]);
    expect(start.code).toBe(7);
    expect(start.stderr).toMatch(/its stderr:\n {4}ready\n {2}hint: is it an MCP server\? .*--connect-timeout/);
    expect(whole.code).toBe(7);
    expect(whole.stderr).toMatch(/^error: connecting took longer than 600 ms\n[\s\S]*hint: --max-time allows more\n$/);
  });

  test.concurrent.each([
    [['tools', '-H', 'A: b', '--', 'x'], '-H has no effect on a command'],
    [['tools', '--insecure', '--', 'x'], '--insecure has no effect on a command'],
    [['tools', 'https://x.example', '--env', 'A=b'], '--env has no effect on a URL'],
    [['tools', 'https://x.example', '--cert', 'x.pem'], '--cert needs --key besides'],
    [['tools', 'localhost:1', '--ca', 'x.pem'], '--ca has no effect on http://'],
    [['tools', '--header-env', 'A=NOT_SET', 'localhost:1'], 'the environment variable NOT_SET is not set'],
    [['tools', 'localhost:1', '-H', 'no colon'], "expected 'Name: value'"],
    [['tools', 'localhost:1', '--no-cache', '--refresh'], 'exclude each other'],
    [['tools', 'localhost:1', '--traceparent', '00-1-2-3'], 'expected 00-'],
    [['tools', '--'], 'the command after -- is missing'],
    [['demo', '--', 'x'], 'demo takes no server'],
    [['read', 'demo', 'a:b', 'c:d'], '"c:d" is one word too many'],
  ])('[P82] every option acts or is refused: %j', async (args, message) => {
    const { code, stderr } = await dragoman(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  test.concurrent('a secret in a header that cannot be sent is not repeated', async () => {
    const { code, stderr } = await dragoman(['tools', 'localhost:1', '--header-env', 'Authorization=TOKEN'], {
      env: { TOKEN: 'hunter2\nhunter3' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('control character');
    expect(stderr).not.toContain('hunter');
  });

  test.concurrent('--trace writes every message, for its owner alone', async () => {
    const cwd = folder();
    const { code } = await dragoman(['call', 'get_weather', '{"city":"Rome"}', '--trace', 'trace.jsonl', ...demo], {
      cwd,
    });
    expect(code).toBe(0);
    const lines = readFileSync(join(cwd, 'trace.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => [line.direction, line.message.method ?? 'answer'])).toEqual([
      ['sent', 'server/discover'],
      ['received', 'answer'],
      ['sent', 'tools/call'],
      ['received', 'answer'],
    ]);
    expect(lines[0].time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });
});

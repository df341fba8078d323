import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { dragoman, folder } from './support/run.ts';
import { discovery, result, serve, serveRaw } from './support/servers.ts';

describe('what goes where', () => {
  test.concurrent('results go to standard output, everything else to standard error, and nothing there with --quiet', async () => {
    const [loud, quiet] = await Promise.all([
      dragoman(['call', 'demo', 'get_weather', '{"city":"Rome"}', '--log-level', 'debug']),
      dragoman(['call', 'demo', 'get_weather', '{"city":"Rome"}', '--quiet']),
    ]);
    expect(loud.stdout).toBe(quiet.stdout);
    expect(loud.stderr).toContain('Served by dragoman-demo 1.0.0');
    expect(quiet.stderr).toBe('');
  });

  test.concurrent('log messages that were asked for are shown', async () => {
    const args = ['call', 'demo', 'search_files', 'query=venice', 'delay=0'];
    const [asked, unasked] = await Promise.all([dragoman([...args, '--log-level', 'info']), dragoman(args)]);
    expect(asked.stderr).toMatch(/^\[info\] search: \{"folder":"letters"/m);
    expect(unasked.stderr).not.toContain('[info]');
  });

  test.concurrent('without a terminal there is no colour and no progress line, and --color always colours', async () => {
    const [plain, coloured, none] = await Promise.all([
      dragoman(['call', 'demo', 'search_files', 'query=venice', 'delay=0']),
      dragoman(['tools', 'demo', '--color', 'always']),
      dragoman(['tools', 'demo', '--color', 'always'], { env: { NO_COLOR: '1' } }),
    ]);
    expect(plain.stdout + plain.stderr).toBe(stripVTControlCharacters(plain.stdout + plain.stderr));
    expect(coloured.stdout).not.toBe(stripVTControlCharacters(coloured.stdout));
    expect(none.stdout).toBe(coloured.stdout);
  });

  test.concurrent('a warning is said once, however often it comes', async () => {
    const page = await serveRaw(({ id, method, params }, response) => {
      if (method === 'server/discover') return result(response, id, discovery);
      const tools = [
        { name: 'a b', inputSchema: { type: 'object' } },
        { name: 'a b', inputSchema: { type: 'object' } },
      ];
      return result(response, id, params.cursor === undefined ? { tools, nextCursor: '2' } : { tools });
    });
    const { stderr } = await dragoman(['tools', page.url]);
    expect(stderr.match(/the tool name "a b" breaks the rule/g)).toHaveLength(1);
    await page.close();
  });
});

describe('--output raw is the payload', () => {
  test.concurrent('bytes as they are', async () => {
    const { stdout } = await dragoman(['read', 'demo', 'archive://treaties/1479.md', '--output', 'raw']);
    const { stdout: json } = await dragoman(['read', 'demo', 'archive://treaties/1479.md', '--json']);
    expect(stdout).toBe(JSON.parse(json).data.contents[0].text);
  });

  test.concurrent('text with whatever is in it', async () => {
    const odd = await serve((server) => void server.tool('odd', {}, () => '\u001b[2J\r\n'));
    const { stdout } = await dragoman(['call', odd.url, 'odd', '{}', '--output', 'raw']);
    expect(stdout).toBe('\u001b[2J\r\n');
    await odd.close();
  });

  test.concurrent('values of a completion, names of a selection, a result of rpc on one line', async () => {
    const [values, name, rpc] = await Promise.all([
      dragoman(['complete', 'demo', 'weather://{city}', 'city', 'Ro', '--output', 'raw']),
      dragoman(['tools', 'demo', '--select', 'tools[0].name', '--output', 'raw']),
      dragoman(['rpc', 'demo', 'tools/list', '--output', 'raw']),
    ]);
    expect(values.stdout).toMatch(/^Rome\n/);
    expect(name.stdout).toBe('get_weather');
    expect(JSON.parse(rpc.stdout).tools).toHaveLength(10);
    expect(rpc.stdout.trimEnd()).not.toContain('\n');
  });
});

test.concurrent('--save writes what is not text to files and prints their paths', async () => {
  const cwd = folder();
  const { stdout, stderr } = await dragoman(['call', 'demo', 'draw_picture', '--save', 'pictures'], { cwd });
  expect(readdirSync(join(cwd, 'pictures'))).toEqual(['image-1.png']);
  expect(
    readFileSync(join(cwd, 'pictures', 'image-1.png'))
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect(stdout).toContain('saved as pictures/image-1.png');
  // Said once.
  expect(stderr).not.toContain('saved');
  const again = await dragoman(['call', 'demo', 'draw_picture', '--save', 'pictures', '--json'], { cwd });
  expect(JSON.parse(again.stdout).meta.saved).toEqual(['pictures/image-1-2.png']);
  const text = await dragoman(['read', 'demo', 'archive://treaties/1479.md', '--save', 'pictures'], { cwd });
  expect(text.stderr).toContain(
    'nothing was saved: text goes to files from 32 KiB on; --output raw prints all of it\n',
  );
  const part = ['--select', 'content[0].mimeType'];
  const selected = await dragoman(['call', 'demo', 'draw_picture', '--save', 'pictures', ...part], { cwd });
  expect(selected.stdout).toBe('image/png\n');
  expect(selected.stderr).toContain('saved pictures/image-1-3.png\n');
});

test.concurrent('--select prints a text as it is, and says where it found nothing', async () => {
  const [event, nothing] = await Promise.all([
    dragoman(['listen', 'demo', '--uri', 'clock://now', '--count', '1', '--select', 'uri']),
    dragoman(['tools', 'demo', '--select', 'data.tools']),
  ]);
  expect(event.stdout).toBe('clock://now\n');
  expect(nothing).toMatchObject({
    code: 0,
    stdout: 'null\n',
    stderr: '--select "data.tools" found nothing; it looks at the result alone, which --json has under "data"\n',
  });
});

test.concurrent('who a server is, is said once', async () => {
  const own = await serve((server) => void server.tool('echo', {}, () => 'hi'));
  const { stdout, stderr } = await dragoman(['info', own.url]);
  expect(stdout).toMatch(/^under-test 1\.2\.3\n/);
  expect(stderr).not.toContain('Served by');
  await own.close();
});

test.concurrent('a result without content is said to be one', async () => {
  const own = await serve((server) => void server.tool('nothing', {}, () => undefined));
  const { stdout, stderr } = await dragoman(['call', own.url, 'nothing', '{}']);
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: 'Served by under-test 1.2.3\nno content\n' });
  await own.close();
});

test.concurrent('prompts, templates and completion in text', async () => {
  const [prompt, templates, completion] = await Promise.all([
    dragoman(['prompt', 'demo', 'plan_trip', 'city=Rome', 'days=3']),
    dragoman(['templates', 'demo']),
    dragoman(['complete', 'demo', 'prompt:plan_trip', 'style']),
  ]);
  expect(prompt.stdout).toMatch(/^user:\nPlan 3 relaxed days in Rome\./);
  expect(templates.stdout).toMatch(/^weather:\/\/\{city\} {2}/);
  expect(completion.stdout).toBe('relaxed\nbusy\ncheap\n');
});

test.concurrent('[P59] prompt arguments are text, and refused where they are not', async () => {
  const { code, stderr } = await dragoman(['prompt', 'demo', 'plan_trip', 'city=Rome', 'days:=3']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('argument days: the arguments of a prompt are text'),
  });
});

test.concurrent('[L06] headers of the protocol cannot be overridden, and that is said', async () => {
  const own = await serve((server) => void server.tool('echo', {}, () => 'hi'));
  const { code, stderr } = await dragoman([
    'call',
    own.url,
    'echo',
    '{}',
    '-H',
    'ACCEPT: text/html',
    '-H',
    'mcp-method: evil',
    '-H',
    'X-Mine: yes',
  ]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: .*accept/im);
  expect(stderr).toMatch(/^warning: .*mcp-method/im);
  expect(own.headers.at(-1)).toMatchObject({
    accept: 'application/json, text/event-stream',
    'mcp-method': 'tools/call',
    'x-mine': 'yes',
  });
  await own.close();
});

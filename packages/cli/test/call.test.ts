import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dragoman, folder } from './support/run.ts';
import { discovery, type Running, result, serve, serveRaw } from './support/servers.ts';

let running: Running;

beforeAll(async () => {
  running = await serve(
    (server) => {
      const input = {
        type: 'object',
        properties: {
          text: { type: 'string' },
          version: { type: 'string' },
          count: { type: 'integer', minimum: 1 },
          region: { type: 'string', 'x-mcp-header': 'Region' },
          address: { type: 'object', properties: { zip: { type: 'string', pattern: '^\\d{5}$' } } },
          targets: { type: 'array', items: { type: 'string', minLength: 2 } },
        },
        additionalProperties: false,
      } as const;
      server.tool('show', { input, annotations: { readOnlyHint: true } }, (args) => JSON.stringify(args));
      server.tool('cal.read/now ✓', {}, () => 'named');
    },
    { cache: { tools: { ttlMs: 60_000, scope: 'private' } } },
  );
});

afterAll(() => running.close());

const show = (...args: string[]) => dragoman(['call', running.url, 'show', ...args]);

describe('arguments', () => {
  test.concurrent('[P55] [P73] are converted by the schema, whichever way they are written', async () => {
    const expected = '{"version":"1.10","count":3,"address":{"zip":"01234"},"targets":["ab","cd"]}\n';
    const outcomes = await Promise.all([
      show('version=1.10', 'count=3', 'address.zip=01234', 'targets[]=ab', 'targets[]=cd'),
      show('version:="1.10"', 'count:=3', 'address:={"zip":"01234"}', 'targets:=["ab","cd"]'),
      show('{"version":"1.10","count":3,"address":{"zip":"01234"},"targets":["ab","cd"]}'),
    ]);
    for (const { code, stdout } of outcomes) expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
  });

  test.concurrent('come from standard input and files', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'text.txt'), 'two\nlines');
    writeFileSync(join(cwd, 'args.json'), '{"count": 2}');
    const [piped, object, file, args] = await Promise.all([
      dragoman(['call', running.url, 'show', 'text=@-'], { stdin: 'from a pipe' }),
      dragoman(['call', running.url, 'show', '--args', '-'], { stdin: '{"count": 1}' }),
      dragoman(['call', running.url, 'show', 'text@text.txt'], { cwd }),
      dragoman(['call', running.url, 'show', '--args', '@args.json'], { cwd }),
    ]);
    expect(piped.stdout).toBe('{"text":"from a pipe"}\n');
    expect(object.stdout).toBe('{"count":1}\n');
    expect(file.stdout).toBe('{"text":"two\\nlines"}\n');
    expect(args.stdout).toBe('{"count":2}\n');
  });

  test.concurrent('are checked whole before anything is sent: the argument, the rule and the value', async () => {
    const own = await serve((server) => {
      const zip = { type: 'string', pattern: '^\\d{5}$' } as const;
      const input = {
        type: 'object',
        properties: {
          address: { type: 'object', properties: { zip } },
          targets: { type: 'array', items: { type: 'string', minLength: 2 } },
        },
      } as const;
      server.tool('show', { input }, () => 'called');
    });
    const { code, stderr } = await dragoman(['call', own.url, 'show', 'address.zip=abc', 'targets[]=x']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/address\.zip: .*pattern.*got "abc"/);
    expect(stderr).toMatch(/targets\[0\]: .*got "x"/);
    expect(own.requests).toEqual(['server/discover', 'tools/list']);
    const forced = await dragoman(['call', own.url, 'show', 'address.zip=abc', '--no-validate']);
    expect(forced.stderr).toMatch(/warning: argument address\.zip: .*got "abc"/);
    expect(own.requests.at(-1)).toBe('tools/call');
    await own.close();
  });

  test.concurrent('that are misspelt are named beside what is missing', async () => {
    const { code, stderr } = await dragoman(['call', 'demo', 'get_weather', 'ciy=Rome']);
    expect(code).toBe(2);
    expect(stderr).toContain('\n  city: is required\n  ciy: the tool has no such argument; did you mean city?\n');
  });

  test.concurrent('that cannot be read go out as text with --no-validate', async () => {
    const [refused, sent] = await Promise.all([
      show('count=many', '--dry-run'),
      show('count=many', '--dry-run', '--no-validate'),
    ]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('"many" is not an integer') });
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining('"count": "many"') });
    expect(sent.stderr).toContain('warning: argument count: "many" is not an integer; it is sent as text');
  });

  test.concurrent('[P56] a remote reference is an error and never fetched', async () => {
    const fetched: string[] = [];
    const remote = await serveRaw(({ method, id }, response) => {
      fetched.push(method);
      if (method === 'server/discover') return result(response, id, discovery);
      const inputSchema = { type: 'object', properties: { x: { $ref: `${remote.url}/x.json` } } };
      return result(response, id, { tools: [{ name: 'far', inputSchema }] });
    });
    const { code, stderr } = await dragoman(['call', remote.url, 'far', 'x=1']);
    expect({ code, fetched }).toEqual({ code: 2, fetched: ['server/discover', 'tools/list'] });
    expect(stderr).toContain('$ref');
    await remote.close();
  });

  test.concurrent('[D03] a tool in a dialect that nobody knows is called with a warning', async () => {
    const server = await serveRaw(({ method, id }, response) => {
      if (method === 'server/discover') return result(response, id, discovery);
      if (method === 'tools/call') return result(response, id, { content: [{ type: 'text', text: 'called' }] });
      return result(response, id, {
        tools: [{ name: 'odd', inputSchema: { $schema: 'https://example.com/dialect', type: 'object' } }],
      });
    });
    const { code, stdout, stderr } = await dragoman(['call', server.url, 'odd', 'x=1']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'called\n' });
    expect(stderr).toMatch(/warning: the arguments are not checked: .*unknown JSON Schema dialect/);
    await server.close();
  });

  test.concurrent('[D05] a tool may be called anything', async () => {
    const { code, stdout } = await dragoman(['call', running.url, 'cal.read/now ✓', '{}']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'named\n' });
  });

  test.concurrent('[D06] one bad tool never hides its neighbours', async () => {
    const server = await serveRaw(({ method, id }, response) => {
      if (method === 'server/discover') return result(response, id, discovery);
      const bad = [
        { name: 'none', inputSchema: null },
        null,
        {
          name: 'header',
          inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'Bad Name' } } },
        },
      ];
      return result(response, id, { tools: [{ name: 'good', inputSchema: { type: 'object' } }, ...bad] });
    });
    const { code, stdout, stderr } = await dragoman(['tools', server.url]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'good\n' });
    expect(stderr).toMatch(/warning: .*none/);
    expect(stderr).toMatch(/warning: .*header.*Bad Name/);
    await server.close();
  });
});

describe('a request that is only looked at', () => {
  test.concurrent('--dry-run prints it with its headers, secrets masked, and sends nothing', async () => {
    const own = await serve((server) => void server.tool('echo', {}, () => 'called'));
    const { code, stdout } = await dragoman([
      'call',
      own.url,
      'echo',
      '{"a":1}',
      '--dry-run',
      '-H',
      'Authorization: Bearer hunter2',
      '-H',
      'X-Tenant: blue',
    ]);
    expect(code).toBe(0);
    expect(own.requests).toEqual([]);
    expect(stdout).toMatch(/^POST \/mcp HTTP\/1\.1\n/);
    expect(stdout).toContain('mcp-method: tools/call');
    expect(stdout).toContain('mcp-name: echo');
    expect(stdout).toContain('mcp-protocol-version: 2026-07-28');
    expect(stdout).toContain('x-tenant: blue');
    expect(stdout).toContain('authorization: ***');
    expect(stdout).not.toContain('hunter2');
    expect(stdout).toContain('"arguments": {\n      "a": 1\n    }');
    await own.close();
  });

  test.concurrent('arguments that are mirrored in headers are there, and only the schema was asked for', async () => {
    const own = await serve((server) => {
      server.tool(
        'where',
        { input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } },
        () => 'called',
      );
    });
    const { stdout } = await dragoman(['call', own.url, 'where', 'region=eu', '--dry-run']);
    expect(stdout).toContain('mcp-param-region: eu');
    expect(own.requests).toEqual(['tools/list']);
    await own.close();
  });

  test.concurrent('[P92] --curl can be run as it is, with every word in single quotes', async () => {
    const text = `it's $HOME \`id\` "quoted" \\ é`;
    const { stdout } = await dragoman(
      [
        'call',
        running.url,
        'show',
        JSON.stringify({ text, region: 'eu' }),
        '--curl',
        '--header-env',
        'X-Secret=SECRET',
      ],
      {
        env: { SECRET: 'hunter2' },
      },
    );
    expect(stdout).not.toContain('hunter2');
    expect(stdout).toContain(`'x-secret: '"$SECRET"`);
    const ran = await runShell(stdout.replace('--data-raw', "-H 'mcp-param-region: eu' --data-raw"));
    if (ran !== undefined) expect(JSON.parse(JSON.parse(ran).result.content[0].text)).toEqual({ text, region: 'eu' });
  });

  test.concurrent('a command is not even started', async () => {
    const { code, stdout } = await dragoman(['call', 'echo', '{"a":1}', '--dry-run', '--', 'no-such-command']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ method: 'tools/call', params: { name: 'echo', arguments: { a: 1 } } });
  });

  test.concurrent.each([
    [['prompt', 'greet', 'name=Ada'], { method: 'prompts/get', params: { name: 'greet', arguments: { name: 'Ada' } } }],
    [['read', 'file:///a b/é'], { method: 'resources/read', params: { uri: 'file:///a b/é' } }],
    [
      ['complete', 'prompt:greet', 'name', 'A', '--context', 'a=b'],
      {
        method: 'completion/complete',
        params: {
          ref: { type: 'ref/prompt', name: 'greet' },
          argument: { name: 'name', value: 'A' },
          context: { arguments: { a: 'b' } },
        },
      },
    ],
    [['rpc', 'x/y', '{"z":1}'], { method: 'x/y', params: { z: 1 } }],
  ])('%j', async (args, expected) => {
    const [name, ...rest] = args as [string, ...string[]];
    const { stdout } = await dragoman([
      name,
      running.url,
      ...rest,
      '--dry-run',
      '--traceparent',
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ]);
    const message = JSON.parse(stdout.slice(stdout.indexOf('\n\n')));
    expect(message).toMatchObject(expected);
    expect(message.params._meta.traceparent).toBe('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
  });
});

describe('what is known of a server', () => {
  test.concurrent('lists are kept as long as the server allows, and checked arguments cost nothing then', async () => {
    const own = await serve(
      (server) =>
        void server.tool('echo', { input: { type: 'object', properties: { n: { type: 'integer' } } } }, ({ n }) =>
          String(n),
        ),
      {
        cache: { tools: { ttlMs: 60_000, scope: 'private' } },
      },
    );
    const home = folder();
    await dragoman(['call', own.url, 'echo', 'n=1'], { home });
    expect(own.requests.splice(0)).toEqual(['server/discover', 'tools/list', 'tools/call']);
    expect((await dragoman(['call', own.url, 'echo', 'n=2'], { home })).stdout).toBe('2\n');
    expect(own.requests.splice(0)).toEqual(['tools/call']);
    const wrong = await dragoman(['call', own.url, 'echo', '{"n":"x"}'], { home });
    expect({ code: wrong.code, requests: own.requests.splice(0) }).toEqual({ code: 2, requests: [] });
    const hit = await dragoman(['tools', own.url], { home });
    expect(hit.stderr).toMatch(/^Cache: hit, \d+ s left, private$/m);
    expect(own.requests.splice(0)).toEqual([]);
    await dragoman(['tools', own.url, '--refresh'], { home });
    expect(own.requests.splice(0)).toEqual(['tools/list']);
    await dragoman(['tools', own.url, '--no-cache'], { home });
    expect(own.requests.splice(0)).toEqual(['tools/list']);
    // Somebody else's credentials are somebody else.
    await dragoman(['tools', own.url, '-H', 'Authorization: Bearer other'], { home });
    expect(own.requests.splice(0)).toEqual(['tools/list']);
    await own.close();
  });
});

/** Runs a line in the shell; undefined where this machine has no curl. */
async function runShell(line: string): Promise<string | undefined> {
  const run = promisify(execFile);
  const known = await run('curl', ['--version']).then(
    () => true,
    () => false,
  );
  return known ? (await run('sh', ['-c', line])).stdout : undefined;
}

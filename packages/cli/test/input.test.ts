import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dragoman, folder } from './support/run.ts';
import { type Running, serve } from './support/servers.ts';

let running: Running;
const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const key = { id: 'test', secret: 'x'.repeat(32) };

beforeAll(async () => {
  running = await serve(
    (server) => {
      server.tool('greet', {}, async (_args, ctx) => {
        const { name: first } = await ctx.elicit('first', { message: 'First name?', schema: name });
        const { name: last } = await ctx.elicit('last', { message: 'Last name?', schema: name });
        return `${first} ${last}`;
      });
      server.tool('both', {}, async (_args, ctx) => {
        const [a, b] = await Promise.all([
          ctx.elicit('a', { message: 'A?', schema: name }),
          ctx.elicit('b', { message: 'B?', schema: name }),
        ]);
        return `${a.name} ${b.name}`;
      });
      server.tool('page', {}, async (_args, ctx) => {
        await ctx.elicitUrl('visit', { message: 'Please go there', url: 'https://example.com/x' });
        return 'visited';
      });
      server.tool('sample', {}, async (_args, ctx) => {
        const answer = await ctx.sample('s', {
          messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
          maxTokens: 10,
        });
        return JSON.stringify(answer);
      });
      server.tool('roots', {}, async (_args, ctx) => JSON.stringify(await ctx.roots('r')));
      server.tool('declared', {}, (_args, ctx) => JSON.stringify(ctx.client.capabilities));
      server.prompt(
        'ask',
        {},
        async (_args, ctx) => `Hello, ${(await ctx.elicit('who', { message: 'Who?', schema: name })).name}`,
      );
    },
    { requestState: { keys: [key] } },
  );
});

afterAll(() => running.close());

const call = (tool: string, ...args: string[]) => dragoman(['call', running.url, tool, '{}', ...args]);

describe('answers come from', () => {
  test.concurrent.each([
    [
      '--answer, the fields alone',
      ['--answer', 'first={"name":"Ada"}', '--answer', 'last={"name":"Byron"}'],
      'Ada Byron',
    ],
    [
      '--answer, the whole result',
      ['--answer', 'first={"action":"accept","content":{"name":"Ada"}}', '--elicit', '{"name":"B"}'],
      'Ada B',
    ],
    ['--elicit, for every form', ['--elicit', '{"name":"Ada","unrelated":true}'], 'Ada Ada'],
    ['--elicit, one after another', ['--elicit', '{"name":"Ada"}', '--elicit', '{"name":"Byron"}'], 'Ada Byron'],
    [
      '--elicit-exec',
      [
        '--elicit-exec',
        `node -e 'process.stdin.on("data",(d)=>console.log(JSON.stringify({name: JSON.parse(d).params.message[0] + process.env.DRAGOMAN_KEY})))'`,
      ],
      'Ffirst Llast',
    ],
  ])('%s', async (_, args, expected) => {
    const { code, stdout, stderr } = await call('greet', ...args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${expected}\n` });
    expect(stderr).toMatch(
      /^Input rounds\n {2}1\. first: elicitation\/create \(form\), accept by --\w[\w-]*\n {2}2\. last: /m,
    );
  });

  test.concurrent('--answers, a file', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'answers.json'), '{"first": {"name": "Ada"}, "last": {"name": "Byron"}, "other": {}}');
    const { stdout, stderr } = await dragoman(['call', running.url, 'greet', '{}', '--answers', 'answers.json'], {
      cwd,
    });
    expect(stdout).toBe('Ada Byron\n');
    expect(stderr).toContain('warning: nobody asked for the answer "other"');
  });

  test.concurrent('[E03] decline is an answer', async () => {
    const { code, stdout } = await call('greet', '--elicit', '{"action":"decline"}');
    expect(code).toBe(1);
    expect(stdout).toMatch(/declined/);
  });

  test.concurrent('--answer for a page', async () => {
    expect(await call('page', '--answer', 'visit={"action":"accept"}')).toMatchObject({ code: 0, stdout: 'visited\n' });
  });

  test.concurrent('--sampling and --sampling-exec', async () => {
    const [text, exec] = await Promise.all([
      call('sample', '--sampling', 'Hello there'),
      call(
        'sample',
        '--sampling-exec',
        `node -e 'process.stdin.on("data",(d)=>process.stdout.write("You said " + JSON.parse(d).params.messages[0].content.text))'`,
      ),
    ]);
    expect(JSON.parse(text.stdout)).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'Hello there' },
    });
    expect(JSON.parse(exec.stdout)).toMatchObject({ content: { text: 'You said Hi' } });
  });

  test.concurrent('[ROOT-04] --root', async () => {
    const cwd = folder();
    const { stdout } = await dragoman(['call', running.url, 'roots', '{}', '--root', 'here=.'], { cwd });
    expect(JSON.parse(stdout)).toEqual([{ name: 'here', uri: `file://${cwd}` }]);
    expect(await dragoman(['call', running.url, 'roots', '{}', '--root', 'x=./nowhere'], { cwd })).toMatchObject({
      code: 2,
    });
  });

  test.concurrent('a command that fails does not answer', async () => {
    expect(await call('greet', '--elicit-exec', 'exit 3')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('--elicit-exec ended with 3'),
    });
  });

  test.concurrent('prompts ask too', async () => {
    const { stdout } = await dragoman(['prompt', running.url, 'ask', '--elicit', '{"name":"Ada"}']);
    expect(stdout).toBe('user:\nHello, Ada\n');
  });
});

describe('what is declared is what can be answered', () => {
  test.concurrent.each([
    [[], { elicitation: { form: {}, url: {} } }],
    [['--sampling', 'x'], { elicitation: { form: {}, url: {} }, sampling: {} }],
    [['--root', 'here=.'], { elicitation: { form: {}, url: {} }, roots: {} }],
    [
      ['--answer', 's={"role":"assistant","model":"m","content":{"type":"text","text":"x"}}'],
      { elicitation: { form: {}, url: {} }, sampling: {} },
    ],
    [['--capabilities', '{}'], {}],
    [['--capabilities', '{"elicitation":{}}'], { elicitation: { form: {} } }],
    [['--capabilities', '{"extensions":{"com.example/x":{}}}'], { extensions: { 'com.example/x': {} } }],
  ])('%j', async (args, expected) => {
    expect(JSON.parse((await call('declared', ...args)).stdout)).toEqual(expected);
  });

  test.concurrent('what nobody answers is refused by the server, with the options that would', async () => {
    const { code, stderr } = await call('sample');
    expect(code).toBe(5);
    expect(stderr).toMatch(/^error: MISSING_REQUIRED_CLIENT_CAPABILITY -32021 \(HTTP 400\): /);
    expect(stderr).toContain('--sampling');
  });
});

describe('a call that stopped', () => {
  test.concurrent('keeps what was answered in the same round, and is readable by its owner alone', async () => {
    const home = folder();
    const stopped = await dragoman(['call', running.url, 'both', '{}', '--answer', 'a={"name":"Ada"}'], { home });
    expect(stopped.code).toBe(6);
    const inbox = join(home, 'state', 'dragoman', 'inbox');
    const [file] = readdirSync(inbox);
    const path = join(inbox, file!);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const saved = JSON.parse(readFileSync(path, 'utf8'));
    expect(saved).toMatchObject({
      method: 'tools/call',
      inputResponses: { a: { action: 'accept', content: { name: 'Ada' } } },
      requestState: expect.any(String),
    });
    expect(Object.keys(saved.inputRequests)).toEqual(['a', 'b']);
    const next = await dragoman(
      ['call', running.url, 'both', '--continuation', `@${path}`, '--elicit', '{"name":"Byron"}', '--json'],
      { home },
    );
    expect(JSON.parse(next.stdout)).toMatchObject({
      data: { content: [{ text: 'Ada Byron' }] },
      meta: {
        rounds: [
          {
            round: 1,
            questions: [
              { key: 'a', by: '--continuation' },
              { key: 'b', by: '--elicit' },
            ],
          },
        ],
      },
    });
    expect(readdirSync(inbox)).toEqual([]);
  });

  test.concurrent('stops again at the next question, and its file is replaced', async () => {
    const home = folder();
    const inbox = join(home, 'state', 'dragoman', 'inbox');
    await dragoman(['call', running.url, 'greet', '{}'], { home });
    const [first] = readdirSync(inbox);
    const again = await dragoman(
      ['call', running.url, 'greet', '--continuation', `@${join(inbox, first!)}`, '--answer', 'first={"name":"Ada"}'],
      { home },
    );
    expect(again.code).toBe(6);
    expect(again.stderr).toContain(`--answer 'last={"name": ...}'`);
    const files = readdirSync(inbox);
    expect(files).toHaveLength(1);
    expect(files).not.toEqual([first]);
  });

  test.concurrent("can be gone on with by hand, with the protocol's own JSON", async () => {
    const raw = await dragoman([
      'rpc',
      running.url,
      'tools/call',
      '{"name":"greet","arguments":{}}',
      '--capabilities',
      '{"elicitation":{}}',
    ]);
    expect(raw.code).toBe(6);
    const { requestState } = JSON.parse(raw.stdout);
    const responses = { first: { action: 'accept', content: { name: 'Ada' } } };
    const byHand = JSON.stringify({ requestState, inputResponses: responses });
    const { code, stdout } = await dragoman([
      'call',
      running.url,
      'greet',
      '--continuation',
      byHand,
      '--answer',
      'last={"name":"B"}',
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Ada B\n' });
  });

  test.concurrent.each([
    [
      'another tool',
      'page',
      '{"method":"tools/call","params":{"name":"greet"},"server":"x"}',
      'it goes on with tools/call "greet", not with tools/call "page"',
    ],
    ['nothing', 'greet', '{"a":1}', 'expected what dragoman saved'],
    ['a state that is no text', 'greet', '{"requestState":7}', 'requestState is not a string'],
    [
      "another server's",
      'greet',
      '{"method":"tools/call","params":{"name":"greet"},"server":"http://other.example/mcp"}',
      'other.example',
    ],
  ])('is refused for %s', async (_, tool, json, message) => {
    const { code, stderr } = await dragoman(['call', running.url, tool, '--continuation', json]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

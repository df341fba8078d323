import { readFileSync } from 'node:fs';
import { engine } from '@dragoman/protocol/json-schema';
import { expect, test } from 'vitest';
import { dragoman } from './support/run.ts';
import { error, result, serveRaw } from './support/servers.ts';

const schema = JSON.parse(readFileSync(new URL('../schema/envelope.json', import.meta.url), 'utf8')) as object;
const check = engine.compile(schema as never);

/** Runs a command and holds what it prints against the schema that ships. */
async function envelope(args: string[], env: { [name: string]: string } = {}) {
  const { code, stdout, stderr } = await dragoman([...args, '--json'], { env });
  const value = JSON.parse(stdout);
  expect(check(value), stdout).toBeUndefined();
  // Whoever reads JSON gets the failure there, and nowhere else.
  expect(stderr).not.toContain('error:');
  expect(value.ok).toBe(code === 0);
  return { code, value };
}

test.concurrent.each([
  ['info', ['info', 'demo'], { kind: 'info', meta: { counts: { tools: 10 } } }],
  ['tools', ['tools', 'demo'], { kind: 'tools', data: { ttlMs: 60000, cacheScope: 'public', resultType: 'complete' } }],
  ['one tool', ['tools', 'demo', 'get_weather'], { kind: 'tool', data: { name: 'get_weather' } }],
  ['resources', ['resources', 'demo'], { kind: 'resources' }],
  ['templates', ['templates', 'demo'], { kind: 'templates' }],
  ['prompts', ['prompts', 'demo'], { kind: 'prompts' }],
  ['read', ['read', 'demo', 'demo://cities'], { kind: 'read', data: { contents: [{ uri: 'demo://cities' }] } }],
  [
    'prompt',
    ['prompt', 'demo', 'plan_trip', 'city=Rome', 'days=2'],
    { kind: 'prompt', data: { messages: [{ role: 'user' }] } },
  ],
  [
    'complete',
    ['complete', 'demo', 'prompt:plan_trip', 'style', 'b'],
    { kind: 'complete', data: { completion: { values: ['busy'] } } },
  ],
  ['rpc', ['rpc', 'demo', 'tools/list'], { kind: 'rpc' }],
  [
    'call',
    ['call', 'demo', 'get_weather', 'city=Rome'],
    {
      kind: 'call',
      server: { name: 'dragoman-demo', version: '1.0.0', target: 'demo' },
      protocol: { version: '2026-07-28', era: 'modern', known: 'asked' },
      data: { structuredContent: { city: 'Rome' } },
      meta: { servedBy: { name: 'dragoman-demo', version: '1.0.0' } },
    },
  ],
  [
    'progress',
    ['call', 'demo', 'search_files', 'query=venice', 'delay=0'],
    { meta: { progress: { count: 5, last: { progress: 4, total: 4, message: 'done' } } } },
  ],
  [
    'rounds, without what was answered',
    ['call', 'demo', 'book_table', 'city=Rome', '--elicit', '{"date": "2026-07-28", "sure": true}'],
    {
      meta: {
        rounds: [
          {
            round: 1,
            questions: [
              { key: 'table', method: 'elicitation/create', mode: 'form', outcome: 'accept', by: '--elicit' },
            ],
          },
          { round: 2, questions: [{ key: 'confirm', outcome: 'accept' }] },
        ],
      },
    },
  ],
])('%s', async (_, args, expected) => {
  const { code, value } = await envelope(args);
  expect(code).toBe(0);
  expect(value).toMatchObject(expected);
});

test.concurrent.each([
  [
    'the tool says that it failed',
    ['call', 'demo', 'fail'],
    1,
    { data: { isError: true }, error: { class: 'tool', message: 'It failed: as it always does' } },
  ],
  ['a wrong command line', ['tools'], 2, { kind: 'error', error: { class: 'usage', code: 'INVALID_ARGUMENT' } }],
  ['wrong arguments', ['call', 'demo', 'get_weather', 'city:=7'], 2, { kind: 'call', error: { class: 'usage' } }],
  [
    'nobody there',
    ['tools', '127.0.0.1:9/mcp'],
    3,
    { server: { name: null, target: '127.0.0.1:9/mcp' }, error: { class: 'connection' } },
  ],
  [
    'a protocol error',
    ['read', 'demo', 'no://where'],
    5,
    { error: { class: 'protocol', code: -32602, name: 'INVALID_PARAMS' } },
  ],
  [
    'input that nobody gives',
    ['call', 'demo', 'book_table', 'city=Rome'],
    6,
    { error: { class: 'input', data: { key: 'table', continuation: { method: 'tools/call' } } } },
  ],
  [
    'a raw result that asks',
    [
      'rpc',
      'demo',
      'tools/call',
      '{"name":"book_table","arguments":{"city":"Rome"}}',
      '--capabilities',
      '{"elicitation":{}}',
    ],
    6,
    { data: { resultType: 'input_required' }, error: { class: 'input' } },
  ],
  [
    'a raw request declares nothing by itself',
    ['rpc', 'demo', 'tools/call', '{"name":"book_table","arguments":{"city":"Rome"}}'],
    5,
    { error: { code: -32021, hint: expect.stringContaining('--capabilities') } },
  ],
  [
    'an unknown prompt',
    ['prompt', 'demo', 'plan_trap'],
    5,
    { error: { code: -32602, hint: 'dragoman prompts demo shows the prompts and their arguments' } },
  ],
  [
    'a destructive tool',
    ['call', 'demo', 'delete_note', 'title=x'],
    9,
    { error: { class: 'policy', code: 'REFUSED' } },
  ],
])('not ok: %s', async (_, args, code, expected) => {
  const { code: status, value } = await envelope(args);
  expect(status).toBe(code);
  expect(value).toMatchObject({ ok: false, ...expected });
});

test.concurrent('unknown members and _meta of a result are kept as they came', async () => {
  const own = {
    content: [{ type: 'text', text: 'x', extra: 1 }],
    newMember: [null, 1.5],
    _meta: { 'com.example/trace': { a: 1 } },
  };
  const server = await serveRaw(({ id, method }, response) => {
    if (method === 'tools/call') result(response, id, own);
    else error(response, 200, id, { code: -32603, message: 'not asked for' });
  });
  const { value } = await envelope(['call', server.url, 'x', '{}', '--protocol', '2026-07-28']);
  expect(value.data).toEqual({ resultType: 'complete', ...own });
  await server.close();
});

test('the schema refuses what is not an envelope', () => {
  for (const wrong of [
    {},
    { ok: true, kind: 'call', meta: { durationMs: 1 } },
    { ok: false, kind: 'call', data: {}, meta: { durationMs: 1 } },
    { ok: true, kind: 'nothing', data: {}, meta: { durationMs: 1 } },
  ]) {
    expect(check(wrong)).toBeDefined();
  }
});

test.concurrent('jsonl is one line: an item of a list, or an envelope', async () => {
  const [list, call] = await Promise.all([
    dragoman(['tools', 'demo', '--output', 'jsonl']),
    dragoman(['call', 'demo', 'get_weather', 'city=Rome', '--output', 'jsonl']),
  ]);
  const names = list.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).name);
  expect(names).toHaveLength(10);
  expect(check(JSON.parse(call.stdout))).toBeUndefined();
  expect(call.stdout.trimEnd()).not.toContain('\n');
});

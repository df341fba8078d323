import { describe, expect, test } from 'vitest';
import { commands } from '../commands/index.ts';
import { nearest } from './nearest.ts';
import { helpOf, parseCommandLine } from './parse.ts';

const parse = (line: string[], env: NodeJS.ProcessEnv = {}) => parseCommandLine(line, env, '1.2.3');

function run(line: string[], env: NodeJS.ProcessEnv = {}) {
  const parsed = parse(line, env);
  if (parsed.kind !== 'run') throw new Error('not a run');
  return { name: parsed.command.name, server: parsed.server, operands: parsed.operands, options: parsed.options };
}

describe('a command line', () => {
  test.each([
    [['tools', 'demo'], 'tools', { word: 'demo' }, [], {}],
    [['call', 'demo', 'x', 'a=1', '{"b":2}'], 'call', { word: 'demo' }, ['x', 'a=1', '{"b":2}'], {}],
    [
      ['call', 'x', 'n=-1', '--', 'node', 's.js', '--json'],
      'call',
      { command: ['node', 's.js', '--json'] },
      ['x', 'n=-1'],
      {},
    ],
    [['--json', 'tools', 'demo'], 'tools', { word: 'demo' }, [], { json: true }],
    [['--timeout', '5s', 'tools', '--', 'x'], 'tools', { command: ['x'] }, [], { timeout: 5000 }],
    [['--timeout=5s', 'tools', 'demo'], 'tools', { word: 'demo' }, [], { timeout: 5000 }],
    [
      ['-H', 'A: b', 'tools', 'demo', '-HC:d'],
      'tools',
      { word: 'demo' },
      [],
      {
        header: [
          ['A', 'b'],
          ['C', 'd'],
        ],
      },
    ],
    [['-vv', 'tools', 'demo', '-v'], 'tools', { word: 'demo' }, [], { verbose: 3 }],
    [['-qH', 'A: b', 'tools', 'demo'], 'tools', { word: 'demo' }, [], { quiet: true, header: [['A', 'b']] }],
    [['tools', 'demo', '--no-cache'], 'tools', { word: 'demo' }, [], { cache: false }],
    [
      ['call', 'demo', 'x', '--no-input', '--no-validate'],
      'call',
      { word: 'demo' },
      ['x'],
      { input: false, validate: false },
    ],
    [['call', 'demo', 'list'], 'call', { word: 'demo' }, ['list'], {}],
    [['demo', '--http', '0'], 'demo', undefined, [], { http: 0 }],
    [
      ['listen', 'demo', '--uri', 'a:b', '--uri', 'c:d', '--count', '2', '--for', '30s'],
      'listen',
      { word: 'demo' },
      [],
      { uri: ['a:b', 'c:d'], count: 2, for: 30000 },
    ],
  ])('[P70] %j', (line, name, server, operands, options) => {
    const found = run(line);
    expect({ name: found.name, server: found.server, operands: found.operands }).toEqual({ name, server, operands });
    expect(found.options).toMatchObject(options);
  });

  test('[P70] an option before the command that takes a value does not hide the command', () => {
    for (const value of ['tools', 'call'])
      expect(run(['--select', value, 'prompts', 'demo'])).toMatchObject({
        name: 'prompts',
        options: { select: value },
      });
  });

  test('variables set what no flag sets', () => {
    const env = { DRAGOMAN_TIMEOUT: '2m', DRAGOMAN_OUTPUT: 'json', DRAGOMAN_COLOR: '' };
    expect(run(['tools', 'demo'], env).options).toMatchObject({ timeout: 120_000, output: 'json' });
    expect(run(['tools', 'demo', '--timeout', '1s'], env).options).toMatchObject({ timeout: 1000 });
    expect(() => run(['tools', 'demo'], { DRAGOMAN_OUTPUT: 'xml' })).toThrow(
      'DRAGOMAN_OUTPUT (for --output) "xml": expected text, json, jsonl or raw',
    );
    expect(() => run(['tools', 'demo'], { DRAGOMAN_TIMEOUT: 'x' })).toThrow('DRAGOMAN_TIMEOUT (for --timeout) "x"');
  });

  test.each([
    [['--version'], '1.2.3\n'],
    [['-V'], '1.2.3\n'],
    [['--help'], /^dragoman 1\.2\.3: /],
    [[], /Commands:/],
    [['help'], /Commands:/],
    [['help', 'call'], /^Usage: dragoman call SERVER TOOL \[ARGS\.\.\.\] \[options\]/],
    [['call', '--help'], /--no-validate/],
    [['call', 'demo', 'x', '-h'], /Examples:/],
  ])('%j prints', (line, expected) => {
    const parsed = parse(line);
    expect(parsed.kind).toBe('print');
    if (parsed.kind === 'print') expect(parsed.text).toMatch(expected);
  });

  test.each([
    [['cal', 'demo'], 'there is no command "cal"; did you mean call?'],
    [['frobnicate'], 'there is no command "frobnicate"; dragoman --help lists the commands'],
    [['https://x.example/mcp'], 'to ask that server what it offers: dragoman info https://x.example/mcp'],
    [['help', 'nope'], 'there is no command "nope"'],
    [['--json'], 'no command given, only --json'],
    [
      ['call', 'demo', 'x', '--city', 'Rome'],
      "unknown option '--city'; arguments are written name=value, without dashes",
    ],
    [['tools', 'demo', '--timeout'], "option '--timeout <time>' argument missing"],
    [['tools', 'demo', '--output', 'yaml'], '--output "yaml": expected text, json, jsonl or raw'],
    [['tools', 'demo', '--output', 'jsno'], 'did you mean json?'],
    [['tools', ''], 'SERVER is missing'],
    [
      ['call', '--', 'node', 'x.js', 'add'],
      'TOOL is missing, and stands before --: the words after it are the server; usage',
    ],
    [['task', 'list'], 'there is no command "task"'],
    [['login', 'x'], 'there is no command "login"'],
  ])('%j is refused: %s', (line, message) => {
    expect(() => parse(line)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(message) }),
    );
  });

  test('every command has a help with all of its options and examples', () => {
    for (const spec of commands.values()) {
      const help = helpOf(spec);
      for (const option of spec.options.flatMap((group) => group.options)) expect(help).toContain(option.flags);
      for (const example of spec.examples) expect(help).toContain(`dragoman ${example.line}`);
    }
  });

  test('help fits into the terminal', () => {
    const texts = (width: number): string[] => [
      (parseCommandLine(['--help'], {}, '1.2.3', width) as { text: string }).text,
      ...[...commands.values()].map((spec) => helpOf(spec, width).replace(/^Examples:[\s\S]*/m, '')),
    ];
    for (const width of [60, 80, 120]) {
      for (const line of texts(width).flatMap((text) => text.split('\n'))) {
        expect(line.length, line).toBeLessThanOrEqual(width);
      }
    }
    expect(texts(60)[0]).toContain('complete SERVER REF ARG [PREFIX]  suggest values for an\n');
    expect(texts(60).join()).toContain('  --save <dir>\n      write images, audio');
  });

  test('every example can be read', () => {
    for (const spec of commands.values()) {
      for (const { line } of spec.examples) {
        const words = line
          .replace(/ > .*/, '')
          .match(/'[^']*'|\S+/g)!
          .map((word) => word.replace(/^'|'$/g, ''));
        expect(parse(words).kind).toBe('run');
      }
    }
  });
});

test.each([
  ['get_wether', 'get_weather'],
  ['GET_WEATHER', 'get_weather'],
  ['gte_weather', 'get_weather'],
  ['fial', 'fail'],
  ['something_else', undefined],
  ['x', undefined],
])('the nearest to %s is %s', (word, expected) => {
  expect(nearest(word, ['get_weather', 'fail', 'book'])).toBe(expected);
});

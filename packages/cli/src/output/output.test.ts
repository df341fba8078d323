import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { styleOf, wantsColor } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsOf, cutTo, wrapTo } from '../terminal/width.ts';
import { compactJson, prettyJson } from './json.ts';
import { type Pacer, ProgressLine, progressText } from './progress-line.ts';
import { compileSelection } from './select.ts';
import { pairs, table } from './table.ts';
import { sizeText, timeText } from './views.ts';

describe('a table', () => {
  const rows = [
    [{ text: 'get_weather' }, { text: '' }, { text: 'The weather in a city, wherever it is' }],
    [{ text: 'x' }, { text: '' }, { text: '東京の天気' }],
  ];

  test('keeps names whole and cuts the last column to the width', () => {
    const lines = table(rows, 40);
    expect(lines).toEqual(['get_weather  The weather in a city, whe…', 'x            東京の天気']);
    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(40);
  });

  test('puts the last column below where next to nothing is left for it', () => {
    expect(table(rows, 30)).toEqual(['get_weather', '    The weather in a city, wh…', 'x', '    東京の天気']);
  });

  test('lets the cells follow one another where not even they fit', () => {
    const wide = [
      [{ text: 'archive://letters' }, { text: 'Letters' }, { text: 'text/markdown' }, { text: 'All of the letters' }],
      [{ text: 'b' }, { text: '' }, { text: '' }, { text: '' }],
    ];
    const lines = table(wide, 27);
    expect(lines).toEqual(['archive://letters  Letters', '  text/markdown', '    All of the letters', 'b']);
    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(27);
  });

  test('breaks the last column into lines where nothing may be lost', () => {
    const dim = { text: 'The weather in a city, wherever it is', paint: (text: string) => `<${text}>` };
    expect(table([[{ text: 'get_weather' }, dim], [{ text: 'x' }]], 38, { wrap: true })).toEqual([
      'get_weather  <The weather in a city,>',
      '             <wherever it is>',
      'x',
    ]);
    expect(table([[{ text: 'get_weather' }, dim]], 20, { wrap: true })).toEqual([
      'get_weather',
      '    <The weather in a>',
      '    <city, wherever>',
      '    <it is>',
    ]);
  });

  test('is whole where there is no width', () => {
    expect(table(rows, Number.POSITIVE_INFINITY)[0]).toBe('get_weather  The weather in a city, wherever it is');
  });

  test('puts values in one column', () => {
    expect(
      pairs(
        [
          ['a', '1'],
          ['long', '2\n3'],
        ],
        (text) => text,
      ),
    ).toEqual(['a     1', 'long  2', '      3']);
    expect(pairs([['name', 'one two three four five six seven']], (text) => text, 32)).toEqual([
      'name  one two three four five',
      '      six seven',
    ]);
  });

  test.each([
    ['abcdef', 4, 'abc…'],
    ['abc', 4, 'abc'],
    ['日本語', 4, '日…'],
    ['👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧…'],
  ])('%s in %d columns is %s', (text, columns, expected) => {
    expect(cutTo(text, columns)).toBe(expected);
  });

  test('text is broken at spaces', () => {
    expect(wrapTo('one two three\nfour', 8)).toEqual(['one two', 'three', 'four']);
  });

  test('indents stay', () => {
    expect(wrapTo('a:\n  one two three\n\n    four', 9)).toEqual(['a:', '  one two', '  three', '', '    four']);
  });

  test('text without spaces is broken too, and what has to be whole is not', () => {
    expect(wrapTo('a 東京の天気 b', 6)).toEqual(['a', '東京の', '天気 b']);
    expect(wrapTo('see https://example.com/x now', 8)).toEqual(['see', 'https://example.com/x', 'now']);
  });
});

describe('JSON', () => {
  const value = { a: [1, 'x', null], b: true };
  test('is coloured without changing what it says', () => {
    const coloured = prettyJson(value, styleOf(true));
    expect(coloured).toContain('\u001b[34m"a"\u001b[39m:');
    expect(JSON.parse(stripVTControlCharacters(coloured))).toEqual(value);
    expect(prettyJson(value, styleOf(false))).toBe(JSON.stringify(value, null, 2));
  });

  test('on one line escapes what could act on a terminal', () => {
    expect(compactJson({ a: '\u009b\u202e' })).toBe('{"a":"\\u009b\\u202e"}');
  });
});

test.each([
  ['auto', true, {}, true],
  ['auto', false, {}, false],
  ['auto', true, { NO_COLOR: '1' }, false],
  ['auto', true, { NO_COLOR: '' }, true],
  ['auto', true, { TERM: 'dumb' }, false],
  ['always', false, { NO_COLOR: '1' }, true],
  ['never', true, {}, false],
] as const)('--color %s, terminal %s, %j: %s', (mode, terminal, env, expected) => {
  expect(wantsColor(mode, terminal, env)).toBe(expected);
});

describe('--select', () => {
  const data = { tools: [{ name: 'a', 'x/y': { '~': 1 } }, { name: 'b' }] };
  test.each([
    ['/tools/1/name', 'b'],
    ['', data],
    ['/tools/0/x~1y/~0', 1],
    ['/tools/2', null],
    ['/tools/01', null],
    ['/nothing/here', null],
    ['tools[].name', ['a', 'b']],
    ["tools[?name=='b'] | [0].name", 'b'],
    ['length(tools)', 2],
    ['nothing', null],
  ])('%s', async (expression, expected) => {
    expect((await compileSelection(expression))(data)).toEqual(expected);
  });

  test.each(['a[', 'tools[', '/a~b'])('%s is refused', async (expression) => {
    await expect(compileSelection(expression)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('the progress line', () => {
  function line(isTTY: boolean, active = true) {
    let now = 0;
    const timers: { at: number; call: () => void }[] = [];
    const written: string[] = [];
    const pacer: Pacer = {
      now: () => now,
      setTimeout: (call, milliseconds) => {
        const timer = { at: now + milliseconds, call };
        timers.push(timer);
        return timer;
      },
      clearTimeout: (timer) => void timers.splice(timers.indexOf(timer as never), 1),
    };
    const stream = { isTTY, columns: 20, write: (text: string) => written.push(text) } as unknown as Terminal['stderr'];
    const pass = (milliseconds: number): void => {
      now += milliseconds;
      for (const timer of timers.filter(({ at }) => at <= now)) timer.call();
    };
    return { progress: new ProgressLine(stream, active, pacer), written, pass, timers };
  }

  test('is drawn at most ten times a second and shows the last', () => {
    const { progress, written, pass, timers } = line(true);
    for (let i = 1; i <= 50; i += 1) progress.update({ progress: i, total: 50, message: 'x' });
    expect(written).toEqual(['\r\u001b[K1/50 (2%) x']);
    pass(100);
    expect(written.at(-1)).toBe('\r\u001b[K50/50 (100%) x');
    expect(timers).toEqual([]);
  });

  test('says later what is waited for, unless something else is said before', () => {
    const { progress, written, pass, timers } = line(true);
    progress.later('waiting', 1500);
    pass(1400);
    expect(written).toEqual([]);
    pass(100);
    expect(written).toEqual(['\r\u001b[Kwaiting']);
    progress.later('waiting again', 1500);
    progress.update({ progress: 1 });
    pass(100);
    expect(written.at(-1)).toBe('\r\u001b[K1');
    progress.later('and again', 1500);
    progress.erase();
    expect(timers).toEqual([]);
    pass(2000);
    expect(written.join('')).not.toContain('again');
  });

  test('leaves no trace', () => {
    const { progress, written, timers } = line(true);
    progress.update({ progress: 1 });
    progress.update({ progress: 2 });
    progress.erase();
    expect(written).toEqual(['\r\u001b[K1', '\r\u001b[K']);
    expect(timers).toEqual([]);
    progress.erase();
    expect(written).toHaveLength(2);
  });

  test('fits on one line', () => {
    const { progress, written } = line(true);
    progress.update({ progress: 1, message: 'a very long message indeed' });
    expect(columnsOf(written[0]!.slice(4))).toBeLessThan(20);
  });

  test('is not there without a terminal, or with --quiet', () => {
    for (const { progress, written } of [line(false), line(true, false)]) {
      progress.update({ progress: 1 });
      expect(written).toEqual([]);
    }
  });

  test.each([
    [{ progress: 2, total: 4, message: 'linking' }, '2/4 (50%) linking'],
    [{ progress: 7 }, '7'],
    [{ progress: 0.3333333, total: 1 }, '0.33/1 (33%)'],
    [{ progress: 1, total: 0 }, '1'],
    [{ progress: 1, message: '\u001b[2J' }, '1 \\x1b[2J'],
  ])('%j reads %s', (progress, expected) => {
    expect(progressText(progress)).toBe(expected);
  });
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1234, '1.2 kB'],
  [12_345, '12 kB'],
  [999_900, '1.0 MB'],
  [5_000_000_000, '5.0 GB'],
])('%d bytes are %s', (bytes, expected) => {
  expect(sizeText(bytes)).toBe(expected);
});

test.each([
  [40, '40 ms'],
  [24_000, '24 s'],
  [180_000, '3 min'],
  [86_400_000, '24 h'],
])('%d milliseconds are %s', (milliseconds, expected) => {
  expect(timeText(milliseconds)).toBe(expected);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeJson, escapeLine, escapeText } from './escape.ts';

/** What is left in a text that could act on a terminal. */
const acting = (text: string): string[] =>
  (text.match(/[\p{Cc}\p{Bidi_Control}\u{200b}\u{feff}]/gu) ?? []).filter((c) => c !== '\n' && c !== '\t');

describe('[Z08] text of a server on its way to a terminal', () => {
  test.each([
    ['\u001b[2Jx', '\\x1b[2Jx'],
    ['a\u0007b', 'a\\x07b'],
    ['\u009b31m', '\\x9b31m'],
    ['a\rb', 'a\\rb'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\u200bb', 'a\\u{200b}b'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ud800x', '\\u{d800}x'],
    ['héllo wörld 日本 😀 👨\u200d👩', 'héllo wörld 日本 😀 👨\u200d👩'],
  ])('%j becomes %j', (text, expected) => {
    expect(escapeLine(text)).toBe(expected);
    expect(escapeText(text)).toBe(expected);
  });

  test('a line has no line ends or tabs, a text keeps them', () => {
    expect(escapeLine('a\n\tb\r\nc')).toBe('a\\n\\tb\\r\\nc');
    expect(escapeText('a\n\tb\r\nc')).toBe('a\n\tb\nc');
  });

  test('nothing that acts on a terminal gets through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(acting(escapeLine(text))).toEqual([]);
        expect(acting(escapeText(text))).toEqual([]);
      }),
    );
  });

  test('JSON says the same and cannot act either', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const json = escapeJson(JSON.stringify({ value, text }, null, 2));
        expect(acting(json)).toEqual([]);
        expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify({ value, text }));
      }),
    );
  });
});

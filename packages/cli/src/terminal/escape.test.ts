import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeJson, escapeLine, escapeText } from './escape.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: that none is left is what is tested
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\ufeff]/;

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
        expect(escapeLine(text)).not.toMatch(acting);
        expect(escapeText(text)).not.toMatch(acting);
      }),
    );
  });

  test('JSON says the same and cannot act either', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const json = escapeJson(JSON.stringify({ value, text }, null, 2));
        expect(json).not.toMatch(acting);
        expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify({ value, text }));
      }),
    );
  });
});

import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test.each([
  ['\u001b[31mred\u0007', '\\u001b[31mred\\u0007'],
  ['two\nlines\r\n', 'two\\nlines'],
  ['a\tb', 'a b'],
  ['\u202egnp.exe \u2028 \u0085', '\\u202egnp.exe \\u2028 \\u0085'],
  ['ä€𝄞', 'ä€𝄞'],
])('[Z08] %j is printed as %s', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('what is longer than allowed is cut', () => {
  expect(printable('x'.repeat(50), 10)).toBe(`${'x'.repeat(10)}…`);
});

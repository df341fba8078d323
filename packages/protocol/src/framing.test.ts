import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader } from './framing.ts';

function read(chunks: Uint8Array[], maxBytes?: number) {
  const lines: string[] = [];
  const problems: [string, string][] = [];
  const reader = new LineReader({
    maxBytes,
    onLine: (line) => lines.push(line),
    onProblem: (problem, sample) => problems.push([problem, sample]),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { lines, problems };
}
const bytes = (text: string) => new TextEncoder().encode(text);

/** Cuts at random places. */
const cut = (whole: Uint8Array, at: number[]) => {
  const places = [...new Set(at.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => whole.slice(from, places[index] ?? whole.length));
};

test('[T01] lines come whole however their bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ''))),
      fc.array(fc.nat()),
      (lines, places) => {
        const whole = bytes(lines.map((line) => `${line}\n`).join(''));
        expect(read(cut(whole, places)).lines).toEqual(lines.filter((line) => line !== ''));
      },
    ),
  );
});

test('[T01] one byte at a time', () => {
  const whole = bytes('{"a":"é€😀"}\r\n\n{"b":1}');
  expect(read([...whole].map((byte) => Uint8Array.of(byte))).lines).toEqual(['{"a":"é€😀"}', '{"b":1}']);
});

test('[T01] bytes that are not UTF-8 spoil their own line only', () => {
  const whole = new Uint8Array([...bytes('one\n'), 0xff, 0x0a, ...bytes('two\n')]);
  for (const chunks of [[whole], [...whole].map((byte) => Uint8Array.of(byte))]) {
    expect(read(chunks)).toEqual({ lines: ['one', 'two'], problems: [['not UTF-8', '\ufffd']] });
  }
});

test('[Z10] a line that is too long is skipped to its end, and the next one is read', () => {
  const whole = bytes(`ok\n${'x'.repeat(1000)}\nnext\n`);
  for (const size of [1, 7, 100, 5000]) {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < whole.length; at += size) chunks.push(whole.slice(at, at + size));
    const { lines, problems } = read(chunks, 100);
    expect(lines).toEqual(['ok', 'next']);
    expect(problems.map(([problem]) => problem)).toEqual(['too long']);
  }
});

test('a line as long as the limit is read', () => {
  expect(read([bytes(`${'x'.repeat(100)}\n`)], 100).lines).toEqual(['x'.repeat(100)]);
});

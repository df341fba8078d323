import { expect, test } from 'vitest';
import { StderrRing } from './stderr-ring.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('keeps what comes, in order', () => {
  const ring = new StderrRing(100);
  for (const text of ['a', 'bc', '', 'd']) ring.push(bytes(text));
  expect(ring.tail()).toBe('abcd');
});

test('[Z10] keeps only the end, to the byte, however it comes', () => {
  const ring = new StderrRing(10);
  for (let at = 0; at < 1000; at++) ring.push(bytes(String(at % 10)));
  expect(ring.tail()).toBe('0123456789');
  ring.push(bytes('xyz'));
  expect(ring.tail()).toBe('3456789xyz');
  ring.push(bytes('A whole new text'));
  expect(ring.tail()).toBe('e new text');
});

test('a character that comes in pieces stays whole', () => {
  const ring = new StderrRing(10);
  const [first, ...rest] = bytes('€');
  ring.push(Uint8Array.of(first as number));
  ring.push(Uint8Array.from(rest));
  expect(ring.tail()).toBe('€');
});

test('what is kept does not change when the chunk does', () => {
  const ring = new StderrRing(10);
  const chunk = bytes('abc');
  ring.push(chunk);
  chunk.fill(0);
  expect(ring.tail()).toBe('abc');
});

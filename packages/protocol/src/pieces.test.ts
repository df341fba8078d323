import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pieces } from './pieces.ts';

/** Of random lengths, and of random contents as far as that can be told. */
const piece = fc
  .tuple(fc.oneof(fc.nat(5), fc.integer({ min: 900, max: 1100 }), fc.constant(70_000)), fc.nat(255))
  .map(([length, byte]) => new Uint8Array(length).map((_, index) => (byte + index) % 251));

test('[T01] pieces of any sizes become the whole', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (all) => {
      const pieces = new Pieces();
      for (const each of all) pieces.add(each);
      const whole = Buffer.concat(all);
      expect(whole.equals(pieces.whole())).toBe(true);
      expect(pieces.size).toBe(whole.length);
      // Asking does not change the answer.
      expect(whole.equals(pieces.whole())).toBe(true);
    }),
  );
});

test('one piece is not copied', () => {
  const pieces = new Pieces();
  const only = new Uint8Array([1, 2]);
  pieces.add(only);
  expect(pieces.whole()).toBe(only);
  expect(pieces.first).toBe(only);
});

test('[Z10] crumbs cost what they weigh', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const pieces = new Pieces();
  const before = used();
  for (let count = 0; count < 200_000; count++) pieces.add(Uint8Array.of(count));
  expect(used() - before).toBeLessThan(2_000_000);
  expect(pieces.whole()).toHaveLength(200_000);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, fingerprint } from './canonical.ts';

test('the order of members does not matter, that of items does', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  expect(canonicalJson(undefined)).toBe('null');
});

test('[T076] a member named __proto__ counts', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}');
});

test('equal JSON has equal text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
    }),
  );
});

test('fingerprints tell texts apart', () => {
  const prints = new Set(Array.from({ length: 10_000 }, (_, at) => fingerprint(`question ${at}`)));
  expect(prints.size).toBe(10_000);
  expect(fingerprint('a')).toBe(fingerprint('a'));
});

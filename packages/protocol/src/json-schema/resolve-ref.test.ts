import { describe, expect, test } from 'vitest';
import { dereference, resolveRef } from './resolve-ref.ts';

const leaf = { type: 'string', $anchor: 'leaf' };
const inner = { $id: 'inner.json', $defs: { x: { const: 1 } }, $ref: '#/$defs/x' };
const node = { $dynamicAnchor: 'node', type: 'object', properties: { next: { $dynamicRef: '#node' } } };
const odd = { title: 'odd' };
const root = {
  $id: 'https://example.com/root.json',
  $defs: { leaf, inner, node, 'a/b': odd, 'c%d': true, list: [{ const: 2 }] },
  'x-elsewhere': { deep: { $ref: '#leaf' } },
};

describe('[JSCH-15] references resolve within the document', () => {
  test.each<[string, unknown]>([
    ['#', root],
    ['#/$defs/leaf', leaf],
    ['#leaf', leaf],
    ['#node', node],
    ['inner.json', inner],
    ['https://example.com/inner.json#/$defs/x', inner.$defs.x],
    ['#/$defs/a~1b', odd],
    ['#/$defs/a%7E1b', odd],
    ['#/$defs/c%25d', true],
    ['#/$defs/list/0', { const: 2 }],
    ['#/x-elsewhere/deep', root['x-elsewhere'].deep],
  ])('%s', (reference, expected) => {
    expect(resolveRef(root, root, reference)).toStrictEqual(expected);
  });

  test('relative to where the reference stands', () => {
    expect(resolveRef(inner, root, '#/$defs/x')).toBe(inner.$defs.x);
  });

  test.each([
    '#nothing',
    '#/$defs/nothing',
    '#/$defs/leaf/type',
    '#/$defs/toString',
    'other.json',
    'https://example.org/',
    '#/%zz',
  ])('%s leads nowhere', (reference) => {
    expect(resolveRef(root, root, reference)).toBeUndefined();
  });

  test('anything at all may stand as the document', () => {
    expect(resolveRef(true, true, '#')).toBeUndefined();
    expect(resolveRef({}, { $defs: 7, properties: [], $id: 3, allOf: null }, '#/$defs/a')).toBeUndefined();
    const cyclic: { [name: string]: unknown } = {};
    cyclic.not = cyclic;
    expect(resolveRef(cyclic, cyclic, '#/not/not')).toBe(cyclic);
  });
});

describe('[D01] following references', () => {
  test('stops at a schema with keywords of its own, and keeps what stands beside', () => {
    const document = {
      $defs: { a: { $ref: '#/$defs/b', title: 'A' }, b: { type: 'string', title: 'B', description: 'b' } },
    };
    expect(dereference({ $ref: '#/$defs/b' }, document)).toBe(document.$defs.b);
    expect(dereference({ $ref: '#/$defs/a' }, document)).toEqual({ type: 'string', title: 'A', description: 'b' });
    expect(dereference({ type: 'number' }, document)).toEqual({ type: 'number' });
  });

  test('inlines nothing below, so recursion stays as it is', () => {
    expect(dereference({ $ref: '#/$defs/node' }, root)).toBe(node);
    expect(dereference(node.properties.next, root)).toBe(node);
  });

  test.each([
    ['#/$defs/a', { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }],
    ['#/$defs/a', { a: { $ref: '#/$defs/a' } }],
    ['#/$defs/a', { a: { $ref: 'https://example.com/' } }],
  ])('%s in a circle, or to the outside, is nothing', ($ref, $defs) => {
    expect(dereference({ $ref }, { $defs })).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { createEngine } from './index.ts';
import type { JsonSchema } from './port.ts';

/*
 * No npm package carries the draft 2020-12 part of the official JSON-Schema-Test-Suite, so the rules that are easily got
 * wrong are here; `suite.test.ts` runs the official cases where a checkout of them is at hand.
 */

const engines = [
  ['interpreted', createEngine({ codegen: 'none' })],
  ['generated', createEngine({ codegen: 'all', warmup: 0 })],
] as const;

/** A name, a schema, the values that it takes, and those that it does not. */
type Case = readonly [name: string, schema: JsonSchema, valid: readonly unknown[], invalid: readonly unknown[]];

const json = (text: string): never => JSON.parse(text) as never;
const draft2019 = 'https://json-schema.org/draft/2019-09/schema';
const draft07 = 'http://json-schema.org/draft-07/schema#';

const cases: readonly Case[] = [
  ['true and false', { properties: { a: true, b: false } }, [{}, { a: 1 }, 1], [{ b: 1 }]],
  ['type: integer is a value, not a notation', { type: 'integer' }, [1, 1.0, -0, 1e300], [1.5, '1', true, null]],
  ['type: number', { type: 'number' }, [1, 1.5], ['1', null, true]],
  ['type: object is no array and no null', { type: 'object' }, [{}], [[], null, 'x']],
  ['type: several', { type: ['array', 'null'] }, [[], null], [{}, 0]],
  [
    'keywords hold for their type only',
    { minLength: 3, minimum: 3, minItems: 3, minProperties: 3 },
    [true, null, 'abc', 3],
    ['a', 1, [], {}],
  ],
  [
    'const is deep and heeds no order',
    { const: { a: [1, { b: null }], c: 2 } },
    [{ c: 2, a: [1, { b: null }] }],
    [{ a: [1, { b: null }] }, { a: [1, {}], c: 2 }, null],
  ],
  ['const: 0 is not false, 1 is not true', { enum: [0, 1] }, [0, 1, 1.0], [false, true, '0']],
  ['const: false is not 0', { enum: [[false], null] }, [[false], null], [[0], false, 0]],
  ['const: a list is no object', { const: [] }, [[]], [{}, { length: 0 }, '', json('{"__proto__":[]}')]],
  ['enum: own members only', { enum: [{ a: 1 }] }, [{ a: 1 }], [{ toString: 1 }, { a: 1, b: 1 }]],
  ['multipleOf: decimals', { multipleOf: 0.01 }, [19.99, 0.07, 4.35, 0, 1e10], [0.015, 19.995]],
  ['multipleOf: very small', { multipleOf: 1e-12 }, [3e-12, 1], [1.5e-12]],
  ['multipleOf: 123456789', { type: 'integer', multipleOf: 0.123456789 }, [0], [1e308 / 3]],
  ['minimum and exclusiveMinimum', { minimum: 0, exclusiveMaximum: 1 }, [0, 0.5], [-0.1, 1]],
  ['lengths are code points', { minLength: 2, maxLength: 2 }, ['ab', '😀😀', 'é1'], ['😀', 'abc', '😀😀😀']],
  ['a length no string has', { minLength: 3_000_000_000 }, [1], ['', 'abc']],
  ['pattern searches', { pattern: 'b+' }, ['abbc', 1], ['ac']],
  ['pattern: unicode', { pattern: '^\\p{Letter}+$' }, ['straße'], ['a1']],
  ['required: null is there', { required: ['a'] }, [{ a: null }, [], 'x'], [{}, { b: 1 }]],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{}, { b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  ['dependentSchemas', { dependentSchemas: { a: { maxProperties: 1 } } }, [{ a: 1 }, { b: 1, c: 1 }], [{ a: 1, b: 1 }]],
  [
    'dependencies of older drafts',
    { dependencies: { a: ['b'], c: { required: ['d'] } } },
    [
      { a: 1, b: 1 },
      { c: 1, d: 1 },
    ],
    [{ a: 1 }, { c: 1 }],
  ],
  ['propertyNames', { propertyNames: { maxLength: 2, pattern: '^a' } }, [{}, { ab: 1 }, []], [{ abc: 1 }, { b: 1 }]],
  [
    'patternProperties',
    { patternProperties: { '^x': { type: 'number' } }, additionalProperties: { type: 'string' } },
    [{ x1: 1, a: 'b' }],
    [{ x1: 'b' }, { a: 1 }],
  ],
  [
    'patternProperties valid only without the u flag',
    { patternProperties: { '^[\\w-.]+\\-$': false } },
    [{ a: 1 }],
    [{ 'a.-': 1 }],
  ],
  [
    'properties, patternProperties and false',
    { properties: { foo: {} }, patternProperties: { '^v': {} }, additionalProperties: false },
    [{ foo: 1, v1: 1 }],
    [{ bar: 1 }],
  ],
  [
    'prefixItems and items',
    { prefixItems: [{ type: 'string' }, { type: 'number' }], items: { type: 'boolean' } },
    [[], ['a'], ['a', 1, true]],
    [[1], ['a', 'b'], ['a', 1, 1]],
  ],
  ['items: false', { prefixItems: [{}], items: false }, [[], [1]], [[1, 2]]],
  ['contains', { contains: { const: 1 } }, [[1], [2, 1], {}], [[], [2]]],
  [
    'minContains and maxContains',
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [
      [1, 1],
      [1, 2, 1, 1],
    ],
    [[1], [1, 1, 1, 1], []],
  ],
  ['minContains: 0', { contains: { const: 1 }, minContains: 0, maxContains: 1 }, [[], [2], [1]], [[1, 1]]],
  ['minContains alone means nothing', { minContains: 2, maxContains: 0 }, [[], [1]], []],
  [
    'uniqueItems',
    { uniqueItems: true },
    [[1, '1', true, [1], { a: 1 }], [[1], [2]], []],
    [
      [1, 1.0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[], []],
      [null, null],
    ],
  ],
  [
    'if, then, else',
    json('{"if":{"minimum":10},"then":{"multipleOf":2},"else":{"multipleOf":3}}'),
    [12, 9, 3, 0],
    [11, 4],
  ],
  ['then without if', json('{"then":false,"else":false}'), [1], []],
  ['not', { not: { type: ['integer', 'boolean'] } }, ['a', 1.5], [1, true]],
  ['oneOf', { oneOf: [{ type: 'integer' }, { minimum: 2 }] }, [1, 2.5], [3, 1.5]],
  [
    'allOf, anyOf, oneOf together',
    { allOf: [{ multipleOf: 2 }], anyOf: [{ multipleOf: 3 }], oneOf: [{ multipleOf: 5 }] },
    [30],
    [6, 10, 15, 1],
  ],
  [
    '$ref keeps what stands beside',
    { $defs: { s: { type: 'string' } }, $ref: '#/$defs/s', maxLength: 2 },
    ['ab'],
    ['abc', 1],
  ],
  [
    '$ref with escapes',
    { $defs: { 'a/b~c%d"': { type: 'number' } }, items: { $ref: '#/$defs/a~1b~0c%25d%22' } },
    [[1]],
    [['a']],
  ],
  [
    '$ref to below an unknown keyword',
    { 'x-defs': { n: { type: 'number' } }, items: { $ref: '#/x-defs/n' } },
    [[1]],
    [['a']],
  ],
  [
    'a property called $ref is a property',
    { properties: { $ref: { type: 'string' } } },
    [{ $ref: 'a' }],
    [{ $ref: 1 }],
  ],
  ['a $ref inside const or enum is data', { const: { $ref: '#/nothing' } }, [{ $ref: '#/nothing' }], [1]],
  ['$anchor', { $defs: { n: { $anchor: 'num', type: 'number' } }, items: { $ref: '#num' } }, [[1]], [['a']]],
  [
    'nested $id',
    {
      $id: 'http://x.test/root',
      $defs: { a: { $id: 'sub/a', items: { $ref: 'b' } }, b: { $id: 'sub/b', type: 'number' } },
      $ref: 'sub/a',
    },
    [[1]],
    [['a']],
  ],
  [
    'nested $id has its own anchors',
    {
      $id: 'http://x.test/root',
      $anchor: 'top',
      type: 'array',
      items: { $id: 'inner', $ref: '#top', $defs: { t: { $anchor: 'top', type: 'number' } } },
    },
    [[1]],
    [['a']],
  ],
  [
    'a URN as identifier',
    {
      $id: 'urn:uuid:deadbeef-1234-0000-0000-4321feebdaed',
      $defs: { n: { type: 'number' } },
      items: { $ref: 'urn:uuid:deadbeef-1234-0000-0000-4321feebdaed#/$defs/n' },
    },
    [[1]],
    [['a']],
  ],
  [
    'recursive $defs',
    {
      $defs: {
        l: {
          anyOf: [
            { type: 'null' },
            { type: 'object', properties: { next: { $ref: '#/$defs/l' } }, required: ['next'] },
          ],
        },
      },
      $ref: '#/$defs/l',
    },
    [null, { next: { next: null } }],
    [{ next: {} }, 1],
  ],
  [
    '$dynamicRef to the outermost anchor',
    {
      $id: 'http://x.test/strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'tree',
          $dynamicAnchor: 'node',
          type: 'object',
          properties: { data: true, children: { items: { $dynamicRef: '#node' } } },
        },
      },
    },
    [{ children: [{ data: 1 }] }],
    [{ children: [{ daat: 1 }] }, { x: 1 }],
  ],
  [
    '$dynamicRef to a plain anchor is a $ref',
    { $defs: { n: { $anchor: 'n', type: 'number' } }, items: { $dynamicRef: '#n' } },
    [[1]],
    [['a']],
  ],
  [
    '$dynamicRef by scope, not by nesting',
    {
      $id: 'http://x.test/typical',
      $ref: 'list',
      $defs: {
        foo: { $dynamicAnchor: 'items', type: 'string' },
        list: {
          $id: 'list',
          type: 'array',
          items: { $dynamicRef: '#items' },
          $defs: { items: { $dynamicAnchor: 'items' } },
        },
      },
    },
    [['a']],
    [[1]],
  ],
  [
    '$recursiveRef',
    {
      $schema: draft2019,
      $id: 'http://x.test/2019',
      $recursiveAnchor: true,
      $ref: 'base',
      unevaluatedProperties: false,
      $defs: {
        base: { $id: 'base', $recursiveAnchor: true, type: 'object', properties: { kid: { $recursiveRef: '#' } } },
      },
    },
    [{ kid: { kid: {} } }],
    [{ kid: { x: 1 } }],
  ],
  [
    'unevaluatedProperties sees through allOf',
    { allOf: [{ properties: { a: true } }], properties: { b: true }, unevaluatedProperties: false },
    [{ a: 1, b: 1 }, [1], 'x'],
    [{ c: 1 }],
  ],
  [
    'unevaluatedProperties sees only branches that passed',
    {
      anyOf: [
        { properties: { a: { const: 1 } }, required: ['a'] },
        { properties: { b: { const: 1 } }, required: ['b'] },
      ],
      unevaluatedProperties: false,
    },
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1, b: 2 }],
  ],
  [
    'unevaluatedProperties and a failed if',
    {
      if: { properties: { a: { const: 1 }, b: { properties: { x: { const: 1 } } } }, required: ['a'] },
      else: { required: ['c'], properties: { c: true } },
      unevaluatedProperties: false,
    },
    [{ a: 1, b: {} }, { c: 1 }],
    [
      { c: 1, b: { x: 2 } },
      { a: 2, c: 1 },
    ],
  ],
  [
    'unevaluatedProperties and not',
    { not: { not: { properties: { a: true } } }, unevaluatedProperties: false },
    [{}],
    [{ a: 1 }],
  ],
  [
    'unevaluatedItems and a not that holds',
    { unevaluatedItems: false, not: { enum: [], items: true } },
    [[], {}],
    [[{}]],
  ],
  [
    'unevaluatedProperties as a schema keeps to itself',
    { properties: { a: true }, unevaluatedProperties: { type: 'object', properties: { z: true } } },
    [{ a: 1, b: { z: 1 } }],
    [{ b: { z: 1 }, z: 1 }],
  ],
  [
    'unevaluatedProperties and $ref',
    { $defs: { d: { properties: { a: true } } }, $ref: '#/$defs/d', unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  [
    'unevaluatedProperties and dependentSchemas',
    { properties: { a: true }, dependentSchemas: { a: { properties: { b: true } } }, unevaluatedProperties: false },
    [{ a: 1, b: 1 }],
    [{ b: 1 }],
  ],
  [
    'unevaluatedItems and contains',
    { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false },
    [[1, 'a'], ['a']],
    [[1, 'a', 2]],
  ],
  [
    'unevaluatedItems and contains of what is nested',
    { contains: { prefixItems: [{ const: 1 }, true] }, unevaluatedItems: false },
    [[[1]], [[1], [1, 2]]],
    [
      [[1], [2]],
      [[2], [1]],
    ],
  ],
  [
    'unevaluatedItems before 2020-12 passes over contains',
    { $schema: draft2019, items: [true], contains: { const: 2 }, unevaluatedItems: false },
    [[2]],
    [[1, 2]],
  ],
  ['unevaluatedItems and items', { allOf: [{ items: true }], unevaluatedItems: false }, [[1, 2]], []],
  [
    'unevaluatedItems as a schema',
    { prefixItems: [true], unevaluatedItems: { type: 'number' } },
    [['a', 1], {}],
    [['a', 'b']],
  ],
  [
    'draft-07: items as a list',
    { $schema: draft07, items: [{ type: 'string' }], additionalItems: { type: 'number' } },
    [['a', 1], []],
    [[1], ['a', 'b']],
  ],
  [
    'draft-07: additionalItems needs the list',
    { $schema: draft07, items: { type: 'string' }, additionalItems: false },
    [['a', 'b']],
    [[1]],
  ],
  [
    'draft-07: $id as anchor',
    { $schema: draft07, definitions: { n: { $id: '#num', type: 'number' } }, items: { $ref: '#num' } },
    [[1]],
    [['a']],
  ],
  ['draft-07: minContains is unknown', { $schema: draft07, contains: { const: 1 }, minContains: 2 }, [[1]], [[]]],
  [
    'members called __proto__ and constructor',
    json('{"properties":{"__proto__":{"type":"number"},"constructor":{"type":"string"}},"additionalProperties":false}'),
    [{}, json('{"__proto__":1,"constructor":"a"}')],
    [json('{"__proto__":"a"}'), json('{"constructor":1}'), { toString: 1 }],
  ],
];

describe.each(engines)('2020-12 and the older dialects (%s)', (_name, engine) => {
  test.each(cases)('[JSCH-03] %s', (_rule, schema, valid, invalid) => {
    const check = engine.compile(schema);
    for (const value of valid) expect(check(value), JSON.stringify(value)).toBeUndefined();
    for (const value of invalid) expect(check(value), JSON.stringify(value)).not.toBeUndefined();
  });
});

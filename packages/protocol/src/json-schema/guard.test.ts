import { describe, expect, test } from 'vitest';
import { DragomanError } from '../errors.ts';
import { checkSchema } from './guard.ts';
import { createEngine, engine } from './index.ts';
import type { JsonSchema } from './port.ts';

/** Reason and pointer of the refusal, which must be the same whether asked or compiled. */
function refusal(schema: unknown, limits?: Parameters<typeof checkSchema>[1]) {
  const problem = checkSchema(schema, limits);
  if (problem === undefined) return undefined;
  expect(problem).toBeInstanceOf(DragomanError);
  expect(problem.code).toBe('INVALID_SCHEMA');
  expect(() => engine.compile(schema as JsonSchema, limits)).toThrow(problem.message);
  return `${problem.details?.reason} ${problem.details?.pointer}`;
}

describe('[JSCH-07] keywords have values that they can have', () => {
  test.each<[unknown, string]>([
    [null, 'malformed '],
    ['object', 'malformed '],
    [[], 'malformed '],
    [undefined, 'malformed '],
    [{ type: 7 }, 'malformed /type'],
    [{ type: 'strin' }, 'malformed /type'],
    [{ type: [] }, 'malformed /type'],
    [{ type: ['string', 'string'] }, 'malformed /type'],
    [{ type: null }, 'malformed /type'],
    [{ properties: [] }, 'malformed /properties'],
    [{ properties: { a: null } }, 'malformed /properties/a'],
    [{ properties: { a: { type: 'objekt' } } }, 'malformed /properties/a/type'],
    [{ required: 'x' }, 'malformed /required'],
    [{ required: null }, 'malformed /required'],
    [{ required: [1] }, 'malformed /required'],
    [{ enum: 'a' }, 'malformed /enum'],
    [{ allOf: {} }, 'malformed /allOf'],
    [{ anyOf: [] }, 'malformed /anyOf'],
    [{ anyOf: [true, 3] }, 'malformed /anyOf/1'],
    [{ items: [{}] }, 'malformed /items'],
    [{ not: 'x' }, 'malformed /not'],
    [{ minLength: -1 }, 'malformed /minLength'],
    [{ maxItems: 1.5 }, 'malformed /maxItems'],
    [{ minimum: '0' }, 'malformed /minimum'],
    [{ multipleOf: 0 }, 'malformed /multipleOf'],
    [{ uniqueItems: 'yes' }, 'malformed /uniqueItems'],
    [{ pattern: '(' }, 'malformed /pattern'],
    [{ pattern: 3 }, 'malformed /pattern'],
    [{ patternProperties: { '[': {} } }, 'malformed /patternProperties/['],
    [{ dependentRequired: { a: 'b' } }, 'malformed /dependentRequired/a'],
    [{ $ref: 7 }, 'malformed /$ref'],
    [{ $defs: { 'a/b': 5 } }, 'malformed /$defs/a~1b'],
    [{ $anchor: 'no spaces' }, 'malformed /$anchor'],
    [{ minimum: Number.NaN }, 'malformed /minimum'],
    [{ const: 1n }, 'malformed /const'],
  ])('%o', (schema, expected) => {
    expect(refusal(schema)).toBe(expected);
  });

  test('the message says what was wrong, with which value', () => {
    expect(checkSchema({ properties: { a: { type: 7 } } })?.message).toBe(
      'Invalid JSON Schema at /properties/a/type: type must be one of string, number, integer, boolean, object, array, null, or a list of different ones of them, not 7',
    );
  });

  test.each<[unknown]>([
    [true],
    [false],
    [{}],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }],
    [{ anyOf: [{ type: 'object' }] }],
    [{ maxLength: 3.0, 'x-own': { type: 7 }, required: [] }],
    [{ type: 'object', properties: JSON.parse('{"__proto__": {"type": "string"}}') }],
  ])('[D06] %j is fine', (schema) => {
    expect(refusal(schema)).toBeUndefined();
  });

  test("annotations and doubled names of a peer's schema are let pass, an author's are not", () => {
    for (const schema of [{ title: 7 }, { description: null }, { required: ['a', 'a'] }]) {
      expect(refusal(schema)).toBeUndefined();
      expect(refusal(schema, { trusted: true })).toMatch(/^malformed/);
    }
  });
});

describe('[T093] [JSCH-08] [JSCH-12] references stay inside the schema', () => {
  test.each([
    ['$ref', 'https://example.com/schema.json'],
    ['$ref', 'https://json-schema.org/draft/2020-12/schema'],
    ['$ref', 'other.json#/$defs/a'],
    ['$ref', 'file:///etc/passwd'],
    ['$dynamicRef', 'https://example.com/tree#node'],
  ])('%s %s is external', (keyword, uri) => {
    const schema = { properties: { a: { [keyword]: uri } } };
    expect(refusal(schema)).toBe(`reference /properties/a/${keyword}`);
    expect(checkSchema(schema)?.message).toContain(JSON.stringify(uri));
    expect(checkSchema(schema)?.message).toContain('never fetched');
  });

  test('$recursiveRef too, in its own dialect', () => {
    const $schema = 'https://json-schema.org/draft/2019-09/schema';
    expect(refusal({ $schema, items: { $recursiveRef: 'https://example.com/x' } })).toBe(
      'reference /items/$recursiveRef',
    );
  });

  test.each(['#/$defs/nothing', '#nothing', '#/properties/a/type', '#/%', '#/$defs/a/0'])('%s leads nowhere', (uri) => {
    expect(refusal({ properties: { a: { type: 'string' } }, $defs: { a: {} }, not: { $ref: uri } })).toBe(
      'reference /not/$ref',
    );
  });

  test('also where no check ever comes by', () => {
    expect(refusal({ $defs: { unused: { $ref: 'https://example.com/x' } } })).toBe('reference /$defs/unused/$ref');
  });

  test('[JSCH-16] an identifier is a name: references to it resolve, and it is never fetched', () => {
    const schema = {
      $id: 'https://example.com/root.json',
      properties: { a: { $ref: 'part.json' }, b: { $ref: 'https://example.com/part.json#zip' } },
      $defs: { part: { $id: 'part.json', type: 'object', properties: { zip: { $anchor: 'zip', type: 'string' } } } },
    };
    const check = engine.compile(schema);
    expect(check({ a: { zip: '1' }, b: '1' })).toBeUndefined();
    expect(check({ a: { zip: 1 }, b: 1 })?.map((issue) => issue.path)).toEqual(['a.zip', 'b']);
  });

  test('[JSCH-10] documents that the user gives are looked at, and only they', () => {
    const documents = new Map<string, JsonSchema>([
      ['https://example.com/zip.json', { type: 'string', maxLength: 5, not: { $ref: 'bad.json' } }],
      ['https://example.com/bad.json', { const: 'bad' }],
      ['https://example.com/malformed.json', { type: 7 }],
    ]);
    const local = createEngine({ documents });
    const check = local.compile({ $ref: 'https://example.com/zip.json' });
    expect(check('12345')).toBeUndefined();
    expect(check('bad')).toBeDefined();
    expect(() => local.compile({ $ref: 'https://example.com/other.json' })).toThrow('leads outside');
    expect(() => local.compile({ $ref: 'https://example.com/malformed.json' })).toThrow('type must be one of');
  });
});

describe('[D01] recursion', () => {
  test.each<[string, JsonSchema, string]>([
    ['itself', { $ref: '#' }, 'cycle '],
    [
      'a -> b -> a',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      'cycle /$defs/a',
    ],
    ['allOf', { allOf: [{ type: 'object' }, { $ref: '#' }] }, 'cycle '],
    ['anyOf below not', { $defs: { a: { not: { anyOf: [{ $ref: '#/$defs/a' }] } } } }, ''],
    ['if', { if: { $ref: '#' } }, 'cycle '],
    ['dependentSchemas', { dependentSchemas: { a: { $ref: '#' } } }, 'cycle '],
    ['$dynamicRef', { $dynamicAnchor: 'a', allOf: [{ $dynamicRef: '#a' }] }, 'cycle '],
  ])('without going into the value is refused: %s', (_name, schema, expected) => {
    if (expected === '') expect(refusal({ ...(schema as object), $ref: '#/$defs/a' })).toBe('cycle /$defs/a');
    else expect(refusal(schema)).toBe(expected);
  });

  const tree = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        required: ['name'],
      },
    },
  };
  const pair = {
    $ref: '#/$defs/a',
    $defs: {
      a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } } },
      b: { type: 'object', properties: { a: { $ref: '#/$defs/a' }, n: { type: 'integer' } } },
    },
  };

  test.each([
    ['interpreted', createEngine({ codegen: 'none' })],
    ['generated', createEngine({ codegen: 'all', warmup: 0 })],
  ])('into the value is legal, and checked at every depth (%s)', (_name, one) => {
    const check = one.compile(tree);
    expect(check({ name: 'a', children: [{ name: 'b', children: [] }] })).toBeUndefined();
    expect(check({ name: 'a', children: [{ name: 'b', children: [{}] }] })?.map((issue) => issue.path)).toEqual([
      'children[0].children[0].name',
    ]);
    const mutual = one.compile(pair);
    expect(mutual({ b: { a: { b: { n: 1 } } } })).toBeUndefined();
    expect(mutual({ b: { a: { b: { n: '1' } } } })?.[0]?.path).toBe('b.a.b.n');
    const root = one.compile({ type: 'object', additionalProperties: { $ref: '#' } });
    expect(root({ a: { b: {} } })).toBeUndefined();
    expect(root({ a: { b: 1 } })?.[0]?.path).toBe('a.b');
  });

  test('[JSCH-13] a value nested too deeply ends in an issue, not in an overflow', () => {
    let value: unknown = {};
    for (let i = 0; i < 100_000; i++) value = { b: value };
    for (const codegen of ['none', 'all'] as const) {
      const issues = createEngine({ codegen, warmup: 0 }).compile({ additionalProperties: { $ref: '#' } })(value);
      expect(issues).toEqual([expect.objectContaining({ keyword: 'limit', path: '' })]);
    }
    let list: unknown = [];
    for (let i = 0; i < 100_000; i++) list = [list];
    expect(engine.compile({ uniqueItems: true })([list, list])?.[0]?.keyword).toBe('limit');
  });
});

describe('[JSCH-13] what a schema may cost is bounded', () => {
  const nested = (levels: number) => {
    let schema: JsonSchema = {};
    for (let i = 0; i < levels; i++) schema = { not: schema };
    return schema;
  };
  const cyclic: { [name: string]: unknown } = {};
  cyclic.not = cyclic;

  test.each<[string, unknown, Parameters<typeof checkSchema>[1], RegExp]>([
    ['maxBytes', { description: 'x'.repeat(600_000) }, undefined, /^limit \/description/],
    ['maxNodes', { enum: Array.from({ length: 30_000 }, (_, i) => i) }, undefined, /^limit \/enum/],
    ['maxEnum', { enum: Array.from({ length: 6_000 }, (_, i) => i) }, undefined, /^limit \/enum/],
    ['maxDepth', nested(100_000), undefined, /^limit (\/not)+$/],
    ['maxDepth', cyclic, undefined, /^limit (\/not)+$/],
    ['maxPatternLength', { pattern: 'a'.repeat(1_001) }, undefined, /^limit \/pattern/],
    [
      'maxPatternLength',
      { patternProperties: { abcd: {} } },
      { maxPatternLength: 3 },
      /^limit \/patternProperties\/abcd/,
    ],
    ['maxHops', nested(70), undefined, /^limit /],
  ])('%s', (name, schema, limits, expected) => {
    expect(refusal(schema, limits)).toMatch(expected);
    expect(checkSchema(schema, limits)?.message).toContain(`(${name})`);
  });

  test('limits are those of the caller', () => {
    expect(refusal(nested(70), { maxHops: 100 })).toBeUndefined();
    expect(refusal({ enum: [1, 2, 3] }, { maxEnum: 2 })).toBe('limit /enum');
  });

  test('a chain of references that is long enough to overflow is refused or compiled, never thrown through', () => {
    const $defs: { [name: string]: JsonSchema } = { last: { type: 'string' } };
    for (let i = 0; i < 3_000; i++)
      $defs[`d${i}`] = { properties: { x: { $ref: `#/$defs/${i === 2_999 ? 'last' : `d${i + 1}`}` } } };
    for (const codegen of ['none', 'all'] as const) {
      const check = createEngine({ codegen, warmup: 0 }).compile({ $ref: '#/$defs/d0', $defs });
      expect(check({ x: { x: 1 } })).toBeUndefined();
    }
  });

  test.each([
    ['branches', { maxSteps: 10_000 }, doubling(30, (next) => ({ allOf: [next, next] }))],
    [
      'members',
      { maxSteps: 10_000 },
      doubling(30, (next) => ({ allOf: [{ properties: { a: next } }, { properties: { a: next } }] })),
    ],
    [
      'recursion',
      { maxSteps: 10_000 },
      {
        $ref: '#/$defs/d',
        $defs: {
          d: {
            allOf: [{ properties: { a: { $ref: '#/$defs/d' } } }, { properties: { a: { $ref: '#/$defs/d' } } }],
          },
        },
      },
    ],
  ])('a schema that doubles the work with every level ends in an issue: %s', (_name, limits, schema) => {
    let value: unknown = { a: 1 };
    for (let i = 0; i < 40; i++) value = { a: value };
    for (const codegen of ['none', 'all'] as const) {
      const issues = createEngine({ codegen, warmup: 0 }).compile(schema, limits)(value);
      expect(issues).toEqual([expect.objectContaining({ keyword: 'limit' })]);
      expect(issues?.[0]?.message).toContain('maxSteps');
    }
  });

  function doubling(levels: number, twice: (next: JsonSchema) => JsonSchema): JsonSchema {
    const $defs: { [name: string]: JsonSchema } = { d0: { type: ['object', 'number'] } };
    for (let i = 1; i <= levels; i++) $defs[`d${i}`] = twice({ $ref: `#/$defs/d${i - 1}` });
    return { $ref: `#/$defs/d${levels}`, $defs };
  }

  test("a peer's pattern that can hang is refused; an author's own is not", () => {
    expect(refusal({ properties: { a: { pattern: '^(a+)+$' } } })).toBe('pattern /properties/a/pattern');
    expect(refusal({ patternProperties: { '(a|a)*b': {} } })).toBe('pattern /patternProperties/(a|a)*b');
    expect(checkSchema({ pattern: '^(a+)+$' })?.message).toContain('exponential time');
    expect(checkSchema({ pattern: '^(a+)+$' }, { trusted: true })).toBeUndefined();
  });

  test('a text on which a pattern takes too long is not tried', () => {
    const check = engine.compile({ properties: { a: { pattern: '.*x.*y.*z' } }, patternProperties: { 'q.*q.*q': {} } });
    expect(check({ a: 'xyz' })).toBeUndefined();
    expect(check({ a: 'x'.repeat(50_000) })?.[0]?.message).toContain('maxSteps');
    expect(check({ ['q'.repeat(50_000)]: 1 })?.[0]?.message).toContain('maxSteps');
    // What cannot take long has no such limit.
    expect(engine.compile({ pattern: '^a+$' })('a'.repeat(200_000))).toBeUndefined();
  });
});

test('[JSCH-14] a schema is not touched by being checked', () => {
  const schema = Object.freeze({
    type: 'object',
    $defs: Object.freeze({ a: Object.freeze({ 'x-own': 1 }) }),
    title: 'T',
  });
  const before = JSON.stringify(schema);
  expect(checkSchema(schema)).toBeUndefined();
  engine.compile(schema);
  expect(JSON.stringify(schema)).toBe(before);
});

import { describe, expect, test, vi } from 'vitest';
import { createEngine, type EngineOptions, engine } from './index.ts';
import type { JsonSchema } from './port.ts';

const modes: readonly (readonly [string, EngineOptions])[] = [
  ['interpreted', { codegen: 'none' }],
  ['generated', { codegen: 'all', warmup: 0 }],
];

describe.each(modes)('issues (%s)', (_name, options) => {
  const one = createEngine(options);
  const issues = (schema: JsonSchema, value: unknown) =>
    one
      .compile(schema)(value)
      ?.map(({ path, pointer, keyword, message }) => [path, pointer, keyword, message]);

  const order: JsonSchema = {
    type: 'object',
    properties: {
      address: { type: 'object', properties: { zip: { type: 'string', maxLength: 5 } }, required: ['zip', 'city'] },
      targets: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
      'odd name': { type: 'integer', minimum: 0 },
      'a/b~c': { const: { x: 1 } },
      email: { pattern: '@' },
      price: { multipleOf: 0.01 },
    },
    additionalProperties: false,
  };

  test.each<[unknown, unknown[][]]>([
    [7, [['', '', 'type', 'must be object, got 7']]],
    [
      { address: {} },
      [
        ['address.zip', '/address/zip', 'required', 'is required'],
        ['address.city', '/address/city', 'required', 'is required'],
      ],
    ],
    [
      { address: { zip: '123456', city: '' } },
      [['address.zip', '/address/zip', 'maxLength', 'must not have more than 5 characters, got "123456"']],
    ],
    [{ targets: ['a', 'c'] }, [['targets[1]', '/targets/1', 'enum', 'must be one of "a", "b", got "c"']]],
    [{ targets: ['a', 'a'] }, [['targets', '/targets', 'uniqueItems', 'must not have duplicate items, got ["a","a"]']]],
    [{ 'odd name': -1 }, [['["odd name"]', '/odd name', 'minimum', 'must be >= 0, got -1']]],
    [{ 'a/b~c': { x: 2 } }, [['["a/b~c"]', '/a~1b~0c', 'const', 'must be {"x":1}, got {"x":2}']]],
    [{ extra: [1, 2] }, [['extra', '/extra', 'additionalProperties', 'is not allowed here, got [1,2]']]],
    [{ email: 'x' }, [['email', '/email', 'pattern', 'must match the pattern "@", got "x"']]],
    [{ price: 0.015 }, [['price', '/price', 'multipleOf', 'must be a multiple of 0.01, got 0.015']]],
  ])('%j', (value, expected) => {
    expect(issues(order, value)).toEqual(expected);
  });

  test('a long value is shortened, the value itself is given whole', () => {
    const long = 'x'.repeat(500);
    const [issue] = one.compile({ type: 'number' })(long) ?? [];
    expect(issue?.message.length).toBeLessThan(120);
    expect(issue?.message).toMatch(/^must be number, got "x+…$/);
    expect(issue?.value).toBe(long);
  });

  test('of alternatives, the one that is meant explains itself', () => {
    const nullable = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    expect(issues(nullable, 7)).toEqual([['', '', 'anyOf', 'must be string or null, got 7']]);
    const shapes = {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] },
        { type: 'string' },
      ],
    };
    expect(issues(shapes, { kind: 'circle', r: 'big' })).toEqual([['r', '/r', 'type', 'must be number, got "big"']]);
    expect(issues({ anyOf: [{ minLength: 3 }, { pattern: 'x' }] }, 'a')).toEqual([
      ['', '', 'anyOf', 'matches none of the alternatives, got "a"'],
    ]);
    expect(issues({ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1)).toEqual([
      ['', '', 'oneOf', 'must match exactly one of the alternatives, and matches 2 of them, got 1'],
    ]);
  });

  test('keywords that name members name them', () => {
    expect(issues({ dependentRequired: { a: ['b', 'c'] } }, { a: 1, c: 1 })).toEqual([
      ['b', '/b', 'dependentRequired', 'is required where "a" is present'],
    ]);
    expect(issues({ properties: { a: {} }, unevaluatedProperties: false }, { a: 1, b: 2 })).toEqual([
      ['b', '/b', 'unevaluatedProperties', 'is not allowed here, got 2'],
    ]);
    expect(issues({ prefixItems: [{}], unevaluatedItems: false }, [1, 2])).toEqual([
      ['[1]', '/1', 'unevaluatedItems', 'is not allowed here, got 2'],
    ]);
    expect(issues({ additionalProperties: { type: 'number' } }, { a: 'x' })?.[0]).toEqual([
      'a',
      '/a',
      'type',
      'must be number, got "x"',
    ]);
    expect(issues({ properties: { a: false } }, { a: 1 })).toEqual([
      ['a', '/a', 'boolean', 'is not allowed here, got 1'],
    ]);
  });

  test('there are at most as many as asked for, and always one', () => {
    const value = Array.from({ length: 100 }, () => 'x');
    expect(one.compile({ items: { type: 'number' } })(value)).toHaveLength(20);
    expect(one.compile({ items: { type: 'number' } }, { maxIssues: 3 })(value)).toHaveLength(3);
    expect(one.compile(false)(1)).toEqual([
      { path: '', pointer: '', keyword: '', message: 'does not match the schema', value: 1 },
    ]);
    expect(issues({ not: {} }, 1)).toHaveLength(1);
  });

  test('names that every object inherits are names like others', () => {
    expect(issues({ required: ['toString'] }, {})).toEqual([['toString', '/toString', 'required', 'is required']]);
    expect(issues({ properties: { valueOf: { type: 'string' } }, additionalProperties: false }, {})).toBeUndefined();
    expect(issues({ properties: { valueOf: { type: 'string' } } }, { valueOf: 1 })).toHaveLength(1);
    const own: unknown = JSON.parse('{"__proto__": 1}');
    expect(issues({ required: ['__proto__'] }, {})).toHaveLength(1);
    expect(issues({ required: ['__proto__'] }, own)).toBeUndefined();
    expect(issues({ properties: {}, additionalProperties: false }, own)).toHaveLength(1);
    expect(issues({ dependentRequired: { constructor: ['a'] } }, {})).toBeUndefined();
    expect(issues({ dependentSchemas: { hasOwnProperty: { required: ['a'] } } }, { hasOwnProperty: 1 })).toHaveLength(
      1,
    );
  });

  test('one check leaves nothing behind for the next', () => {
    const check = one.compile({
      properties: { a: true },
      anyOf: [{ properties: { b: { type: 'number' } }, required: ['b'] }, true],
      unevaluatedProperties: false,
    });
    expect(check({ b: 1 })).toBeUndefined();
    expect(check({ b: 'x' })?.[0]?.path).toBe('b');
    expect(check({ b: 1 })).toBeUndefined();
  });
});

describe('[JSCH-05] formats', () => {
  test('are annotations by default', () => {
    expect(engine.compile({ format: 'email' })('nobody')).toBeUndefined();
  });

  test.each([
    ['email', 'a@example.com', 'nobody'],
    ['uri', 'https://example.com/a?b#c', 'not a uri'],
    ['date', '2024-02-29', '2023-02-29'],
    ['date-time', '2024-01-01T12:00:00Z', '2024-01-01 12:00'],
    ['uuid', '2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2eb8aa08'],
    ['ipv4', '127.0.0.1', '127.0.0.256'],
  ])('%s is checked where asked for', (format, good, bad) => {
    for (const [, options] of modes) {
      const check = createEngine({ ...options, formats: true }).compile({ format });
      expect(check(good)).toBeUndefined();
      expect(check(7)).toBeUndefined();
      expect(check(bad)?.[0]).toMatchObject({ keyword: 'format' });
    }
  });

  test('one engine can do both, schema by schema and even for the same one', () => {
    const engine = createEngine();
    const schema = { format: 'email' };
    expect(engine.compile(schema)('x')).toBeUndefined();
    expect(engine.compile(schema, { formats: true })('x')).toHaveLength(1);
    expect(createEngine({ formats: true }).compile(schema, { formats: false })('x')).toBeUndefined();
  });

  test('an unknown one is let pass', () => {
    expect(createEngine({ formats: true }).compile({ format: 'colour' })('x')).toBeUndefined();
  });
});

describe('compiling', () => {
  test('the same schema is compiled once for the same limits', () => {
    const schema = { type: 'string' };
    const check = engine.compile(schema);
    expect(engine.compile(schema)).toBe(check);
    expect(engine.compile(schema, {})).toBe(check);
    expect(engine.compile(schema, { trusted: true })).not.toBe(check);
    expect(engine.compile({ type: 'string' })).not.toBe(check);
  });

  test('a member of undefined is a member that is not there', () => {
    expect(engine.compile({ type: 'string', minLength: undefined, title: undefined })('')).toBeUndefined();
  });

  test('code is generated after some checks, for an author only, and changes nothing', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const generate = vi.spyOn(globalThis, 'Function');
    const peers = createEngine({ warmup: 1 }).compile(schema);
    for (let i = 0; i < 4; i++) expect(peers({ a: 'x' })).toBeUndefined();
    expect(generate).not.toHaveBeenCalled();
    const own = createEngine({ warmup: 1 }).compile(schema, { trusted: true });
    expect(own({ a: 'x' })).toBeUndefined();
    expect(generate).not.toHaveBeenCalled();
    expect(own({ a: 'x' })).toBeUndefined();
    expect(generate).toHaveBeenCalled();
    expect(own({})?.[0]?.path).toBe('a');
    generate.mockRestore();
  });
});

test('without eval, as in Workers and below a content security policy, schemas are interpreted', () => {
  class Forbidden {
    constructor() {
      throw new EvalError('Code generation from strings disallowed for this context');
    }
  }
  const refused = vi.spyOn(globalThis, 'Function').mockImplementation(Forbidden as never);
  const check = createEngine({ codegen: 'all', warmup: 0 }).compile({
    anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { type: 'null' }],
    unevaluatedProperties: false,
  });
  for (const value of [{ a: 'x' }, null]) expect(check(value)).toBeUndefined();
  expect(check({ a: 'x', b: 1 })?.[0]?.path).toBe('b');
  expect(check({ a: 'x' })).toBeUndefined();
  expect(refused).toHaveBeenCalled();
  refused.mockRestore();
});

describe('[JSCH-13] long lists are checked in time that grows with their length', () => {
  test('duplicates, however many', () => {
    const check = engine.compile({ uniqueItems: true });
    const same = Array.from({ length: 300_000 }, () => 1);
    expect(check(same)?.map((issue) => issue.keyword)).toEqual(['uniqueItems']);
    expect(check(Array.from({ length: 300_000 }, (_, at) => at))).toBeUndefined();
    expect(check(Array.from({ length: 50_000 }, (_, at) => ({ b: [at], a: null })))).toBeUndefined();
  });

  test('items with a long enum', () => {
    const allowed = Array.from({ length: 5_000 }, (_, at) => `e${at}`);
    const check = engine.compile({ items: { enum: allowed } });
    const last = Array.from({ length: 400_000 }, () => 'e4999');
    expect(check(last)).toBeUndefined();
    expect(check([...last, 'e5000'])?.[0]).toMatchObject({ path: '[400000]', keyword: 'enum' });
  });
});

test('a long enum names what it takes like a short one, and tells which alternative was meant', () => {
  const colours = Array.from({ length: 30 }, (_, at) => `c${at}`);
  const check = engine.compile({ anyOf: [{ enum: colours }, { type: 'object', required: ['mix'] }] });
  expect(check({})).toMatchObject([{ path: 'mix', keyword: 'required' }]);
  const listed = colours.slice(0, 20).map((colour) => `"${colour}"`);
  expect(engine.compile({ enum: colours })('red')?.[0]?.message).toBe(
    `must be one of ${listed.join(', ')}, …, got "red"`,
  );
  expect(engine.compile({ enum: [...colours, 0, null] })(-0)).toBeUndefined();
});

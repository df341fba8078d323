import { describe, expect, test } from 'vitest';
import { DragomanError } from '../errors.ts';
import { dialectOf, schemaDialects } from './dialect.ts';
import { checkSchema } from './guard.ts';
import { engine } from './index.ts';
import type { JsonSchema } from './port.ts';

describe('[D03] the dialect is chosen for each schema', () => {
  test('[JSCH-01] none means 2020-12', () => {
    expect(dialectOf({})).toBe('2020-12');
    expect(dialectOf(true)).toBe('2020-12');
  });

  test.each([
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 'b']],
    [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 2 }, { a: 1 }],
    [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
    [{ $ref: '#/$defs/a', maxLength: 2, $defs: { a: { type: 'string' } } }, 'ab', 'abc'],
  ] as [JsonSchema, unknown, unknown][])('[JSCH-01] [T094] %j means what it does there', (schema, good, bad) => {
    const check = engine.compile(schema);
    expect(check(good)).toBeUndefined();
    expect(check(bad)).toBeDefined();
  });

  test.each([
    ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
    ['https://json-schema.org/draft/2020-12/schema#', '2020-12'],
    ['http://json-schema.org/draft/2020-12/schema', '2020-12'],
    ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
    ['http://json-schema.org/draft-07/schema#', 'draft-07'],
    ['https://json-schema.org/draft-07/schema', 'draft-07'],
  ])('[JSCH-02] %s is %s', (uri, dialect) => {
    expect(dialectOf({ $schema: uri })).toBe(dialect);
  });

  test.each([
    'http://json-schema.org/draft-06/schema#',
    'http://json-schema.org/draft-04/schema#',
    'https://example.com/my-dialect',
    '',
    7,
    null,
  ])('[JSCH-06] %j is refused by name, with what is supported', (uri) => {
    const problem = dialectOf({ $schema: uri });
    expect(problem).toBeInstanceOf(DragomanError);
    const { message, details } = problem as DragomanError;
    expect(message).toContain(JSON.stringify(uri));
    for (const supported of schemaDialects) expect(message).toContain(supported);
    expect(details).toMatchObject({ reason: 'dialect', pointer: '/$schema' });
    expect(checkSchema({ $schema: uri })?.code).toBe('INVALID_SCHEMA');
  });

  const tuple = (uri: string | undefined, more: JsonSchema): JsonSchema =>
    uri === undefined ? more : { $schema: uri, ...(more as object) };

  test('[JSCH-05] each schema is read by its own dialect', () => {
    const draft07 = engine.compile(
      tuple('http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }], additionalItems: false }),
    );
    expect(draft07(['a'])).toBeUndefined();
    expect(draft07(['a', 'b'])).toBeDefined();
    expect(draft07([1])).toBeDefined();
    const modern = engine.compile({ prefixItems: [{ type: 'string' }], items: false });
    expect(modern(['a'])).toBeUndefined();
    expect(modern(['a', 'b'])).toBeDefined();
    // Keywords of another draft mean nothing.
    expect(
      engine.compile({ $schema: 'http://json-schema.org/draft-07/schema#', prefixItems: [false] })([1]),
    ).toBeUndefined();
    expect(engine.compile({ additionalItems: false })([1])).toBeUndefined();
  });

  test('in draft-07 a $ref overrides what stands beside it', () => {
    const schema = { definitions: { any: {} }, $ref: '#/definitions/any', type: 'string' };
    expect(engine.compile({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema })(7)).toBeUndefined();
    expect(engine.compile(schema)(7)).toBeDefined();
  });

  test('a $schema inside a subschema holds from there on', () => {
    const schema = {
      type: 'object',
      properties: {
        old: { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] },
        new: { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }] },
      },
    };
    const check = engine.compile(schema);
    expect(check({ old: ['a'], new: ['a'] })).toBeUndefined();
    expect(check({ old: [1] })?.[0]?.path).toBe('old[0]');
    expect(check({ new: [1] })?.[0]?.path).toBe('new[0]');
  });

  test('an unsupported $schema inside a subschema says where', () => {
    const problem = checkSchema({ properties: { a: { $schema: 'urn:x' } } });
    expect(problem?.message).toContain('at /properties/a');
    expect(problem?.details?.pointer).toBe('/properties/a/$schema');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DragomanError } from '../errors.ts';
import { checkSchema } from './guard.ts';
import { createEngine } from './index.ts';
import type { JsonSchema } from './port.ts';
import { dereference } from './resolve-ref.ts';

const interpreted = createEngine({ codegen: 'none', formats: true });
const generated = createEngine({ codegen: 'all', warmup: 0, formats: true });

const name = fc.constantFrom('a', 'b', 'toString', '__proto__', 'constructor', '', '~/', '$ref');

const object = (member: fc.Arbitrary<unknown>, key: fc.Arbitrary<string> = name) =>
  fc.array(fc.tuple(key, member), { maxLength: 4 }).map((entries) => {
    const made: { [name: string]: unknown } = {};
    for (const [own, value] of entries)
      Object.defineProperty(made, own, { value, enumerable: true, configurable: true, writable: true });
    return made;
  });

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 1, -1, 1.5, 1e308, '', 'a', 'ab', '😀'),
    fc.array(tie('value'), { maxLength: 4 }),
    object(tie('value')),
  ),
})).value;

/** Schemas that are mostly well-formed, with references that lead anywhere. */
const schema = fc.letrec<{ schema: unknown }>((tie) => {
  const one = tie('schema');
  const many = fc.array(one, { maxLength: 3 });
  const keyword = (keys: string[], arbitrary: fc.Arbitrary<unknown>) => fc.tuple(fc.constantFrom(...keys), arbitrary);
  const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');
  const member = fc.oneof(
    keyword(['type'], fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 }))),
    keyword(['const'], value),
    keyword(['enum'], fc.array(value, { maxLength: 3 })),
    keyword(
      ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum'],
      fc.oneof(fc.integer({ min: 1, max: 4 }), fc.double()),
    ),
    keyword(
      ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'minContains', 'maxContains'],
      fc.nat(4),
    ),
    keyword(
      ['pattern'],
      fc.oneof(fc.constantFrom('a', '^a+$', '(a+)+$', '[\\w-.]', '^\\p{L}'), fc.string({ maxLength: 6 })),
    ),
    keyword(['format'], fc.constantFrom('email', 'uri', 'date', 'regex', 'none')),
    keyword(['uniqueItems'], fc.boolean()),
    keyword(['required'], fc.array(name, { maxLength: 3 })),
    keyword(['dependentRequired'], object(fc.array(name, { maxLength: 2 }))),
    keyword(['properties', 'dependentSchemas', '$defs', 'definitions', 'dependencies'], object(one)),
    keyword(['patternProperties'], object(one, fc.constantFrom('^a', 'b', '[\\w-.]', '(?<a>x)'))),
    keyword(
      [
        'not',
        'if',
        'then',
        'else',
        'items',
        'contains',
        'additionalProperties',
        'propertyNames',
        'unevaluatedProperties',
        'unevaluatedItems',
      ],
      one,
    ),
    keyword(['allOf', 'anyOf', 'oneOf', 'prefixItems'], many),
    keyword(
      ['$ref', '$dynamicRef', '$recursiveRef'],
      fc.constantFrom(
        '#',
        '#/$defs/a',
        '#/$defs/b',
        '#a',
        '#/properties/a',
        'b.json',
        'http://x.test/b.json#a',
        '#/%',
        'urn:x',
      ),
    ),
    keyword(['$id'], fc.constantFrom('b.json', 'http://x.test/', 'urn:x:y', '#a', '')),
    keyword(['$anchor', '$dynamicAnchor'], fc.constantFrom('a', 'b')),
    keyword(['$recursiveAnchor'], fc.boolean()),
    keyword(
      ['$schema'],
      fc.constantFrom('http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2019-09/schema'),
    ),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 5 },
      fc.boolean(),
      fc.array(member, { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    ),
  };
}).schema;

/** Compiles, or says that the schema is refused; anything else is a failure. */
function compile(engine: typeof interpreted, given: unknown) {
  try {
    return engine.compile(given as JsonSchema, { maxSteps: 20_000 });
  } catch (error) {
    expect(error).toBeInstanceOf(DragomanError);
    expect((error as DragomanError).code).toBe('INVALID_SCHEMA');
    return undefined;
  }
}

describe('[JSCH-13] whatever a peer sends', () => {
  test('a schema is compiled or refused, and says the same of a value interpreted and generated', () => {
    let compiled = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 3, maxLength: 3 }), (given, values) => {
        const [one, other] = [compile(interpreted, given), compile(generated, given)];
        expect(one === undefined).toBe(other === undefined);
        if (one === undefined || other === undefined) return;
        compiled++;
        for (const each of values) expect(one(each) === undefined).toBe(other(each) === undefined);
      }),
      { numRuns: 800 },
    );
    expect(compiled).toBeGreaterThan(150);
  });

  test('what is no schema at all is refused', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }), (given) => {
        const problem = checkSchema(given);
        const check = compile(interpreted, given);
        expect(problem === undefined).toBe(check !== undefined);
        check?.({ a: [1] });
      }),
      { numRuns: 400 },
    );
  });

  test('a check takes any value', () => {
    const checks = [
      { type: ['string', 'number'], minLength: 1, multipleOf: 0.5, pattern: 'a', format: 'email' },
      { items: { $ref: '#' }, additionalProperties: { $ref: '#' }, uniqueItems: true, maxProperties: 3 },
      {
        anyOf: [{ required: ['a'] }, { contains: { const: 1 } }, { enum: [{ a: 1 }, []] }],
        unevaluatedProperties: false,
      },
    ].flatMap((given) => [compile(interpreted, given), compile(generated, given)]);
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, (given) => {
        for (const check of checks) check?.(given);
      }),
      { numRuns: 400 },
    );
  });

  test('following references ends', () => {
    fc.assert(
      fc.property(schema, (given) => {
        if (typeof given === 'object' && given !== null) dereference(given as JsonSchema, given as JsonSchema);
      }),
      { numRuns: 500 },
    );
  });
});

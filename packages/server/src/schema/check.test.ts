import { DragomanError, type StandardSchemaV1 } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeIssues, noArguments, valueCheck } from './check.ts';
import { EngineSource } from './engine.ts';

const engines = new EngineSource();

describe('a JSON Schema', () => {
  test('waits for the engine once, and never again', async () => {
    const source = new EngineSource();
    const check = valueCheck({ type: 'string' }, 'It', 'input', source);
    const first = [check.check('x'), check.check(7)];
    expect(first.every((checked) => checked instanceof Promise)).toBe(true);
    expect(await first[0]).toEqual({ value: 'x' });
    expect(await first[1]).toHaveProperty('issues');
    expect(check.check('x')).toEqual({ value: 'x' });
    expect(valueCheck({ type: 'number' }, 'It', 'input', source).check(1)).toEqual({ value: 1 });
  });

  test('that cannot be used is refused, with what it is for', () => {
    expect(() => valueCheck({ type: 'nothing' }, 'It', 'input', engines)).toThrow(DragomanError);
    expect(() => valueCheck({ type: 'nothing' }, 'It', 'input', engines)).toThrow(/^It cannot be used: /);
    expect(() => valueCheck([] as object, 'It', 'input', engines)).toThrow(/^It cannot be used: /);
  });

  test.each([
    [
      'a getter that throws',
      {
        get type(): never {
          throw new Error('words');
        },
      },
    ],
    [
      'a trap that throws nothing',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw undefined;
          },
        },
      ),
    ],
    ['a form of its own that is none', { type: 'object', toJSON: () => undefined }],
  ])('with %s is refused as one that cannot be used', (_, schema) => {
    expect(() => valueCheck(schema, 'It', 'input', engines)).toThrow(DragomanError);
  });
});

describe('a Standard Schema', () => {
  test('is checked by itself, at once where it can', () => {
    expect(valueCheck(z.string(), 'It', 'input', engines).check('x')).toEqual({ value: 'x' });
  });

  test('shows what goes in, or what comes out', () => {
    const schema = z.object({ n: z.string().transform(Number).pipe(z.number()) });
    expect(valueCheck(schema, 'It', 'input', engines).schema).toMatchObject({ properties: { n: { type: 'string' } } });
    expect(valueCheck(schema, 'It', 'output', engines).schema).toMatchObject({ properties: { n: { type: 'number' } } });
  });

  test('that cannot describe itself is refused with the remedy', () => {
    const bare: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'bare', validate: (value) => ({ value }) } };
    expect(() => valueCheck(bare, 'It', 'input', engines)).toThrow(/^It cannot be used: .*bare/);
  });

  test('whose description fails in its own way is refused too', () => {
    const odd: StandardSchemaV1 = {
      '~standard': {
        version: 1,
        vendor: 'odd',
        validate: (value) => ({ value }),
        get jsonSchema(): never {
          throw 'words';
        },
      },
    };
    expect(() => valueCheck(odd, 'It', 'input', engines)).toThrow('It cannot be used: words');
  });
});

test('[TOOL-10] no arguments', () => {
  expect(noArguments.check({})).toEqual({ value: {} });
  expect(noArguments.check(JSON.parse('{"__proto__":1}'))).toHaveProperty('issues');
});

test.each([
  [[{ message: 'is wrong' }], 'is wrong'],
  [[{ message: 'is wrong', path: '' }], 'is wrong'],
  [[{ message: 'is wrong', path: 'a.b[0]' }], 'a.b[0]: is wrong'],
  [[{ message: 'is wrong', path: ['a', { key: 'b' }, 0, 'c'] }], 'a.b[0].c: is wrong'],
  [[{ message: 'is wrong', path: [] }], 'is wrong'],
  [
    [
      { message: 'one', path: 'a' },
      { message: 'two', path: 'b' },
    ],
    'a: one; b: two',
  ],
  [Array.from({ length: 12 }, (_, at) => ({ message: 'bad', path: `p${at}` })), /p9: bad; and 2 more$/],
])('[TOOL-34] issues read well: %#', (issues, text) => {
  expect(describeIssues(issues)).toMatch(text);
});

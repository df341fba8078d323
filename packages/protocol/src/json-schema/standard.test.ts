import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Type } from 'typebox';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkSchema } from './guard.ts';
import { isStandardSchema, issuesFromStandard, toJsonSchema } from './standard.ts';

const libraries = {
  zod: z.object({ city: z.string().min(1), days: z.number().optional() }),
  arktype: type({ city: 'string > 0', 'days?': 'number' }),
  valibot: toStandardJsonSchema(v.object({ city: v.pipe(v.string(), v.minLength(1)), days: v.optional(v.number()) })),
};

describe.each(Object.entries(libraries))('%s', (_name, schema) => {
  test('is a Standard Schema and describes itself', () => {
    expect(isStandardSchema(schema)).toBe(true);
    expect(toJsonSchema(schema, 'input')).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string', minLength: 1 }, days: { type: 'number' } },
      required: ['city'],
    });
  });
});

test.each(Object.entries(libraries))('[JSCH-07] what %s says of itself can be published', (_name, schema) => {
  expect(checkSchema(toJsonSchema(schema, 'input'), { trusted: true })).toBeUndefined();
  expect(checkSchema(toJsonSchema(schema, 'output'), { trusted: true })).toBeUndefined();
});

test('a typebox type is JSON Schema as it is', () => {
  const schema = Type.Object({ city: Type.String(), days: Type.Optional(Type.Number()) });
  expect(checkSchema(schema, { trusted: true })).toBeUndefined();
});

test('the issues of a library become issues of ours', async () => {
  const schema = z.object({ stops: z.array(z.object({ 'zip code': z.string() })) });
  const result = await schema['~standard'].validate({ stops: [{ 'zip code': 7 }] });
  expect(issuesFromStandard(result.issues ?? [])).toEqual([
    {
      path: 'stops[0]["zip code"]',
      pointer: '/stops/0/zip code',
      keyword: 'standard',
      message: expect.stringContaining('string'),
    },
  ]);
  expect(issuesFromStandard([{ message: 'no' }])).toEqual([
    { path: '', pointer: '', keyword: 'standard', message: 'no' },
  ]);
  const withSegments = v.safeParse(v.object({ 'a/b': v.string() }), { 'a/b': 1 });
  expect(issuesFromStandard((withSegments.issues ?? []) as never)[0]?.pointer).toBe('/a~1b');
});

test('input and output of a schema that changes its value are told apart', () => {
  const schema = z.object({ at: z.string().default('now') });
  expect(toJsonSchema(schema, 'input').required).toBeUndefined();
  expect(toJsonSchema(schema, 'output').required).toEqual(['at']);
});

test('what cannot be described says so, with the remedy', () => {
  expect(() => toJsonSchema(v.string(), 'input')).toThrow('toStandardJsonSchema() of @valibot/to-json-schema');
  expect(() => toJsonSchema(z.object({ at: z.date() }), 'input')).toThrow(/^zod cannot describe this schema/);
});

test.each([
  null,
  undefined,
  7,
  {},
  { '~standard': 1 },
  { '~standard': { version: 2, validate() {} } },
  Type.Object({}),
])('%# is no Standard Schema', (value) => {
  expect(isStandardSchema(value)).toBe(false);
});

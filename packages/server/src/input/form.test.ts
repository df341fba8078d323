import { DragomanError } from '@dragoman/protocol';
import { type as ark } from 'arktype';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Reports } from '../reports.ts';
import { EngineSource } from '../schema/engine.ts';
import { Forms, requestedSchema } from './form.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('what a form can ask passes as it is', () => {
  test.each<[string, object]>([
    [
      '[ELIC-09] text',
      { type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 5, format: 'email', default: 'x' },
    ],
    ['[ELIC-10] a number', { type: 'number', minimum: 0.5, maximum: 2, default: 1.5 }],
    ['[ELIC-10] an integer', { type: 'integer', default: 30 }],
    ['yes or no', { type: 'boolean', default: true }],
    ['[ELIC-11] a choice', { type: 'string', enum: ['a', 'b'], default: 'a' }],
    ['[ELIC-11] a titled choice', { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }],
    ['[ELIC-13] a choice in the older form', { type: 'string', enum: ['a'], enumNames: ['A'] }],
    [
      '[ELIC-12] choices',
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['a'] },
    ],
    ['[ELIC-12] titled choices', { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }],
  ])('%s', (_, field) => {
    expect(requestedSchema(object({ it: field }, { required: ['it'] }))).toEqual({
      type: 'object',
      properties: { it: field },
      required: ['it'],
    });
  });

  test('no field at all', () => {
    expect(requestedSchema({ type: 'object' })).toEqual({ type: 'object', properties: {} });
  });

  test('a field named like an object member', () => {
    const form = requestedSchema(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'));
    expect(JSON.stringify(form)).toBe('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
  });
});

test('[C23] what narrows further is left out: clients cannot show it', () => {
  const schema = object(
    {
      a: { type: 'string', pattern: '^x', format: 'uuid' },
      b: { type: 'number', exclusiveMinimum: 0, multipleOf: 2 },
      c: { type: 'string', const: 'only' },
      d: { type: 'array', items: { oneOf: [{ const: 'a', title: 'A', description: 'x' }] }, uniqueItems: true },
    },
    { additionalProperties: false, $schema: 'https://json-schema.org/draft/2020-12/schema' },
  );
  expect(requestedSchema(schema)).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'string', enum: ['only'] },
      d: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    },
  });
});

describe('[ELIC-08] [ELIC-14] what a form cannot ask', () => {
  test.each<[string, object]>([
    ['a nested object', { type: 'object', properties: {} }],
    ['a list of objects', { type: 'array', items: { type: 'object' } }],
    ['a list of any text', { type: 'array', items: { type: 'string' } }],
    ['a list of numbers', { type: 'array', items: { enum: [1] } }],
    ['a composition', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['options without titles', { type: 'string', oneOf: [{ const: 'a' }] }],
    ['options that are no list', { type: 'string', oneOf: {} }],
    ['null', { type: 'null' }],
    ['no type', {}],
  ])('%s is named', (_, field) => {
    expect(() => requestedSchema(object({ it: field }))).toThrow(DragomanError);
    expect(() => requestedSchema(object({ it: field }))).toThrow('field "it"');
  });

  test('a root that is no object, and a field that is no schema', () => {
    expect(() => requestedSchema({ type: 'string' })).toThrow('its root');
    expect(() => requestedSchema(object({ it: true }))).toThrow('described by an object');
  });
});

test('Standard Schemas', async () => {
  const forms = new Forms(new EngineSource(), new Reports());
  const schema = z.object({
    date: z.iso.date(),
    guests: z.int().min(1).default(2),
    seat: z.enum(['in', 'out']),
    mail: z.email().optional(),
  });
  const form = forms.of(schema);
  expect(form.requestedSchema).toMatchObject({
    properties: {
      date: { type: 'string', format: 'date' },
      guests: { type: 'integer', minimum: 1, default: 2 },
      seat: { enum: ['in', 'out'] },
      mail: { format: 'email' },
    },
    required: ['date', 'seat'],
  });
  expect(JSON.stringify(form.requestedSchema)).not.toContain('pattern');
  expect(await form.check.check({ date: '2026-07-28', seat: 'in' })).toMatchObject({ value: { guests: 2 } });
  expect(forms.of(schema)).toBe(form);
  expect(forms.of(ark({ name: 'string > 0', 'age?': 'number.integer' })).requestedSchema).toMatchObject({
    properties: { name: { type: 'string', minLength: 1 }, age: { type: 'integer' } },
    required: ['name'],
  });
});

test('[ELIC-51] formats of a form are checked, whoever filled it in', async () => {
  const { check } = new Forms(new EngineSource(), new Reports()).of(
    object({ mail: { type: 'string', format: 'email' } }),
  );
  expect(await check.check({ mail: 'a@example.com' })).toEqual({ value: { mail: 'a@example.com' } });
  expect(await check.check({ mail: 'nobody' })).toMatchObject({ issues: [{ path: 'mail', keyword: 'format' }] });
});

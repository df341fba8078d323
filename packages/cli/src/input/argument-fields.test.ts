import { expect, test } from 'vitest';
import { missingFields } from './argument-fields.ts';
import { CLOSED } from './asker.ts';
import { fillIn } from './field.ts';
import { ScriptedAsker } from './testing.ts';

const schema = {
  type: 'object',
  properties: {
    city: { $ref: '#/$defs/city' },
    unit: { enum: ['c', 'f'] },
    days: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    now: { type: 'boolean' },
    pin: { type: 'string', format: 'password' },
    more: { type: 'string' },
  },
  required: ['city', 'unit', 'days', 'tags', 'now', 'pin'],
  $defs: { city: { type: 'string', description: 'Where to' } },
};

test('required arguments that are missing become fields, and nothing else does', async () => {
  const fields = missingFields(schema, { pin: '1234' });
  expect(fields.map(({ name, label }) => [name, label])).toEqual([
    ['city', 'city [string]'],
    ['unit', 'unit ["c" | "f"]'],
    ['days', 'days [integer]'],
    ['tags', 'tags [string[]]'],
    ['now', 'now [boolean]'],
  ]);
  const asker = new ScriptedAsker('123', 'f', 'two', '2', '["a"]', 'false');
  expect(await fillIn(fields, asker)).toEqual(
    new Map<string, unknown>([
      ['city', '123'],
      ['unit', 'f'],
      ['days', 2],
      ['tags', ['a']],
      ['now', false],
    ]),
  );
  expect(asker.shown).toContain('! "two" is not an integer');
});

test('what is a secret is masked', () => {
  const [field] = missingFields(schema, { city: '', unit: '', days: 1, tags: [], now: true });
  expect(field).toMatchObject({ name: 'pin', input: { secret: true } });
});

test('a form that is closed gives nothing', async () => {
  expect(await fillIn(missingFields(schema, {}), new ScriptedAsker('x', CLOSED))).toBe(CLOSED);
});

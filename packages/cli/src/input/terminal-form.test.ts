import { describe, expect, test } from 'vitest';
import { styleOf } from '../terminal/style.ts';
import { CLOSED } from './asker.ts';
import { askForm } from './terminal-form.ts';
import { type Answer, context, ScriptedAsker } from './testing.ts';

const style = styleOf(false);

function fill(properties: object, required: string[], ...answers: Answer[]) {
  const asker = new ScriptedAsker(...answers);
  const params = {
    message: 'When?',
    requestedSchema: { type: 'object' as const, properties: properties as never, required },
  };
  return askForm(params, context, asker, style).then((given) => ({ given, asker }));
}

const fields = {
  date: { type: 'string', format: 'date', title: 'Date' },
  guests: { type: 'integer', minimum: 1, maximum: 12, default: 2 },
  note: { type: 'string', maxLength: 5 },
  terrace: { type: 'boolean', default: true },
};

describe('a form of a server', () => {
  test('[ELIC-26] [ELIC-28] says who asks during what, and sends only what the user has seen once more', async () => {
    const { given, asker } = await fill(fields, ['date'], 'fill in the form', '2026-07-28', '3', '', 'no', 'send');
    expect(given).toEqual({ action: 'accept', content: { date: '2026-07-28', guests: 3, terrace: false } });
    expect(asker.shown[0]).toBe(
      '\nhttps://mcp.example.com/mcp (it calls itself travel) asks, during tools/call book:\nWhen?\n',
    );
    expect(asker.shown).toEqual(
      expect.arrayContaining([
        'Date (as in 2026-07-28)',
        'guests (1 to 12, optional) [2]',
        'note (at most 5 characters, optional)',
        'terrace (optional) yes|no|(leave out)',
        '| date     "2026-07-28"',
        '| guests   3',
        '| note     (left out)',
        '| terrace  false',
      ]),
    );
  });

  test('[F01] an optional field that is left empty is absent', async () => {
    const { given } = await fill(
      { a: { type: 'string' }, b: { type: 'number' } },
      [],
      'fill in the form',
      '',
      '',
      'send',
    );
    expect(given).toEqual({ action: 'accept', content: {} });
  });

  test('[E01] defaults are filled in', async () => {
    const { given } = await fill(
      fields,
      ['date'],
      'fill in the form',
      '2026-01-01',
      '<default>',
      '',
      '<default>',
      'send',
    );
    expect(given).toEqual({ action: 'accept', content: { date: '2026-01-01', guests: 2, terrace: true } });
  });

  test.each([
    ['a day that does not exist', 'date', '2026-02-30', 'a date is needed'],
    ['too many', 'guests', '13', 'at most 12'],
    ['a part of a guest', 'guests', '1.5', 'a whole number is needed'],
    ['no number', 'guests', 'two', 'a number is needed'],
    ['too long', 'note', 'too long', 'at most 5 characters'],
    ['nothing, where something is needed', 'date', '', 'a value is needed'],
  ])('refuses %s', async (_, name, text, problem) => {
    const good = name === 'guests' ? '4' : name === 'note' ? 'ok' : '2026-07-28';
    const only = { [name]: fields[name as keyof typeof fields] };
    const { given, asker } = await fill(only, [name], 'fill in the form', text, good, 'send');
    expect(given.action).toBe('accept');
    expect(asker.shown.some((line) => line.startsWith('!') && line.includes(problem))).toBe(true);
  });

  test.each([
    ['email', 'not one', 'ada@example.com'],
    ['uri', 'not one', 'https://example.com'],
    ['date-time', '2026-07-28', '2026-07-28T09:30:00Z'],
  ])('checks the format %s', async (format, bad, good) => {
    const { given, asker } = await fill(
      { x: { type: 'string', format } },
      ['x'],
      'fill in the form',
      bad,
      good,
      'send',
    );
    expect(given).toEqual({ action: 'accept', content: { x: good } });
    expect(asker.shown.filter((line) => line.startsWith('!'))).toHaveLength(1);
  });

  test.each([
    ['enum', { type: 'string', enum: ['in', 'out'] }, 'out'],
    [
      'titled',
      {
        type: 'string',
        oneOf: [
          { const: 'in', title: 'Inside' },
          { const: 'out', title: 'Terrace' },
        ],
      },
      'Terrace',
    ],
    [
      'without a type',
      {
        oneOf: [
          { const: 'in', title: 'Inside' },
          { const: 'out', title: 'Terrace' },
        ],
      },
      'Terrace',
    ],
    ['enumNames', { type: 'string', enum: ['in', 'out'], enumNames: ['Inside', 'Terrace'] }, 'Terrace'],
  ])('[E01] one of several, %s: the value is sent, not the title', async (_, schema, label) => {
    const { given } = await fill({ where: schema }, ['where'], 'fill in the form', label, 'send');
    expect(given).toEqual({ action: 'accept', content: { where: 'out' } });
  });

  test.each([
    ['enum', { enum: ['a', 'b', 'c'] }, ['a', 'c']],
    [
      'titled',
      {
        anyOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
          { const: 'c', title: 'C' },
        ],
      },
      ['A', 'C'],
    ],
  ])('[E01] several of several, %s, within their bounds', async (_, items, labels) => {
    const schema = { type: 'array', items, minItems: 2, maxItems: 2, default: ['b'] };
    const { given, asker } = await fill({ x: schema }, ['x'], 'fill in the form', '<default>', labels, 'send');
    expect(given).toEqual({ action: 'accept', content: { x: ['a', 'c'] } });
    expect(asker.shown).toContain('| 1 are chosen; choose 2');
  });

  test.each([
    ['decline', ['decline'], 'decline'],
    ['cancel', ['cancel'], 'cancel'],
    ['closing the first question', [CLOSED], 'cancel'],
    ['closing a field', ['fill in the form', CLOSED], 'cancel'],
    ['decline at the end', ['fill in the form', 'x', 'decline'], 'decline'],
    ['closing the end', ['fill in the form', 'x', CLOSED], 'cancel'],
  ])('[ELIC-27] [E03] %s', async (_, answers, action) => {
    const { given } = await fill({ a: { type: 'string' } }, ['a'], ...(answers as Answer[]));
    expect(given).toEqual({ action });
  });

  test('[ELIC-28] can be changed before it is sent', async () => {
    const { given } = await fill({ a: { type: 'string' } }, ['a'], 'fill in the form', 'x', 'change it', 'y', 'send');
    expect(given).toEqual({ action: 'accept', content: { a: 'y' } });
  });

  test('what was given before is still there when it is changed', async () => {
    const properties = {
      ...fields,
      rooms: { type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] },
    };
    const first = ['2026-07-28', '3', '', '(leave out)', ['b']];
    const same = ['<default>', '<default>', '<default>', '<default>', '<default>'];
    const { given, asker } = await fill(
      properties,
      ['date'],
      'fill in the form',
      ...first,
      'change it',
      ...same,
      'send',
    );
    expect(given).toEqual({ action: 'accept', content: { date: '2026-07-28', guests: 3, rooms: ['b'] } });
    expect(asker.shown).toContain('Date (as in 2026-07-28) [2026-07-28]');
  });

  test('[Z08] what the server says cannot act on the terminal', async () => {
    const asker = new ScriptedAsker('fill in the form', 'x', 'send');
    const bad = '\u001b[2J';
    const schema = {
      type: 'object' as const,
      properties: { [bad]: { type: 'string' as const, title: bad, description: bad } },
      required: [bad],
    };
    await askForm(
      { message: bad, requestedSchema: schema },
      { ...context, name: bad, serverInfo: { name: bad, version: '1' } },
      asker,
      style,
    );
    expect(asker.shown.join('')).not.toContain('\u001b');
  });
});

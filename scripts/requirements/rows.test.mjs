import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../workspace.mjs';
import { binding, excuses, faultRows, requirementRows } from './rows.mjs';

const read = (name) => readFileSync(join(root, 'docs', name), 'utf8');

test('rules, traps and readings are read from their tables', () => {
  const page = [
    '| C1 | Two pages differ | The second |',
    '| id | role | level | requirement | where |',
    '|---|---|---|---|---|',
    '| HDR-08 | server | MUST NOT† | Says `a \\| b`. | http#x |',
    '| T001 | A mistake | The right way. | tr#y |',
    'HDR-09 is only prose',
  ].join('\n');
  expect(requirementRows(page)).toEqual([
    { id: 'C1', kind: 'reading', group: 'readings', level: '', role: '', text: 'Two pages differ: The second' },
    { id: 'HDR-08', kind: 'rule', group: 'HDR', level: 'MUST NOT†', role: 'server', text: 'Says `a | b`.' },
    { id: 'T001', kind: 'trap', group: 'traps', level: '', role: '', text: 'A mistake: The right way.' },
  ]);
});

test('faults are read from tables of six columns and of three', () => {
  const page = ['| A01 | in | wrong | right | client | both |', '| P02 | wrong | right |'].join('\n');
  expect(faultRows(page)).toEqual([
    { id: 'A01', kind: 'fault', group: 'faults', level: '', role: 'client', text: 'in right' },
    { id: 'P02', kind: 'fault', group: 'faults', level: '', role: '', text: 'wrong: right' },
  ]);
});

test('an id that stands there twice, and a level that does not exist, are errors', () => {
  const row = '| HDR-08 | server | MUST | Text. | x |';
  expect(() => requirementRows(`${row}\n${row}`)).toThrow('HDR-08 stands there twice');
  expect(() => requirementRows(row.replace('MUST', 'OUGHT'))).toThrow('HDR-08 has the unknown level "OUGHT"');
  expect(() => faultRows('| A01 | a | b |\n| A01 | a | b |')).toThrow('A01 stands there twice');
});

test('excuses are ids and whole groups, each with its reason', () => {
  expect(excuses('| id | reason |\n| --- | --- |\n| HDR-20, X01 | why |\n| AUTH-* | later |\n| T082 | |\n')).toEqual([
    { pattern: 'HDR-20', reason: 'why' },
    { pattern: 'X01', reason: 'why' },
    { pattern: 'AUTH-*', reason: 'later' },
    { pattern: 'T082', reason: '' },
  ]);
});

test('MUST and MUST NOT, traps and faults bind; the rest informs', () => {
  const binds = (row) => binding({ kind: 'rule', level: '', ...row });
  expect(['MUST', 'MUST NOT', 'MUST†', 'MUST NOT†'].every((level) => binds({ level }))).toBe(true);
  expect(['SHOULD', 'SHOULD NOT', 'MAY', 'INFO'].some((level) => binds({ level }))).toBe(false);
  expect([binds({ kind: 'trap' }), binds({ kind: 'fault' }), binds({ kind: 'reading' })]).toEqual([true, true, false]);
});

test('docs/requirements.md has as many rows as it says', () => {
  const page = read('requirements.md');
  const rows = requirementRows(page);
  const rules = rows.filter(({ kind }) => kind === 'rule');
  expect(page).toContain(`### 1.0 Index (${rules.length} requirements)`);
  expect(page).toContain(`## 2. Traps (${rows.filter(({ kind }) => kind === 'trap').length})`);
  const groups = [...new Set(rules.map(({ group }) => group))];
  const counts = groups.map((group) => `${group} ${rules.filter((row) => row.group === group).length}`);
  expect(page).toContain(counts.join(' · '));
  for (const group of groups) {
    const ids = rules.filter((row) => row.group === group).map(({ id }) => id);
    expect(ids).toEqual(ids.map((_, at) => `${group}-${String(at + 1).padStart(2, '0')}`));
  }
});

test('no id stands on both pages', () => {
  const ids = new Set(requirementRows(read('requirements.md')).map(({ id }) => id));
  expect(faultRows(read('faults.md')).filter(({ id }) => ids.has(id))).toEqual([]);
});

import { expect, test } from 'vitest';
import { judge } from './judge.mjs';
import { table, verdict } from './report.mjs';
import { idsOf, testsById } from './tests.mjs';

const rule = (id, level = 'MUST') => ({
  id,
  kind: 'rule',
  group: id.slice(0, id.indexOf('-')),
  level,
  role: 'server',
  text: `Text of ${id}.`,
});
const trap = { id: 'T001', kind: 'trap', group: 'traps', level: '', role: '', text: 'A mistake: the right way.' };

/** A report of vitest of one file: names with their states. */
const report = (results) => ({
  testResults: [
    {
      name: '/repo/packages/a/src/x.test.ts',
      assertionResults: Object.entries(results).map(([fullName, status]) => ({ fullName, status })),
    },
  ],
});
const tests = (results) => testsById(report(results), '/repo');

test('ids are named in brackets anywhere in a name; other brackets are none', () => {
  expect(idsOf('[HDR-07][X01] of [T001], a[0] and items[K] in [CACHE]')).toEqual(['HDR-07', 'X01', 'T001']);
});

test('tests are found by id, with their file and outcome', () => {
  const file = 'packages/a/src/x.test.ts';
  const byId = tests({ '[A-01] a': 'passed', '[A-01][A-01] b': 'failed', '[A-02] c': 'skipped', d: 'passed' });
  expect([...byId]).toEqual([
    [
      'A-01',
      [
        { name: '[A-01] a', file, passed: true, failed: false },
        { name: '[A-01][A-01] b', file, passed: false, failed: true },
      ],
    ],
    ['A-02', [{ name: '[A-02] c', file, passed: false, failed: false }]],
  ]);
});

test('a row with a passing test is covered, one with an excuse excused, others are open', () => {
  const rows = [
    rule('A-01'),
    rule('A-02', 'MUST NOT†'),
    rule('A-03'),
    rule('A-04', 'SHOULD'),
    rule('A-05', 'INFO'),
    trap,
  ];
  const named = tests({ '[A-01] a': 'passed', '[A-03] b': 'failed', '[A-04] c': 'passed' });
  const { groups, problems } = judge(rows, [{ pattern: 'A-02', reason: 'later' }], named);
  expect(groups).toEqual([
    { group: 'A', covered: 1, excused: 1, open: 1, others: 2, othersCovered: 1 },
    { group: 'traps', covered: 0, excused: 0, open: 1, others: 0, othersCovered: 0 },
  ]);
  expect(problems).toEqual([
    'A-03 has no passing test and no excuse (server, MUST): Text of A-03.',
    'T001 has no passing test and no excuse: A mistake: the right way.',
  ]);
});

test('an id that is no row is a problem, whatever became of its test', () => {
  const { problems } = judge([rule('A-01')], [], tests({ '[A-01] a': 'passed', '[A-09] b': 'skipped' }));
  expect(problems).toEqual(['[A-09] is no row: packages/a/src/x.test.ts: [A-09] b']);
});

test('an excuse that excuses nothing is a problem', () => {
  const rows = [rule('A-01'), rule('A-02'), rule('A-03', 'MAY'), rule('B-01')];
  const excuse = (pattern, reason = 'because') => ({ pattern, reason });
  const problems = (excuses, results = {}) => judge(rows, excuses, tests(results)).problems;
  const all = { '[A-01] a': 'passed', '[A-02] b': 'passed', '[B-01] c': 'passed' };
  expect(problems([excuse('A-01')], all)).toEqual([
    'A-01 is excused, and has a test: packages/a/src/x.test.ts: [A-01] a',
  ]);
  expect(problems([excuse('A-03')], all)).toEqual(['A-03 is excused, and is no row that needs a test']);
  expect(problems([excuse('C-01')], all)).toEqual(['C-01 is excused, and is no row that needs a test']);
  expect(problems([excuse('A-01', ''), excuse('A-01'), excuse('A-02'), excuse('B-01')])).toEqual([
    'A-01 is excused without a reason',
    'A-01 is excused twice',
  ]);
});

test('a group is excused as long as one of its rows needs it', () => {
  const rows = [rule('A-01'), rule('A-02'), rule('AB-01')];
  const excuses = [{ pattern: 'A-*', reason: 'later' }];
  const half = judge(rows, excuses, tests({ '[A-01] a': 'passed', '[AB-01] b': 'passed' }));
  expect(half.groups[0]).toMatchObject({ covered: 1, excused: 1, open: 0 });
  expect(half.problems).toEqual([]);
  const all = judge(rows, excuses, tests({ '[A-01][A-02][AB-01] a': 'passed' }));
  expect(all.problems).toEqual(['A-* is excused, and has a test: packages/a/src/x.test.ts: [A-01][A-02][AB-01] a']);
});

test('the report counts by group and in all; its last line has the figures', () => {
  const rows = [rule('A-01'), rule('A-02'), rule('A-03', 'MAY'), trap];
  const { groups, problems } = judge(rows, [{ pattern: 'A-02', reason: 'later' }], tests({ '[A-01] a': 'passed' }));
  expect(table(groups).split('\n')).toEqual([
    '           covered  excused     open   other rows with a test',
    'A                1        1        0   0 of 1',
    'traps            0        0        1',
    'all              1        1        1   0 of 1',
  ]);
  expect(verdict(groups, problems)).toBe('1 rows covered, 1 excused, 1 problem');
});

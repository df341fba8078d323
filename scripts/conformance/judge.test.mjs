import { expect, test } from 'vitest';
import { figures, judge, problemOf, wanted } from './judge.mjs';

const checks = (...statuses) => statuses.map((status, i) => ({ id: `check-${i}`, status }));
const required = { scenario: 'caching', required: true, scored: true };
const set = {
  server: ['caching', 'tools-list'],
  client: ['tools_call', 'auth/basic'],
  notScored: [
    { scenario: 'tasks-lifecycle', leg: 'server', reason: 'extension' },
    { scenario: 'json-schema', leg: 'server', reason: 'pending' },
    { scenario: 'auth/dpop', leg: 'client', reason: 'extension' },
  ],
};

test('scored scenarios must pass, and unscored ones only where the table names them', () => {
  const list = wanted(set, 'server', { checks: { 'json-schema': 8 } });
  expect(list.filter((w) => w.required).map((w) => w.scenario)).toEqual(['caching', 'tools-list', 'json-schema']);
  expect(list.find((w) => w.scenario === 'tasks-lifecycle')).toMatchObject({ required: false, reason: 'extension' });
});

test('what is left out is left out by prefix, scored or not', () => {
  expect(wanted(set, 'client', { leaveOut: ['auth/'] }).map((w) => w.scenario)).toEqual(['tools_call']);
});

test.each([
  ['every known check passed', { checks: checks('SUCCESS', 'SUCCESS', 'INFO') }, 2, 0],
  ['more passed than are known', { checks: checks('SUCCESS', 'SUCCESS') }, 1, 0],
  ['one failed', { checks: checks('SUCCESS', 'FAILURE') }, 1, 1],
  ['one warned, which the suite ticks', { checks: checks('SUCCESS', 'WARNING') }, 1, 1],
  ['nothing was checked, which the suite ticks', { checks: checks('SKIPPED', 'INFO') }, 1, 1],
  ['fewer passed than are known', { checks: checks('SUCCESS') }, 2, 1],
  ['there are no results', {}, 1, 1],
  ['the client failed though every check passed', { checks: checks('SUCCESS'), problem: 'Client exited' }, 1, 1],
])('%s', (_, outcome, floor, shortfalls) => {
  expect(judge(required, outcome, floor).shortfalls).toHaveLength(shortfalls);
});

test('a scenario that never ran falls short', () => {
  expect(judge(required, undefined, 1).shortfalls).toEqual(['the suite left no results']);
});

test('the suite exit code counts where no check explains it', () => {
  const passed = checks('SUCCESS');
  expect(problemOf({ code: 0, output: '' }, passed)).toBeUndefined();
  expect(problemOf(undefined, passed)).toBeUndefined();
  expect(problemOf({ code: 1, output: '' }, checks('FAILURE'))).toBeUndefined();
  expect(problemOf({ code: 1, output: '' }, passed)).toBe('the suite ended with exit code 1');
  const output = 'Starting\nClient timed out after 5ms\nStderr: x\nResults saved to y\n';
  expect(problemOf({ code: 1, output }, passed)).toBe('Client timed out after 5ms\nStderr: x');
  expect(problemOf({ code: 1, output: 'Unknown scenario\n\nAvailable: …' }, undefined)).toBe('Unknown scenario');
});

test('the line of figures counts what must pass apart from the rest', () => {
  const optional = { scenario: 'tasks-lifecycle', required: false, scored: false, reason: 'extension' };
  const verdicts = [
    judge(required, { checks: checks('SUCCESS', 'SUCCESS') }, 2),
    judge(optional, { checks: checks('SUCCESS', 'FAILURE') }, 1),
  ];
  expect(figures('server 2026-07-28', verdicts, 3)).toEqual({
    line:
      'server 2026-07-28: 1/1 scored scenarios, 2 checks passed, 0 failed, 0 warnings; ' +
      'with 1 optional scenario 3 passed, 1 failed',
    ok: true,
  });
  expect(figures('server 2026-07-28', verdicts, 4).ok).toBe(false);
});

test('a run of nothing is not a success', () => {
  expect(figures('server 2026-07-28', []).ok).toBe(false);
});

test('one scenario that falls short fails the run', () => {
  const verdicts = [judge(required, { checks: checks('SUCCESS', 'WARNING') }, 1)];
  expect(figures('t', verdicts)).toEqual({
    line: 't: 0/1 scored scenarios, 1 checks passed, 0 failed, 1 warning',
    ok: false,
  });
});

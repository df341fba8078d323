// Judges which rows are guarded by tests.
import { binding } from './rows.mjs';

/**
 * @typedef {import('./rows.mjs').Row} Row
 * @typedef {import('./rows.mjs').Excuse} Excuse
 * @typedef {import('./tests.mjs').Test} Test
 * @typedef {{ group: string, covered: number, excused: number, open: number, others: number, othersCovered: number }} Group
 *   `others` are the rows that need no test: SHOULD, MAY, INFO, readings.
 */

/**
 * @param {Row[]} rows
 * @param {Excuse[]} excuses
 * @param {Map<string, Test[]>} tests by the id that they name
 * @returns {{ groups: Group[], problems: string[] }}
 */
export function judge(rows, excuses, tests) {
  const known = new Set(rows.map((row) => row.id));
  const problems = [];
  for (const [id, [test]] of tests) {
    if (!known.has(id)) problems.push(`[${id}] is no row: ${test.file}: ${test.name}`);
  }

  const covered = (row) => tests.get(row.id)?.some((test) => test.passed) === true;
  const applies = ({ pattern }, { id }) =>
    pattern === id || (pattern.endsWith('*') && id.startsWith(pattern.slice(0, -1)));
  const named = new Set();
  for (const excuse of excuses) {
    const { pattern, reason } = excuse;
    if (named.has(pattern)) problems.push(`${pattern} is excused twice`);
    named.add(pattern);
    if (reason === '') problems.push(`${pattern} is excused without a reason`);
    const needing = rows.filter((row) => binding(row) && applies(excuse, row));
    if (needing.length === 0) problems.push(`${pattern} is excused, and is no row that needs a test`);
    else if (needing.every(covered))
      problems.push(`${pattern} is excused, and has a test: ${where(needing[0], tests)}`);
  }

  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row.group) ?? {
      group: row.group,
      covered: 0,
      excused: 0,
      open: 0,
      others: 0,
      othersCovered: 0,
    };
    groups.set(row.group, group);
    if (!binding(row)) {
      group.others += 1;
      if (covered(row)) group.othersCovered += 1;
    } else if (covered(row)) group.covered += 1;
    else if (excuses.some((excuse) => applies(excuse, row))) group.excused += 1;
    else {
      group.open += 1;
      problems.push(`${row.id} has no passing test and no excuse${labelOf(row)}: ${row.text}`);
    }
  }
  return { groups: [...groups.values()], problems };
}

const where = (row, tests) => {
  const test = tests.get(row.id).find((each) => each.passed);
  return `${test.file}: ${test.name}`;
};

const labelOf = ({ role, level }) => {
  const label = [role, level].filter(Boolean).join(', ');
  return label && ` (${label})`;
};

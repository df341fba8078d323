// What `npm run requirements` prints.

/** @typedef {import('./judge.mjs').Group} Group */

/** The figures of each group, then of all. @param {Group[]} groups */
export function table(groups) {
  const total = { group: 'all', ...sum(groups) };
  const line = (cells) =>
    cells.map((cell, at) => (at === 0 ? String(cell).padEnd(9) : String(cell).padStart(9))).join('');
  return [
    `${line(['', 'covered', 'excused', 'open'])}   other rows with a test`,
    ...[...groups, total].map((group) => {
      const { covered, excused, open, others, othersCovered } = group;
      return `${line([group.group, covered, excused, open])}   ${others > 0 ? `${othersCovered} of ${others}` : ''}`.trimEnd();
    }),
  ].join('\n');
}

/** The last line, whose figures .ci/run reads. @param {Group[]} groups @param {string[]} problems */
export function verdict(groups, problems) {
  const { covered, excused } = sum(groups);
  return `${covered} rows covered, ${excused} excused, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`;
}

function sum(groups) {
  const total = { covered: 0, excused: 0, open: 0, others: 0, othersCovered: 0 };
  for (const group of groups) for (const name of Object.keys(total)) total[name] += group[name];
  return total;
}

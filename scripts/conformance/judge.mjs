// Judges what the official suite reports. Its own tick is not enough: it ticks a scenario that warned, and one in which
// nothing was checked. A scenario that must pass passes when at least as many checks succeeded as are known to exist,
// and none failed or warned.

/**
 * @typedef {{ id: string, status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO', name?: string, description?: string, errorMessage?: string }} Check
 * @typedef {{ scenario: string, required: boolean, reason?: string }} Wanted `reason` says why it is not scored.
 * @typedef {{ checks?: Check[], problem?: string }} Outcome `problem` is what the suite said besides the checks.
 * @typedef {{ scenario: string, required: boolean, reason?: string, counts: ReturnType<typeof count>, bad: Check[], shortfalls: string[] }} Verdict
 */

/** How many checks of each status there are. @param {Check[]} checks */
function count(checks) {
  const of = (status) => checks.filter((check) => check.status === status).length;
  return {
    passed: of('SUCCESS'),
    failed: of('FAILURE'),
    warnings: of('WARNING'),
    skipped: of('SKIPPED'),
    info: of('INFO'),
  };
}

/**
 * Which scenarios of a requirement set are run, and which of them must pass.
 * @param {{ server: string[], client: string[], notScored: { scenario: string, leg: string, reason: string }[] }} set
 * @param {'server' | 'client'} leg
 * @param {{ checks?: Record<string, number>, leaveOut?: string[] }} expected
 * @returns {Wanted[]}
 */
export function wanted(set, leg, expected) {
  const floors = expected.checks ?? {};
  const others = set.notScored.filter((entry) => entry.leg === leg);
  return [
    ...set[leg].map((scenario) => ({ scenario, required: true, scored: true })),
    ...others.map(({ scenario, reason }) => ({ scenario, required: scenario in floors, scored: false, reason })),
  ].filter(({ scenario }) => !(expected.leaveOut ?? []).some((prefix) => scenario.startsWith(prefix)));
}

/**
 * What the suite's exit code tells besides the checks: a client that failed or hung, a scenario that never ran.
 * @param {{ code: number | null, output: string } | undefined} said @param {Check[] | undefined} checks
 */
export function problemOf(said, checks) {
  if (!said || said.code === 0) return undefined;
  const ending = /Client (?:exited with code \d+|timed out after \d+ms)/.exec(said.output)?.[0];
  if (ending) return `${ending}\n${said.output.split(ending)[1].split('\nResults saved')[0].trim()}`;
  if (!checks) return said.output.trim().split('\n\n')[0];
  const explained = checks.some((check) => check.status === 'FAILURE' || check.status === 'WARNING');
  return explained ? undefined : `the suite ended with exit code ${said.code}`;
}

/** @param {Wanted} want @param {Outcome | undefined} outcome @param {number} floor @returns {Verdict} */
export function judge(want, outcome, floor) {
  const checks = outcome?.checks ?? [];
  const counts = count(checks);
  const bad = checks.filter((check) => check.status === 'FAILURE' || check.status === 'WARNING');
  const shortfalls = [];
  if (!outcome?.checks) shortfalls.push('the suite left no results');
  else if (counts.passed === 0) shortfalls.push('no check passed');
  else if (counts.passed < floor) shortfalls.push(`${counts.passed} checks passed where ${floor} are known`);
  if (counts.failed > 0) shortfalls.push(`${counts.failed} failed`);
  if (counts.warnings > 0) shortfalls.push(`${counts.warnings} warned`);
  if (outcome?.problem) shortfalls.push(outcome.problem);
  return { ...want, counts, bad, shortfalls };
}

const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;

/**
 * The line of figures, and whether everything that must pass did.
 * @param {string} title @param {Verdict[]} verdicts @param {number} allChecks how many checks must pass over all scenarios
 */
export function figures(title, verdicts, allChecks = 0) {
  const sum = (list, key) => list.reduce((total, verdict) => total + verdict.counts[key], 0);
  const passing = (list) => list.filter((verdict) => verdict.shortfalls.length === 0).length;
  const required = verdicts.filter((verdict) => verdict.required);
  const scored = required.filter((verdict) => verdict.scored);
  const others = required.filter((verdict) => !verdict.scored);
  const optional = verdicts.filter((verdict) => !verdict.required);
  const parts = [];
  if (scored.length > 0) parts.push(`${passing(scored)}/${scored.length} scored scenarios`);
  if (others.length > 0) parts.push(`${passing(others)}/${others.length} other required scenarios`);
  parts.push(
    `${sum(required, 'passed')} checks passed`,
    `${sum(required, 'failed')} failed`,
    plural(sum(required, 'warnings'), 'warning'),
  );
  const total = sum(verdicts, 'passed');
  let line = `${title}: ${parts.join(', ')}`;
  if (optional.length > 0) {
    line += `; with ${plural(optional.length, 'optional scenario')} ${total} passed, ${sum(verdicts, 'failed')} failed`;
  }
  const enough = total >= allChecks;
  if (!enough) line += `; ${total} checks passed in all where ${allChecks} are known`;
  return { line, ok: enough && required.length > 0 && passing(required) === required.length };
}

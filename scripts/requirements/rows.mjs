// Reads the pages whose rows tests name: the rules, readings and traps of docs/requirements.md, the faults of
// docs/faults.md, and what docs/requirements-excused.md excuses.

/**
 * @typedef {'rule' | 'reading' | 'trap' | 'fault'} Kind
 * @typedef {{ id: string, kind: Kind, group: string, level: string, role: string, text: string }} Row
 *   `group` is HDR for HDR-08, and `traps`, `faults` and `readings` for the others.
 * @typedef {{ pattern: string, reason: string }} Excuse `pattern` is an id or all of a group: `AUTH-*`.
 */

/** What an id in brackets looks like; what has another look is no id: `items[0]`, `[CACHE]`. */
export const ID = /\[([A-Z]+-\d+|[A-Z]\d{1,3})\]/g;

const LEVELS = new Set(['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY', 'INFO', 'MUST†', 'MUST NOT†']);

/** The cells of a row of a table; undefined for any other line. */
function cells(line) {
  if (!line.startsWith('|')) return undefined;
  return line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** @param {string} markdown docs/requirements.md @returns {Row[]} */
export function requirementRows(markdown) {
  const rows = [];
  for (const line of markdown.split('\n')) {
    const [id, second = '', level = '', text = ''] = cells(line) ?? [];
    if (id === undefined) continue;
    if (/^[A-Z]+-\d\d$/.test(id)) {
      if (!LEVELS.has(level)) throw new Error(`${id} has the unknown level "${level}"`);
      rows.push({ id, kind: 'rule', group: id.slice(0, id.indexOf('-')), level, role: second, text });
    } else if (/^T\d{3}$/.test(id)) {
      rows.push({ id, kind: 'trap', group: 'traps', level: '', role: '', text: `${second}: ${level}` });
    } else if (/^C\d+$/.test(id)) {
      rows.push({ id, kind: 'reading', group: 'readings', level: '', role: '', text: `${second}: ${level}` });
    }
  }
  return distinct(rows);
}

/** @param {string} markdown docs/faults.md, whose tables have six columns or three @returns {Row[]} */
export function faultRows(markdown) {
  const rows = [];
  for (const line of markdown.split('\n')) {
    const found = cells(line);
    if (found === undefined || !/^[A-Z]\d{2,3}$/.test(found[0])) continue;
    const [id, what, wrong, right, where] = found;
    const text = found.length > 3 ? `${what} ${right}` : `${what}: ${wrong}`;
    rows.push({ id, kind: 'fault', group: 'faults', level: '', role: where ?? '', text });
  }
  return distinct(rows);
}

/** @param {string} markdown docs/requirements-excused.md @returns {Excuse[]} */
export function excuses(markdown) {
  const found = [];
  for (const line of markdown.split('\n')) {
    const [patterns = '', reason = ''] = cells(line) ?? [];
    for (const pattern of patterns.split(', ')) {
      if (/^([A-Z]+-(\d+|\*)|[A-Z]\d+)$/.test(pattern)) found.push({ pattern, reason });
    }
  }
  return found;
}

/** Whether a row has to have a test or an excuse. @param {Row} row */
export const binding = (row) => row.kind === 'trap' || row.kind === 'fault' || row.level.startsWith('MUST');

function distinct(rows) {
  const seen = new Set();
  for (const { id } of rows) {
    if (seen.has(id)) throw new Error(`${id} stands there twice`);
    seen.add(id);
  }
  return rows;
}

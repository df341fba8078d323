// What the tests name, out of the JSON report of vitest.
import { relative, sep } from 'node:path';
import { ID } from './rows.mjs';

/**
 * @typedef {{ name: string, file: string, passed: boolean, failed: boolean }} Test `file` from the root of the repository;
 *   a test that was skipped has neither passed nor failed.
 */

/** The ids that a test's name has in brackets, wherever they stand. @param {string} name */
export const idsOf = (name) => [...name.matchAll(ID)].map((match) => match[1]);

/**
 * The tests of a report that name something.
 * @param {{ testResults: { name: string, assertionResults: { fullName: string, status: string }[] }[] }} report
 * @param {string} root the repository in which the tests ran
 * @returns {Map<string, Test[]>} by id
 */
export function testsById(report, root) {
  const byId = new Map();
  for (const { name: path, assertionResults } of report.testResults) {
    const file = relative(root, path).split(sep).join('/');
    for (const { fullName: name, status } of assertionResults) {
      const test = { name, file, passed: status === 'passed', failed: status === 'failed' };
      for (const id of new Set(idsOf(name))) byId.set(id, [...(byId.get(id) ?? []), test]);
    }
  }
  return byId;
}

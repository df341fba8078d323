// Small changes to the sources, each of which breaks one rule. `npm run requirements -- --mutate` makes them one at a
// time, in a copy, and expects a test that names the rule to fail.

/**
 * @typedef {{ id: string, file: string, what: string, from: string, to: string, test: string }} Mutation
 *   `from` stands once in `file` and becomes `to`; `test` is the file of the tests that are run.
 */

/** @type {Mutation[]} */
export const mutations = [];

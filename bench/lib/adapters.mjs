// Which implementations can be measured here.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StepFailed } from '../../scripts/workspace.mjs';

/** Path of an adapter's file. */
export const adapterFile = (impl, file) => fileURLToPath(new URL(`../adapters/${impl}/${file}`, import.meta.url));

/** Why an implementation cannot be measured; undefined if it can. */
function missing(impl, file) {
  if (!existsSync(adapterFile(impl, file))) return `${impl} has no bench/adapters/${impl}/${file}`;
  const manifest = adapterFile(impl, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const needs = Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).dependencies);
  const installed = needs.every((name) => existsSync(adapterFile(impl, `node_modules/${name}`)));
  return installed ? undefined : `${impl} is not installed: npm ci --prefix bench/adapters/${impl}`;
}

/**
 * The implementations to run: those that were named, all of which must be there; or those of `defaults` that are there,
 * with a word about the others.
 * @param {string[] | undefined} named @param {string[]} defaults @param {string} file which file of the adapter is needed
 */
export function choose(named, defaults, file) {
  const chosen = [];
  for (const impl of named ?? defaults) {
    const why = missing(impl, file);
    if (!why) chosen.push(impl);
    else if (named) throw new StepFailed(why);
    else console.error(`# left out: ${why}`);
  }
  return chosen;
}

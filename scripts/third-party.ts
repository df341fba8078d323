// A bundler's plugin: whatever is built into a package brings its licence along, as every one of them asks.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the licences are written to, beside the code. */
export const THIRD_PARTY = 'THIRD-PARTY-LICENSES.txt';

const folder = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** Folders of the installed packages that modules come from, each once. */
export function packageFolders(modules: readonly string[]): string[] {
  const found = new Set<string>();
  for (const id of modules) {
    const match = folder.exec(id.replace(/^\0/, ''));
    if (match?.[1] !== undefined) found.add(match[1]);
  }
  return [...found].sort();
}

/** Name, version and licence text of an installed package. Throws where it has none: that is a question for a person. */
function licenceOf(dir: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const file = readdirSync(dir).find((entry) => /^licen[cs]e(?:\.md|\.txt)?$/i.test(entry));
  if (file === undefined) throw new Error(`${name} is built in and has no licence file in ${dir}`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(dir, file), 'utf8').trim()}\n`;
}

/** The part of a bundle that is looked at. */
interface Built {
  readonly type: string;
  readonly moduleIds?: readonly string[];
}

/** The plugin. */
export function thirdParty() {
  return {
    name: 'third-party',
    generateBundle(
      this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): unknown },
      _options: unknown,
      bundle: { readonly [file: string]: Built },
    ): void {
      const folders = packageFolders(Object.values(bundle).flatMap((built) => built.moduleIds ?? []));
      if (folders.length === 0) return;
      const source = folders.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`);
      this.emitFile({ type: 'asset', fileName: THIRD_PARTY, source });
    },
  };
}

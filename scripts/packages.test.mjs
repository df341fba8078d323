// What a package brings along when it is published: everything that it needs, and nothing that only its makers need.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolders, THIRD_PARTY } from './third-party.ts';
import { capture, npmCommand, root, workspacePackages } from './workspace.mjs';

const read = (...path) => readFileSync(join(...path), 'utf8');
const packages = workspacePackages().map((pkg) => [pkg.name, pkg]);

/** Paths of the files that `npm pack` takes. */
async function packed({ dir }) {
  const npm = npmCommand();
  const { code, output } = await capture(
    npm.command,
    [...npm.args, 'pack', '--dry-run', '--json', '--loglevel=error'],
    {
      ...npm.options,
      cwd: dir,
    },
  );
  if (code !== 0) throw new Error(output);
  return JSON.parse(output.slice(output.indexOf('[')))[0].files.map((file) => file.path);
}

describe.each(packages)('%s', (name, pkg) => {
  const { dir, manifest } = pkg;

  test('is published with its licence, a page about it, and its code', async () => {
    const files = await packed(pkg);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const promised = [];
    JSON.stringify({ exports: manifest.exports, imports: manifest.imports, bin: manifest.bin }, (_, value) => {
      if (typeof value === 'string' && value.startsWith('./dist/')) promised.push(value.slice(2));
      return value;
    });
    expect(promised.length).toBeGreaterThan(0);
    expect(files).toEqual(expect.arrayContaining(promised));
    expect(files.filter((file) => /\.test\.|(^|\/)test(ing)?\/|^src\//.test(file))).toEqual([]);
  });

  test('bears the licence of the whole', () => {
    expect(read(dir, 'LICENSE')).toBe(read(root, 'LICENSE'));
    expect(manifest.license).toBe(JSON.parse(read(root, 'package.json')).license);
  });

  test('says what it is', () => {
    expect(manifest).toMatchObject({
      type: 'module',
      engines: { node: '>=20.19' },
      publishConfig: { access: 'public' },
      description: expect.stringMatching(/\w/),
      keywords: expect.arrayContaining(['mcp', 'model-context-protocol']),
    });
    expect(read(dir, 'README.md').split('\n')[0]).toBe(`# ${name}`);
  });

  test('names the licences of what is built into it', () => {
    const dist = join(dir, 'dist');
    const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs'));
    // The bundler writes where each piece of code comes from.
    const regions = scripts.flatMap((file) => [...read(dist, file).matchAll(/^\/\/#region (.+)$/gm)].map((m) => m[1]));
    const built = packageFolders(regions).map((folder) => folder.replace(/^.*node_modules\//, ''));
    const notice = existsSync(join(dist, THIRD_PARTY)) ? read(dist, THIRD_PARTY) : '';
    const named = [...notice.matchAll(/^(\S+) \S+ \([\w. -]+\)$/gm)].map((m) => m[1]);
    expect(named).toEqual(built);
  });

  test('is built without anything of the tests', () => {
    const dist = join(dir, 'dist');
    for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      if (/\.m?ts$|\.mjs$/.test(file)) expect(read(dist, file)).not.toMatch(/quietServer|from ['"]vitest/);
    }
  });
});

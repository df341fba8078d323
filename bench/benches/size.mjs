// What each adapters/*/bundle-*.mjs weighs: esbuild, ESM, minified, gzip -9, with the heaviest inputs.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { adapterFile } from '../lib/adapters.mjs';
import { table } from '../lib/table.mjs';

const adapters = fileURLToPath(new URL('../adapters/', import.meta.url));
const kb = (bytes, digits = 1) => (bytes / 1024).toFixed(digits);

/** Which package an input belongs to. */
const owner = (path) =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? /(packages\/[^/]+)\//.exec(path)?.[1] ?? 'entry';

async function weigh(entry, platform) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    platform,
    write: false,
    metafile: true,
    logLevel: 'silent',
    external: platform === 'browser' ? ['node:*'] : [],
  });
  const code = outputFiles[0].contents;
  const parts = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(Object.values(metafile.outputs)[0].inputs)) {
    parts.set(owner(path), (parts.get(owner(path)) ?? 0) + bytesInOutput);
  }
  const heaviest = [...parts].sort((a, b) => b[1] - a[1]).slice(0, 4);
  return { min: code.length, gz: gzipSync(code, { level: 9 }).length, heaviest };
}

export default async function run(named) {
  const rows = [];
  const out = {};
  for (const impl of named ?? readdirSync(adapters)) {
    const files = readdirSync(adapterFile(impl, '')).filter((file) => file.startsWith('bundle-'));
    for (const file of files) {
      for (const platform of ['node', 'browser']) {
        const what = [impl, file.slice('bundle-'.length, -'.mjs'.length), platform];
        try {
          const { min, gz, heaviest } = await weigh(adapterFile(impl, file), platform);
          out[what.join('/')] = { min, gz };
          rows.push([...what, kb(min), kb(gz), heaviest.map(([name, n]) => `${name} ${kb(n, 0)}K`).join(', ')]);
        } catch (error) {
          // A row of its own: that a program cannot be bundled for a platform is a result too.
          rows.push([...what, 'fails', '', String(error.message).split('\n').slice(0, 2).join(' ').slice(0, 120)]);
        }
      }
    }
  }
  table(['impl', 'entry', 'platform', 'min KB', 'gzip KB', 'heaviest (min)'], rows);
  return out;
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as esbuild } from 'esbuild';
import { build as viteBuild } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const page = fixture('browser-page.mjs');

let directory: string;
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'dragoman-bundle-')));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What Node has and browsers do not, taken away from one module. */
const bare = 'const [process, Buffer, global, setImmediate, clearImmediate, require] = [];\n';

/** Writes modules to a folder of their own, as for a browser or as they are. */
function lay(name: string, files: Iterable<readonly [file: string, code: string]>, banner: string): string {
  const folder = join(directory, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [file, code] of files) writeFileSync(join(folder, file), banner + code);
  return join(folder, 'page.js');
}

/** Builds from the sources. */
async function withEsbuild(platform: 'browser' | 'node') {
  const { metafile, warnings, outputFiles } = await esbuild({
    entryPoints: [page],
    bundle: true,
    format: 'esm',
    platform,
    conditions: ['dragoman-source'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  expect(warnings).toEqual([]);
  return {
    code: outputFiles[0]?.text ?? '',
    inputs: Object.keys(metafile.inputs),
    imports: Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path)),
  };
}

/** Builds from the sources. Vite puts an empty module where a browser has none, and says so: that is a failure here. */
async function withVite(): Promise<[file: string, code: string][]> {
  const told: string[] = [];
  const tell = (message: string): void => void told.push(message);
  const built = (await viteBuild({
    configFile: false,
    root: directory,
    logLevel: 'warn',
    resolve: { conditions: ['dragoman-source', 'browser', 'module', 'import', 'default'] },
    build: { write: false, minify: false, lib: { entry: page, formats: ['es'], fileName: () => 'page.js' } },
    customLogger: {
      info: () => undefined,
      warn: tell,
      warnOnce: tell,
      error: tell,
      clearScreen: () => undefined,
      hasErrorLogged: () => false,
      hasWarned: false,
    },
  })) as { output: { fileName: string; code: string }[] }[];
  expect(told).toEqual([]);
  return built.flatMap(({ output }) => output.map(({ fileName, code }): [string, string] => [fileName, code]));
}

async function run(file: string): Promise<unknown> {
  const { fetch } = globalThis;
  try {
    const bundle = (await import(pathToFileURL(file).href)) as { run(): Promise<unknown> };
    return await bundle.run();
  } finally {
    globalThis.fetch = fetch;
  }
}

const refusal = (message: RegExp): object => ({
  name: 'DragomanError',
  code: 'INVALID_ARGUMENT',
  message: expect.stringMatching(message),
});
const all = {
  names: ['book'],
  booked: [{ type: 'text', text: 'Booked Rome on 2027-03-01' }],
  invalid: true,
  progress: ['asking'],
  local: 1,
  program: refusal(/^A program can be started only in Node.*"node" condition/),
  socket: refusal(/^A socket can be opened only in Node.*"node" condition/),
  proxy: refusal(/^The option proxy works only in Node/),
  listener: refusal(/^serveHttp works only in Node.*toFetchHandler/),
};

test('a bundle that esbuild makes for browsers works there, and in Node as on a simulated page', async () => {
  const { code, inputs, imports } = await withEsbuild('browser');
  expect(imports).toEqual([]);
  expect(inputs.filter((file) => /node_modules\/(?:undici|cross-spawn)/.test(file))).toEqual([]);
  expect(await run(lay('browser', [['page.js', code]], bare))).toEqual(all);
  expect(await run(lay('simulated', [['page.js', code]], ''))).toEqual(all);
});

test('a bundle that vite makes works in a browser', async () => {
  expect(await run(lay('vite', await withVite(), bare))).toEqual(all);
});

test('a bundle for Node has the real parts', async () => {
  const { inputs } = await withEsbuild('node');
  const parts = inputs.filter((file) => file.includes('/wires/')).map((file) => file.split('/').at(-1));
  expect(parts).toEqual(expect.arrayContaining(['undici.ts', 'process-wire.ts', 'open-socket.ts', 'listener.ts']));
  expect(parts).not.toContain('without-node.ts');
});

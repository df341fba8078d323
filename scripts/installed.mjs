// What somebody sees who has installed the packages. Each check resolves to what is wrong, or to nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { binOf, capture, root } from './workspace.mjs';

const program = `
import { readFileSync } from 'node:fs';
import { connect, type Client } from '@dragoman/client';
import { MODERN, type Tool } from '@dragoman/protocol';
import { engine } from '@dragoman/protocol/json-schema';
import { Server, serveHttp } from '@dragoman/server';
import '@dragoman/server/guard-stdout';

const server = new Server({ name: 'packed', version: '1.0.0' });
const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
server.tool('echo', { input }, ({ text }) => text.toUpperCase());
const serving = await serveHttp(server);
const client: Client = await connect(serving.url);
const tools: Tool[] = await client.listAllTools();
const { content } = await client.callTool('echo', { text: 'hello' });
await client.close();
await serving.close();
console.error(JSON.stringify([MODERN, engine !== undefined, tools.length, content, readFileSync.length > 0]));
`;

const page = `
import { connect } from '@dragoman/client';
import { Server, toFetchHandler } from '@dragoman/server';

export async function run(): Promise<string> {
  const server = new Server({ name: 'packed', version: '1.0.0' });
  const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
  server.tool('echo', { input }, ({ text }) => text.toUpperCase());
  const handler = toFetchHandler(server);
  const client = await connect('https://packed.example/mcp', { fetch: (url, init) => handler(new Request(url, init)) });
  const { content } = await client.callTool('echo', { text: 'hello' });
  await client.close();
  return JSON.stringify(content);
}
`;

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'ES2022',
};
const kinds = {
  node: {
    file: 'program.ts',
    code: program,
    options: {
      module: 'NodeNext',
      lib: ['ES2023'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
    },
  },
  // A page has no @types/node, and what stands in declarations about Node is no business of its own.
  page: {
    file: 'page.ts',
    code: page,
    options: { module: 'ESNext', moduleResolution: 'Bundler', lib: ['ES2023', 'DOM'], types: [], skipLibCheck: true },
  },
};

export async function typeChecks(home, kind) {
  const { file, code, options } = kinds[kind];
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(home, file), code);
  const config = join(home, `tsconfig.${kind}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...options }, files: [file] }));
  const { code: exit, output } = await capture(process.execPath, [binOf('typescript', 'tsc'), '-p', config], {
    cwd: home,
  });
  return exit === 0 ? undefined : output.trim();
}

const bundle = (home, file, code, platform, more) =>
  build({
    stdin: { contents: code, loader: 'ts', resolveDir: home },
    bundle: true,
    format: 'esm',
    platform,
    outfile: join(home, file),
    logLevel: 'silent',
    ...more,
  });

export async function runs(home) {
  // Only the types are taken away: what is imported is found as Node finds it.
  await bundle(home, 'program.mjs', program, 'node', { packages: 'external' });
  const { code, output } = await capture(process.execPath, [join(home, 'program.mjs')], { cwd: home });
  const expected = JSON.stringify(['2026-07-28', true, 1, [{ type: 'text', text: 'HELLO' }], true]);
  if (code !== 0 || output.trim() !== expected) return `exit code ${code}: ${output.trim()}`;
  const command = join(home, 'node_modules', 'dragoman', 'dist', 'main.mjs');
  const version = await capture(process.execPath, [command, '--version'], { cwd: home });
  return version.code === 0 && /\d/.test(version.output) ? undefined : `dragoman --version: ${version.output.trim()}`;
}

export async function bundlesForBrowsers(home) {
  const banner = 'const [process, Buffer, global, setImmediate, clearImmediate, require] = [];';
  try {
    await bundle(home, 'page.mjs', page, 'browser', { banner: { js: banner } });
  } catch (error) {
    return error.message;
  }
  const { run } = await import(pathToFileURL(join(home, 'page.mjs')).href);
  const said = await run();
  return said === JSON.stringify([{ type: 'text', text: 'HELLO' }]) ? undefined : said;
}

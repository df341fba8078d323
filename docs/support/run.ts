import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { build } from 'esbuild';
import { vi } from 'vitest';
import type { Block } from './blocks.ts';
import { root } from './compile.ts';
import { makeScratch } from './scratch.ts';

const packages = join(root, 'packages');

const nameOf = (block: Block): string => `${block.page.replaceAll('/', '-').replace('.md', '')}-${block.line}`;

/** Blocks as modules. */
export class Modules {
  readonly #directory = makeScratch('docs');

  /** Makes a module of each block, over the sources of the packages. */
  async make(blocks: readonly Block[]): Promise<void> {
    mkdirSync(join(this.#directory, 'blocks'));
    const entryPoints = blocks.map((block) => {
      const path = join(this.#directory, 'blocks', `${nameOf(block)}.ts`);
      writeFileSync(path, `${block.prelude}\n${block.text}\n`);
      return path;
    });
    await build({
      entryPoints,
      outdir: join(this.#directory, 'modules'),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      packages: 'external',
      alias: {
        '@dragoman/client': join(packages, 'client/src/index.ts'),
        '@dragoman/protocol': join(packages, 'protocol/src/index.ts'),
        '@dragoman/protocol/json-schema': join(packages, 'protocol/src/json-schema/index.ts'),
        '@dragoman/server': join(packages, 'server/src/index.ts'),
      },
      logLevel: 'error',
    });
  }

  /** Runs a block to its end. Returns what it printed, to stdout and to stderr. */
  async run(block: Block): Promise<{ readonly out: string; readonly err: readonly string[] }> {
    const out: string[] = [];
    const err: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => void out.push(format(...values)));
    const error = vi
      .spyOn(console, 'error')
      .mockImplementation((...values: unknown[]) => void err.push(format(...values)));
    try {
      const path = join(this.#directory, 'modules', `${nameOf(block)}.mjs`);
      await import(/* @vite-ignore */ pathToFileURL(path).href);
    } finally {
      log.mockRestore();
      error.mockRestore();
    }
    return { out: out.join('\n'), err };
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, blocksOf } from './blocks.ts';
import { root } from './compile.ts';

/** The text of a page, by its path from the root of the repository. */
export const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Every page with examples. */
export const pages: readonly string[] = [
  'README.md',
  'examples/README.md',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** All blocks of all pages. */
export const allBlocks: readonly Block[] = pages.flatMap((page) => blocksOf(page, read(page)));

/** Where a block stands, for the name of its test. */
export const named = (blocks: readonly Block[]): (readonly [string, Block])[] =>
  blocks.map((block) => [`${block.page}:${block.line}`, block] as const);

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Block, flag, prose } from './support/blocks.ts';
import { allBlocks, named, read } from './support/pages.ts';
import { Shell } from './support/shell.ts';

/** What a line ends with where that is not 0. */
const codes = new Map([
  // They ask on a terminal, and here is none.
  ['npm start -- call demo book_table city=Rome', 6],
  ['npm start -- call ./my-booking-server.mjs book city=Rome', 6],
]);
/** Lines that are not run: they install and build, test everything, or run until they are ended. */
const left = new Set(['npm start', 'npm test', 'npm start -- demo --http 3000']);
/** Examples in text that are patterns. */
const patterns = new Set(['npm start -- ARGS', 'npm start -- --help']);

const linesOf = (block: Block): string[] =>
  block.text
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, ''))
    .filter((line) => line !== '' && !left.has(line));

const shells = allBlocks.filter((block) => block.language === 'sh');
const inText = (page: string): string[] =>
  prose(read(page))
    .flatMap((line) => [...line.matchAll(/`(npm start -- [^`]+)`/g)].map((match) => match[1] as string))
    .filter((line) => !left.has(line) && !patterns.has(line));

let shell: Shell;
let port: string;
beforeAll(async () => {
  shell = new Shell();
  port = await freePort();
  // The reader's files, except that their port may be in use here.
  for (const block of allBlocks) {
    const name = flag(block, 'file');
    if (name !== undefined) writeFileSync(join(shell.directory, name), ported(block.text));
  }
});
afterAll(() => shell.close());

const ported = (text: string): string => text.replaceAll('3000', port);

async function freePort(): Promise<string> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return String(typeof address === 'object' ? address?.port : address);
}

async function runLine(line: string): Promise<string> {
  const { code, stdout, stderr } = await shell.run(ported(line));
  expect(`${line} ended with ${code}\n${code === (codes.get(line) ?? 0) ? '' : stderr}`).toBe(
    `${line} ended with ${codes.get(line) ?? 0}\n`,
  );
  return stdout;
}

describe.concurrent('commands that stand alone do what they say', () => {
  const alone = shells.filter(({ page }) => page === 'README.md' || page.startsWith('packages/')).flatMap(linesOf);
  test.each([...new Set([...alone, ...inText('docs/getting-started.md')])])('%s', async (line) => {
    await runLine(line);
  });
});

describe.each(['docs/getting-started.md', 'examples/README.md'])('%s, step by step', (page) => {
  test.each(named(shells.filter((block) => block.page === page && linesOf(block).length > 0)))(
    '%s',
    async (_, block) => {
      if (block.flags.includes('background')) {
        for (const line of linesOf(block)) await shell.start(ported(line));
        return;
      }
      let printed = '';
      for (const line of linesOf(block)) printed += await runLine(line);
      if (block.output !== undefined) expect(printed.trimEnd()).toBe(block.output);
    },
  );
});

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anchorsOf, linksOf } from './support/blocks.ts';
import { type Compiled, compile, isCode, root } from './support/compile.ts';
import { allBlocks, named, pages, read } from './support/pages.ts';
import { Modules } from './support/run.ts';

const code = allBlocks.filter(isCode);
const runs = code.filter((block) => block.flags.includes('run'));
const programs = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => join(root, 'examples', name));

describe('every example compiles', () => {
  let problemsOf: Compiled['problemsOf'];
  beforeAll(() => {
    ({ problemsOf } = compile(code, [...programs, join(root, 'examples', 'support', 'runtimes.d.ts')]));
  }, 30_000);

  test.each(named(code))('%s', (_, block) => {
    expect(problemsOf(block)).toEqual([]);
  });

  test.each(programs)('%s', (program) => {
    expect(problemsOf(program)).toEqual([]);
  });
});

describe('every example that prints something prints that', () => {
  const modules = new Modules();
  beforeAll(() => modules.make(runs));
  afterAll(() => modules.remove());

  test.each(named(runs))('%s', async (_, block) => {
    const { out, err } = await modules.run(block);
    expect(out).toBe(block.output ?? '');
    // A key of its own is what a server in an example has.
    expect(err.filter((line) => !line.includes('EPHEMERAL_STATE_KEY'))).toEqual([]);
  });
});

test.each(['CONTRIBUTING.md', ...pages])('every link of %s leads somewhere', (page) => {
  const dead = linksOf(read(page)).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(read(target)).has(anchor);
  });
  expect(dead).toEqual([]);
});

import { afterAll, describe, expect, test } from 'vitest';
import { mutator } from './mutate.ts';
import { seeded } from './random.ts';
import { bytesOf, type Target } from './target.ts';
import { targets } from './targets/index.ts';

/** The sockets of HTTP take their time. */
const countFor = ({ name }: Target): number => (name.startsWith('http') ? 150 : name.startsWith('stream') ? 300 : 1500);

describe.each(targets.map((target) => [target.name, target] as const))('%s', (_, target) => {
  afterAll(() => target.end?.());

  test('holds for what it begins with', async () => {
    for (const seed of target.seeds) await target.run(bytesOf(seed));
  });

  test('holds for what is made of that', async () => {
    const corpus = target.seeds.map(bytesOf);
    const mutate = mutator(seeded(2026), target);
    for (let count = countFor(target); count > 0; count--) {
      const input = mutate(corpus);
      try {
        await target.run(input);
      } catch (error) {
        expect.fail(`${String(error)}\nfor ${JSON.stringify(Buffer.from(input).toString('latin1').slice(0, 2000))}`);
      }
    }
  });
});

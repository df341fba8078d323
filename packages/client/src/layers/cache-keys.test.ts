import { isDeepStrictEqual } from 'node:util';
import type { Request, Result } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { ScriptedWire } from '../../test/support/scripted-wire.ts';
import { Client } from '../client.ts';
import { MemoryCache } from './cache-store.ts';

/** What a kept result belongs to. */
interface Asked {
  readonly identity: string;
  readonly credential: string;
  readonly method: 'tools/list' | 'prompts/list' | 'resources/read';
  readonly params: { readonly [name: string]: unknown };
}

const text = fc.constantFrom('a', 'b', '', 'a"\n"b', '\n', '{"uri":"a"}', 'a\\', '"', 'tools/list');
const asked = fc.record<Asked>({
  identity: text,
  credential: text.filter((name) => name !== ''),
  method: fc.constantFrom('tools/list', 'prompts/list', 'resources/read'),
  params: fc.record(
    { x: text, y: fc.oneof(text, fc.array(text, { maxLength: 2 })) },
    { requiredKeys: [], noNullPrototype: true },
  ),
});

const wholeParams = ({ method, params }: Asked) => (method === 'resources/read' ? { uri: 'a:b', ...params } : params);

/** A server's answers, of which every one is another. */
function serve(scope: 'public' | 'private') {
  const store = new MemoryCache();
  const clock = new ManualClock();
  let count = 0;
  const answering = (_request: Request): Result => ({
    resultType: 'complete',
    n: ++count,
    tools: [],
    prompts: [],
    contents: [],
    ttlMs: 1e9,
    cacheScope: scope,
  });
  const clientOf = ({ identity, credential }: Asked): Client =>
    new Client(new ScriptedWire(answering, 'http', identity), { clock, era: 'modern', cache: store, credential });
  const ask = async (given: Asked): Promise<unknown> =>
    (await clientOf(given).request(given.method, wholeParams(given) as { uri: string })).n;
  return { ask, clientOf };
}

test.each(['public', 'private'] as const)(
  '[CACHE-12] [CACHE-15] a kept %s result answers the same question, and no other',
  async (scope) => {
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(asked, asked, fc.boolean(), async (one, two, same) => {
        const { ask } = serve(scope);
        const other = same ? { ...one, params: Object.fromEntries(Object.entries(one.params).reverse()) } : two;
        const relevant = ({ identity, credential, method, params }: Asked) => [
          identity,
          scope === 'private' ? credential : '',
          method,
          params,
        ];
        const first = await ask(one);
        const second = await ask(other as Asked);
        const equal = isDeepStrictEqual(relevant(one), relevant(other as Asked));
        expect(second === first).toBe(equal);
        if (equal) hits++;
      }),
      { numRuns: 400 },
    );
    expect(hits).toBeGreaterThan(50);
  },
);

test('what is cleared is gone, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(asked, asked, async (one, two) => {
      const { ask, clientOf } = serve('private');
      const [first, second] = [await ask(one), await ask(two)];
      await clientOf(one).cache.clear(one.method);
      expect(await ask(one)).not.toBe(first);
      const gone = one.identity === two.identity && one.method === two.method;
      expect((await ask(two)) === second).toBe(!gone);
    }),
    { numRuns: 300 },
  );
});

import { isDeepStrictEqual } from 'node:util';
import { McpError, type Result } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quietServer, recordingIO, requestOf } from '../testing.ts';

/** A call that asks for input, and all that its state belongs to. */
interface Call {
  readonly principal: string | undefined;
  readonly method: 'tools/call' | 'prompts/get';
  readonly name: string;
  readonly args: { readonly [name: string]: unknown };
}

const server = quietServer({ requestState: { keys: [{ id: 'a', secret: 'a'.repeat(32) }] } });
const ask = {
  message: 'Which?',
  schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } as const,
};
const names = ['book', 'book ', '__proto__', '["book"]'];
const prompt = { arguments: [{ name: 'a' }, { name: 'b' }] };
for (const name of names) {
  server.tool(name, { input: { type: 'object' } }, async (_, ctx) => String((await ctx.elicit('q', ask)).word));
  server.prompt(name, prompt, async (_, ctx) => String((await ctx.elicit('q', ask)).word));
}

const send = ({ principal, method, name, args }: Call, more: object = {}): Promise<Result> =>
  server.exchange(
    requestOf(method, { name, arguments: args, ...more }),
    recordingIO(principal === undefined ? undefined : { principal }),
  );

const words = fc.constantFrom('', 'x', 'y', 'null', '"x","b":"y');
const calls = fc.record<Call>(
  {
    principal: fc.constantFrom(undefined, 'alice', 'bob', 'null', '', 'alice","tools/call'),
    method: fc.constantFrom('tools/call', 'prompts/get'),
    name: fc.constantFrom(...names),
    args: fc.dictionary(fc.constantFrom('a', 'b'), words, { maxKeys: 2, noNullPrototype: true }),
  },
  { noNullPrototype: true },
);

test('[MRTR-13] [MRTR-15] [I05] a state opens for the caller, method, name and arguments that it was made for, and for no other', async () => {
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(calls, calls, fc.boolean(), async (one, two, same) => {
      const other = same ? { ...one } : two;
      const asked = await send(one);
      const retry = {
        requestState: asked.requestState,
        inputResponses: { q: { action: 'accept', content: { word: 'w' } } },
      };
      const answer = await send(other, retry).catch((error: unknown) => error);
      if (isDeepStrictEqual(one, other)) {
        expect(answer).toMatchObject({ resultType: 'complete' });
        opened++;
      } else {
        expect(answer).toBeInstanceOf(McpError);
        expect((answer as McpError).message).toContain('requestState is not valid for this caller and this request');
      }
    }),
    { numRuns: 300 },
  );
  expect(opened).toBeGreaterThan(50);
});

test('[MRTR-15] numbers that a double does not hold are no null', async () => {
  const call = (args: string): Call => ({
    principal: 'a',
    method: 'tools/call',
    name: 'book',
    args: JSON.parse(args) as Call['args'],
  });
  const asked = await send(call('{"n":null}'));
  for (const args of ['{"n":1e400}', '{"n":-1e400}', '{}', '{"n":"1e999"}', '{"n":[null]}']) {
    await expect(send(call(args), { requestState: asked.requestState, inputResponses: {} })).rejects.toThrow(
      'not valid',
    );
  }
});

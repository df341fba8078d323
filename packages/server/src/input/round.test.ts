import { type ClientCapabilities, type InputRequiredResult, MetaKey } from '@dragoman/protocol';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { ServerOptions } from '../options.ts';
import type { ToolOutput } from '../registry/tool.ts';
import { asking, call, quietServer, recordingIO, requestOf, textOf } from '../testing.ts';
import { InputDeclinedError, inputRequired } from './input-required.ts';

const nameForm = { type: 'object', properties: { name: { type: 'string', minLength: 1 } }, required: ['name'] };

/** A server with one tool. */
function asker(run: (ctx: Context) => ToolOutput | Promise<ToolOutput>, options: Partial<ServerOptions> = {}) {
  const server = quietServer({ requestState: { keys: [{ id: 'k', secret: 'x'.repeat(32) }] }, ...options });
  server.tool('it', { input: z.object({ x: z.number().optional() }) }, (_args, ctx) => run(ctx));
  return server;
}

const accept = (content: object) => ({ action: 'accept', content });
const askName = async (ctx: Context) =>
  `Hello, ${(await ctx.elicit('who', { message: 'Name?', schema: nameForm })).name}!`;

describe('one question', () => {
  test('[MRTR-03] [MRTR-04] [MRTR-06] is asked with its key, method and params, and a state', async () => {
    const result = asking(await call(asker(askName), 'it'));
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        who: { method: 'elicitation/create', params: { mode: 'form', message: 'Name?', requestedSchema: nameForm } },
      },
      requestState: expect.any(String),
      _meta: { [MetaKey.serverInfo]: { name: 'test', version: '1.2.3' } },
    });
  });

  test('[MRTR-37] says nothing of caching', async () => {
    const server = quietServer();
    server.resource('a://1', { name: '1' }, async (_uri, ctx) => askName(ctx));
    const asked = asking(await server.exchange(requestOf('resources/read', { uri: 'a://1' }), recordingIO()));
    expect(asked).not.toHaveProperty('ttlMs');
    expect(asked).not.toHaveProperty('cacheScope');
    const retry = requestOf('resources/read', {
      uri: 'a://1',
      inputResponses: { who: accept({ name: 'Ann' }) },
      requestState: asked.requestState,
    });
    expect(await server.exchange(retry, recordingIO())).toMatchObject({
      contents: [{ text: 'Hello, Ann!' }],
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  test('[MRTR-34] its answer may reach another process', async () => {
    const asked = asking(await call(asker(askName), 'it'));
    const answered = await call(asker(askName), 'it', undefined, {
      inputResponses: { who: accept({ name: 'Ann' }) },
      requestState: asked.requestState,
    });
    expect(textOf(answered)).toBe('Hello, Ann!');
  });

  test('[MRTR-32] its answer is taken without a state too, beside others that nobody asked for', async () => {
    const inputResponses = { who: accept({ name: 'Ann' }), other: accept({ foo: 1 }), junk: 7 };
    expect(textOf(await call(asker(askName), 'it', undefined, { inputResponses }))).toBe('Hello, Ann!');
  });

  test.each([
    ['[MRTR-33] another key', { other: accept({ name: 'x' }) }],
    ['no key', {}],
    ['null for the answer', { who: null }],
    ['null for all', null],
    ['the name of an object member', { constructor: accept({ name: 'x' }) }],
  ])('%s: it is asked again', async (_, inputResponses) => {
    const server = asker(askName);
    const { requestState } = asking(await call(server, 'it'));
    asking(await call(server, 'it', undefined, { inputResponses, requestState }));
    asking(await call(server, 'it', undefined, { inputResponses }));
  });

  test('[MRTR-12] works for prompts', async () => {
    const server = quietServer();
    server.prompt('p', {}, async (_args, ctx) => askName(ctx));
    const asked = asking(await server.exchange(requestOf('prompts/get', { name: 'p' }), recordingIO()));
    const retry = requestOf('prompts/get', {
      name: 'p',
      inputResponses: { who: accept({ name: 'Ann' }) },
      requestState: asked.requestState,
    });
    expect(await server.exchange(retry, recordingIO())).toMatchObject({
      messages: [{ role: 'user', content: { text: 'Hello, Ann!' } }],
    });
  });

  test('under the name of an object member', async () => {
    const server = asker(async (ctx) =>
      String((await ctx.elicit('__proto__', { message: 'm', schema: nameForm })).name),
    );
    const { inputRequests, requestState } = asking(await call(server, 'it'));
    expect(Object.keys(inputRequests ?? {})).toEqual(['__proto__']);
    const inputResponses = JSON.parse('{"__proto__":{"action":"accept","content":{"name":"odd"}}}');
    expect(textOf(await call(server, 'it', undefined, { inputResponses, requestState }))).toBe('odd');
  });

  test('whatever the handler makes of it, it is asked', async () => {
    const swallowing = asker(async (ctx) => {
      try {
        return await askName(ctx);
      } catch {
        return 'swallowed';
      }
    });
    asking(await call(swallowing, 'it'));
    const other = asker(async (ctx) => {
      await askName(ctx).catch(() => {
        throw new Error('something else');
      });
      return 'unreached';
    });
    asking(await call(other, 'it'));
    expect(other.errors).toEqual([]);
  });

  test('one that nobody waits for is asked all the same, and breaks nothing', async () => {
    const rejections: unknown[] = [];
    const listener = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', listener);
    const server = asker((ctx) => {
      void ctx.elicit('a', { message: 'm', schema: nameForm });
      void ctx.step('s', () => Promise.reject(new Error('nobody listens')));
      return 'done';
    });
    asking(await call(server, 'it'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listener);
    expect(rejections).toEqual([]);
  });
});

describe('[MRTR-31] [I01] malformed answers never reach a handler', () => {
  const bad: [string, unknown][] = [
    ['a number', 12345],
    ['a list', [1]],
    ['an action that is none', { action: 'reject' }],
    ['no action', { content: { name: 'x' } }],
    ['content that is no object', { action: 'accept', content: 7 }],
    ['nested content', { action: 'accept', content: { name: { deep: 1 } } }],
    ['a list of numbers', { action: 'accept', content: { name: [1] } }],
    ['content that breaks the schema', { action: 'accept', content: { name: '' } }],
    ['content that lacks a field', { action: 'accept' }],
    ['the content without its envelope', { name: 'Ann' }],
  ];

  test.each(bad)('%s, with and without a state, and whatever the handler does about it', async (_, answer) => {
    for (const run of [askName, (ctx: Context) => askName(ctx).catch(() => 'swallowed')]) {
      const server = asker(run);
      const { requestState } = asking(await call(server, 'it'));
      const inputResponses = { who: answer };
      await expect(call(server, 'it', undefined, { inputResponses })).rejects.toMatchObject({ code: -32602 });
      await expect(call(server, 'it', undefined, { inputResponses, requestState })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('inputResponses["who"]'),
      });
    }
  });

  test('[I01] an accepted URL has no content', async () => {
    const server = asker(async (ctx) => {
      await ctx.elicitUrl('go', { message: 'm', url: 'https://example.com/x' });
      return 'went';
    });
    expect(textOf(await call(server, 'it', undefined, { inputResponses: { go: { action: 'accept' } } }))).toBe('went');
  });

  test('[I05] inputResponses that are a list are refused before all else', async () => {
    await expect(call(asker(askName), 'it', undefined, { inputResponses: [] })).rejects.toHaveProperty('code', -32602);
  });
});

describe('[ELIC-49] the user says no', () => {
  test.each([
    ['decline', 'The user declined the question "Name?"'],
    ['cancel', 'The user dismissed the question "Name?"'],
  ])('%s', async (action, message) => {
    const inputResponses = { who: { action, content: { name: 7 } } };
    expect(await call(asker(askName), 'it', undefined, { inputResponses })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: message }],
    });
    const server = asker((ctx) =>
      askName(ctx).catch((error: unknown) => `${error instanceof InputDeclinedError && error.action}`),
    );
    expect(textOf(await call(server, 'it', undefined, { inputResponses }))).toBe(action);
    expect(server.errors).toEqual([]);
  });

  test('prompts and resources answer with -32602', async () => {
    const server = quietServer();
    server.prompt('p', {}, async (_args, ctx) => askName(ctx));
    const request = requestOf('prompts/get', { name: 'p', inputResponses: { who: { action: 'decline' } } });
    await expect(server.exchange(request, recordingIO())).rejects.toMatchObject({ code: -32602, message: /declined/ });
    expect(server.errors).toEqual([]);
  });
});

describe('several questions', () => {
  const all = async (ctx: Context) => {
    const [who, greeting, roots] = await Promise.all([
      ctx.elicit('who', { message: 'Name?', schema: z.object({ name: z.string() }) }),
      ctx.sample('greeting', { messages: [{ role: 'user', content: { type: 'text', text: 'Greet' } }], maxTokens: 10 }),
      ctx.roots(),
    ]);
    expectTypeOf(who).toEqualTypeOf<{ name: string }>();
    return `${greeting.model} greets ${who.name} in ${roots.length}`;
  };
  const greeting = { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' };
  const roots = { roots: [{ uri: 'file:///x' }] };

  test('[MRTR-01] [MRTR-05] at once, of all three kinds', async () => {
    const server = asker(all);
    const { inputRequests, requestState } = asking(await call(server, 'it'));
    expect(inputRequests).toMatchObject({
      who: { method: 'elicitation/create' },
      greeting: { method: 'sampling/createMessage', params: { maxTokens: 10 } },
      roots: { method: 'roots/list' },
    });
    const inputResponses = { who: accept({ name: 'Ann' }), greeting, roots };
    expect(textOf(await call(server, 'it', undefined, { inputResponses, requestState }))).toBe('m greets Ann in 1');
  });

  test('answered one at a time: earlier answers ride in the state', async () => {
    const server = asker(all);
    let asked = asking(await call(server, 'it'));
    asked = asking(
      await call(server, 'it', undefined, { inputResponses: { roots }, requestState: asked.requestState }),
    );
    expect(Object.keys(asked.inputRequests ?? {})).toEqual(['who', 'greeting']);
    asked = asking(
      await call(server, 'it', undefined, {
        inputResponses: { who: accept({ name: 'Ann' }) },
        requestState: asked.requestState,
      }),
    );
    expect(Object.keys(asked.inputRequests ?? {})).toEqual(['greeting']);
    expect(
      textOf(await call(server, 'it', undefined, { inputResponses: { greeting }, requestState: asked.requestState })),
    ).toBe('m greets Ann in 1');
  });

  test('[MRTR-18] one after another, each round with a state of its own', async () => {
    const server = asker(async (ctx) => {
      const first = await ctx.elicit('step1', { message: '1', schema: nameForm });
      const second = await ctx.elicit('step2', { message: '2', schema: nameForm });
      return `${first.name} ${second.name}`;
    });
    const one = asking(await call(server, 'it'));
    const two = asking(
      await call(server, 'it', undefined, {
        inputResponses: { step1: accept({ name: 'a' }) },
        requestState: one.requestState,
      }),
    );
    expect(Object.keys(two.inputRequests ?? {})).toEqual(['step2']);
    expect(two.requestState).not.toBe(one.requestState);
    const done = await call(server, 'it', undefined, {
      inputResponses: { step2: accept({ name: 'b' }) },
      requestState: two.requestState,
    });
    expect(textOf(done)).toBe('a b');
  });

  test('an answer that a run does not come to read is kept for the next', async () => {
    let order = 0;
    const server = asker(async (ctx) => {
      if (order++ === 0) {
        await Promise.all([
          ctx.elicit('a', { message: 'a', schema: nameForm }),
          ctx.elicit('b', { message: 'b', schema: nameForm }),
          ctx.elicit('later', { message: 'later', schema: nameForm }),
        ]);
      }
      const c = await ctx.elicit('c', { message: 'c', schema: nameForm });
      const a = await ctx.elicit('a', { message: 'a', schema: nameForm });
      return `${a.name}${c.name}`;
    });
    const one = asking(await call(server, 'it'));
    const two = asking(
      await call(server, 'it', undefined, {
        inputResponses: { a: accept({ name: 'A' }), b: accept({ name: 'B' }), later: null },
        requestState: one.requestState,
      }),
    );
    expect(Object.keys(two.inputRequests ?? {})).toEqual(['c']);
    const done = await call(server, 'it', undefined, {
      inputResponses: { c: accept({ name: 'C' }) },
      requestState: two.requestState,
    });
    expect(textOf(done)).toBe('AC');
  });

  test('one key twice is an error of the handler', async () => {
    const server = asker(async (ctx) => {
      await askName(ctx);
      return askName(ctx);
    });
    const result = await call(server, 'it', undefined, { inputResponses: { who: accept({ name: 'Ann' }) } });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('"who" was used for a question before');
    expect(
      await call(
        asker(async (ctx) => void (await ctx.roots(''))),
        'it',
      ),
    ).toMatchObject({ isError: true });
  });
});

describe('[MRTR-07] [MRTR-08] what the client did not declare is never asked', () => {
  const cases: [string, (ctx: Context) => Promise<unknown>, ClientCapabilities, ClientCapabilities][] = [
    ['form', askName, {}, { elicitation: { form: {} } }],
    ['[ELIC-04] form, with URLs alone', askName, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    [
      '[ELIC-04] [T046] url',
      (ctx) => ctx.elicitUrl('k', { message: 'm', url: 'https://x.example/' }),
      { elicitation: {} },
      { elicitation: { url: {} } },
    ],
    ['sampling', (ctx) => ctx.sample('k', { messages: [], maxTokens: 1 }), {}, { sampling: {} }],
    [
      '[SAMP-03] tools',
      (ctx) => ctx.sample('k', { messages: [], maxTokens: 1, tools: [] }),
      { sampling: {} },
      { sampling: { tools: {} } },
    ],
    [
      '[SAMP-03] toolChoice',
      (ctx) => ctx.sample('k', { messages: [], maxTokens: 1, toolChoice: {} }),
      { sampling: {} },
      { sampling: { tools: {} } },
    ],
    [
      '[SAMP-04] context',
      (ctx) => ctx.sample('k', { messages: [], maxTokens: 1, includeContext: 'allServers' }),
      { sampling: {} },
      { sampling: { context: {} } },
    ],
    ['roots', (ctx) => ctx.roots(), {}, { roots: {} }],
  ];

  test.each(cases)('%s', async (_, ask, declared, requiredCapabilities) => {
    const server = asker(async (ctx) => void (await ask(ctx)));
    await expect(
      call(server, 'it', undefined, { meta: { [MetaKey.clientCapabilities]: declared } }),
    ).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities },
    });
  });

  test('a handler may do without', async () => {
    const server = asker(async (ctx) => {
      if (!ctx.can('form')) return ctx.sample('k', { messages: [], maxTokens: 1 }).then(() => 'sampled');
      return askName(ctx);
    });
    const asked = asking(
      await call(server, 'it', undefined, { meta: { [MetaKey.clientCapabilities]: { sampling: {} } } }),
    );
    expect(Object.values(asked.inputRequests ?? {}).map(({ method }) => method)).toEqual(['sampling/createMessage']);
    const catching = asker((ctx) => askName(ctx).catch(() => 'nobody'));
    expect(textOf(await call(catching, 'it', undefined, { meta: { [MetaKey.clientCapabilities]: {} } }))).toBe(
      'nobody',
    );
  });

  test('an answer that is there needs no capability any more', async () => {
    const server = asker(askName);
    const { requestState } = asking(await call(server, 'it'));
    const more = {
      inputResponses: { who: accept({ name: 'Ann' }) },
      requestState,
      meta: { [MetaKey.clientCapabilities]: {} },
    };
    expect(textOf(await call(server, 'it', undefined, more))).toBe('Hello, Ann!');
  });
});

describe('[MRTR-11] [T043] a state that does not hold is refused, never asked anew', () => {
  const retry = { inputResponses: { who: accept({ name: 'Ann' }) } };

  test('[I05] altered', async () => {
    const server = asker(askName);
    const { requestState } = asking(await call(server, 'it'));
    await expect(
      call(server, 'it', undefined, { ...retry, requestState: `${requestState}-TAMPERED` }),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(call(server, 'it', undefined, { requestState: '' })).rejects.toMatchObject({ code: -32602 });
  });

  test('[MRTR-14] expired', async () => {
    let now = 0;
    const server = asker(askName, { clock: () => now });
    const { requestState } = asking(await call(server, 'it'));
    now = 600_000;
    await expect(call(server, 'it', undefined, { ...retry, requestState })).rejects.toMatchObject({
      code: -32602,
      message: /expired/,
    });
  });

  test("[ELIC-41] [ELIC-45] [MRTR-13] another caller's", async () => {
    const server = asker(askName);
    const io = recordingIO({ principal: 'alice' });
    const { requestState } = asking(await call(server, 'it', undefined, { io }));
    for (const other of [recordingIO({ principal: 'bob' }), recordingIO({ principal: '' }), recordingIO()]) {
      await expect(call(server, 'it', undefined, { ...retry, requestState, io: other })).rejects.toMatchObject({
        code: -32602,
      });
    }
    expect(
      textOf(await call(server, 'it', undefined, { ...retry, requestState, io: recordingIO({ principal: 'alice' }) })),
    ).toBe('Hello, Ann!');
  });

  test("[MRTR-15] another request's", async () => {
    const server = asker(askName);
    server.tool('other', {}, (_args, ctx) => askName(ctx));
    server.prompt('it', {}, (_args, ctx) => askName(ctx));
    const { requestState } = asking(await call(server, 'it', { x: 1 }));
    await expect(call(server, 'it', { x: 2 }, { ...retry, requestState })).rejects.toMatchObject({ code: -32602 });
    await expect(call(server, 'other', { x: 1 }, { ...retry, requestState })).rejects.toMatchObject({ code: -32602 });
    // Another method, though it names the same and is given the same.
    const bare = asking(await call(server, 'it', {})).requestState;
    const prompt = requestOf('prompts/get', { name: 'it', arguments: {}, ...retry, requestState: bare });
    await expect(server.exchange(prompt, recordingIO())).rejects.toMatchObject({ code: -32602 });
    expect(textOf(await call(server, 'it', { x: 1 }, { ...retry, requestState }))).toBe('Hello, Ann!');
  });

  test('the same request may be spelled in another order of members', async () => {
    const server = quietServer();
    server.tool('two', { input: { type: 'object' } }, (_args, ctx) => askName(ctx));
    const { requestState } = asking(await call(server, 'two', { a: 1, b: { c: 1, d: 2 } }));
    expect(textOf(await call(server, 'two', { b: { d: 2, c: 1 }, a: 1 }, { ...retry, requestState }))).toBe(
      'Hello, Ann!',
    );
  });
});

describe('an answer counts only for the very question', () => {
  test('a form that asks something else is asked again, with a warning', async () => {
    let count = 3;
    const server = asker(async (ctx) => {
      await ctx.elicit('sure', { message: `Delete ${count} files?`, schema: { type: 'object', properties: {} } });
      return `deleted ${count}`;
    });
    const asked = asking(await call(server, 'it'));
    count = 300;
    const again = asking(
      await call(server, 'it', undefined, { inputResponses: { sure: accept({}) }, requestState: asked.requestState }),
    );
    expect(again.inputRequests?.sure?.params).toMatchObject({ message: 'Delete 300 files?' });
    expect(server.warnings[0]).toContain('QUESTION_CHANGED');
    const done = await call(server, 'it', undefined, {
      inputResponses: { sure: accept({}) },
      requestState: again.requestState,
    });
    expect(textOf(done)).toBe('deleted 300');
  });

  test('an earlier answer to something else is dropped', async () => {
    let price = 10;
    const server = asker(async (ctx) => {
      await ctx.elicit('price', { message: `Pay ${price}?`, schema: { type: 'object', properties: {} } });
      await ctx.elicit('sure', { message: 'Sure?', schema: { type: 'object', properties: {} } });
      return `paid ${price}`;
    });
    const one = asking(await call(server, 'it'));
    const two = asking(
      await call(server, 'it', undefined, { inputResponses: { price: accept({}) }, requestState: one.requestState }),
    );
    price = 20;
    const three = asking(
      await call(server, 'it', undefined, { inputResponses: { sure: accept({}) }, requestState: two.requestState }),
    );
    expect(Object.keys(three.inputRequests ?? {})).toEqual(['price']);
  });

  test('the address of a URL may vary', async () => {
    let nonce = 0;
    const server = asker(async (ctx) => {
      await ctx.elicitUrl('login', { message: 'Log in', url: `https://x.example/?nonce=${nonce++}` });
      return 'in';
    });
    const { requestState } = asking(await call(server, 'it'));
    expect(
      textOf(await call(server, 'it', undefined, { inputResponses: { login: { action: 'accept' } }, requestState })),
    ).toBe('in');
  });
});

describe('ctx.step', () => {
  test('does its work once over all runs', async () => {
    let runs = 0;
    const server = asker(async (ctx) => {
      const offer = await ctx.step('offer', () => ({ number: ++runs }));
      await ctx.step('none', () => undefined);
      await askName(ctx);
      const none = await ctx.step('none', () => 'again');
      await ctx.elicit('more', { message: 'more', schema: nameForm });
      return `${offer.number} ${none}`;
    });
    const one = asking(await call(server, 'it'));
    const two = asking(
      await call(server, 'it', undefined, {
        inputResponses: { who: accept({ name: 'a' }) },
        requestState: one.requestState,
      }),
    );
    const done = await call(server, 'it', undefined, {
      inputResponses: { more: accept({ name: 'b' }) },
      requestState: two.requestState,
    });
    expect(textOf(done)).toBe('1 undefined');
    expect(runs).toBe(1);
  });

  test('called twice at once it runs once; what it throws is not kept', async () => {
    let runs = 0;
    const server = asker(async (ctx) => {
      const work = () => {
        if (++runs === 1) throw new Error('not yet');
        return runs;
      };
      const [first, second] = await Promise.allSettled([ctx.step('s', work), ctx.step('s', work)]);
      if (first.status === 'rejected') {
        await askName(ctx);
        return 'unreached';
      }
      return `${first.value} ${second.status === 'fulfilled' && second.value}`;
    });
    const { requestState } = asking(await call(server, 'it'));
    expect(textOf(await call(server, 'it', undefined, { requestState }))).toBe('2 2');
  });
});

describe('[MRTR-19] by hand', () => {
  const request = {
    method: 'elicitation/create',
    params: { message: 'ok?', requestedSchema: { type: 'object', properties: {} } },
  } as const;

  test('questions and a state, which comes back', async () => {
    const server = asker((ctx) => {
      if (ctx.state === undefined)
        return inputRequired({ requests: { confirm: request }, state: { step: 1, odd: [null] } });
      return JSON.stringify([ctx.state, ctx.inputResponses]);
    });
    const asked = asking(await call(server, 'it'));
    expect(asked.inputRequests).toEqual({ confirm: request });
    expect(asked.requestState).not.toContain('odd');
    const inputResponses = { confirm: accept({}), unasked: accept({}) };
    expect(textOf(await call(server, 'it', undefined, { inputResponses, requestState: asked.requestState }))).toBe(
      JSON.stringify([{ step: 1, odd: [null] }, { confirm: accept({}) }]),
    );
  });

  test('a state alone', async () => {
    const server = asker((ctx) => (ctx.state === 'later' ? 'now' : inputRequired({ state: 'later' })));
    const asked = asking(await call(server, 'it'));
    expect(asked).not.toHaveProperty('inputRequests');
    expect(textOf(await call(server, 'it', undefined, { requestState: asked.requestState }))).toBe('now');
  });

  test('written out as the protocol has it', async () => {
    const server = asker((ctx): InputRequiredResult | string =>
      ctx.state === 's'
        ? 'now'
        : { resultType: 'input_required', inputRequests: { confirm: request }, requestState: 's' },
    );
    const asked = asking(await call(server, 'it'));
    expect(asked.requestState).not.toBe('s');
    expect(textOf(await call(server, 'it', undefined, { requestState: asked.requestState }))).toBe('now');
  });

  test('beside questions of the context', async () => {
    const server = asker((ctx) => {
      void ctx.elicit('who', { message: 'Name?', schema: nameForm });
      return inputRequired({ requests: { confirm: request } });
    });
    expect(Object.keys(asking(await call(server, 'it')).inputRequests ?? {}).sort()).toEqual(['confirm', 'who']);
  });

  test('[MRTR-07] is gated too, whatever else was asked', async () => {
    const roots = { method: 'roots/list' } as const;
    const server = asker(() => inputRequired({ requests: { confirm: request, roots } }));
    await expect(
      call(server, 'it', undefined, { meta: { [MetaKey.clientCapabilities]: { elicitation: {} } } }),
    ).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { roots: {} } },
    });
  });

  test('[MRTR-30] malformed answers', async () => {
    const server = asker((ctx) =>
      Object.keys(ctx.inputResponses).length > 0 ? 'got it' : inputRequired({ requests: { confirm: request } }),
    );
    const { requestState } = asking(await call(server, 'it'));
    await expect(
      call(server, 'it', undefined, { inputResponses: { confirm: { action: 'reject' } }, requestState }),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(call(server, 'it', undefined, { inputResponses: { confirm: 7 } })).rejects.toMatchObject({
      code: -32602,
    });
    for (const confirm of [[], 'x']) {
      await expect(call(server, 'it', undefined, { inputResponses: { confirm } })).rejects.toMatchObject({
        code: -32602,
      });
    }
    for (const inputResponses of [{ confirm: null }, {}, undefined]) {
      asking(await call(server, 'it', undefined, { inputResponses, requestState }));
    }
    expect(textOf(await call(server, 'it', undefined, { inputResponses: { confirm: accept({}) } }))).toBe('got it');
  });

  test('nothing at all is the fault of the server', async () => {
    const server = asker(() => inputRequired({}));
    await expect(call(server, 'it')).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
    expect(String(server.errors[0])).toContain('requests, state, or both');
  });
});

test('[I05] a state that would be too long is the fault of the server', async () => {
  const server = asker(
    async (ctx) => {
      await ctx.step('big', () => 'x'.repeat(2000));
      return askName(ctx);
    },
    { requestState: { keys: [{ id: 'k', secret: 'x'.repeat(32) }], maxLength: 1000 } },
  );
  await expect(call(server, 'it')).rejects.toMatchObject({ code: -32603, message: /over the limit of 1000/ });
});

test('[ELIC-05] a question without a message is an error of the handler', async () => {
  for (const message of ['', undefined as unknown as string]) {
    const form = asker(async (ctx) => void (await ctx.elicit('k', { message, schema: nameForm })));
    const url = asker((ctx) => ctx.elicitUrl('k', { message, url: 'https://x.example/' }));
    for (const server of [form, url]) expect(textOf(await call(server, 'it'))).toContain('needs a message');
  }
});

test('[ELIC-07] a schema that is no form, and [ELIC-20] an address that is none, are errors of the handler', async () => {
  const nested = asker(
    async (ctx) =>
      void (await ctx.elicit('k', { message: 'm', schema: { type: 'object', properties: { a: { type: 'object' } } } })),
  );
  expect(textOf(await call(nested, 'it'))).toContain('field "a"');
  for (const url of ['nowhere', 'javascript:alert(1)', 'file:///etc/passwd', 'https://me:secret@x.example/']) {
    const server = asker((ctx) => ctx.elicitUrl('k', { message: 'm', url }).then(() => 'x'));
    expect(await call(server, 'it')).toMatchObject({ isError: true });
  }
});

describe('nesting without end', () => {
  const nested = (depth: number): unknown => {
    let value: unknown = 1;
    for (let at = 0; at < depth; at++) value = [value];
    return value;
  };
  const deepServer = (run: (ctx: Context) => ToolOutput | Promise<ToolOutput>) => {
    const server = quietServer({ requestState: { keys: [{ id: 'k', secret: 'x'.repeat(32) }] } });
    server.tool('it', { input: { type: 'object' } }, (_args, ctx) => run(ctx));
    return server;
  };

  test('in the arguments is the error of the client, whether it asks or is asked', async () => {
    const server = deepServer(askName);
    const args = { x: nested(50_000) };
    const refused = { code: -32602, message: 'Invalid params: params.arguments nests too deeply to be kept' };
    await expect(call(server, 'it', args)).rejects.toMatchObject(refused);
    await expect(call(server, 'it', args, { requestState: '1.k.AAAA' })).rejects.toMatchObject(refused);
    expect(server.errors).toEqual([]);
  });

  test('in an answer that has to be kept is the error of the client too', async () => {
    const server = deepServer(async (ctx) => {
      await Promise.all([ctx.sample('model', { messages: [], maxTokens: 1 }), ctx.roots()]);
      return 'done';
    });
    const content = { type: 'text', text: 'x', deep: nested(50_000) };
    const inputResponses = { model: { role: 'user', model: 'm', content } };
    await expect(call(server, 'it', {}, { inputResponses })).rejects.toMatchObject({
      code: -32602,
      message: 'Invalid params: an answer in params.inputResponses nests too deeply to be kept',
    });
    expect(server.errors).toEqual([]);
  });
});

import type { CompleteResult } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import type { Completer, CompletionContext } from '../completion.ts';
import { quietServer, recordingIO, requestOf } from '../testing.ts';

type TestServer = ReturnType<typeof quietServer>;

async function ask(server: TestServer, ref: object, value = '', name = 'city', more: object = {}) {
  const request = requestOf('completion/complete', { ref, argument: { name, value }, ...more });
  return (await server.exchange(request, recordingIO({ principal: 'alice' }))) as CompleteResult;
}

const prompt = { type: 'ref/prompt', name: 'p' };

function completing(city: Completer) {
  const server = quietServer();
  server.prompt('p', { arguments: [{ name: 'city' }, { name: 'plain' }], complete: { city } }, () => 'x');
  return server;
}

const cities = ['Paris', 'Lille', 'New Paris', 'paris-plage'];

describe('a list of all values', () => {
  test.each([
    ['', cities],
    ['pa', ['Paris', 'paris-plage', 'New Paris']],
    ['LILLE', ['Lille']],
    ['x', []],
  ])('[COMP-05] %j: those that begin with it, then those that contain it', async (typed, values) => {
    expect((await ask(completing(cities), prompt, typed)).completion).toEqual({
      values,
      total: values.length,
      hasMore: false,
    });
  });

  test('[COMP-04] at most 100', async () => {
    const many = Array.from({ length: 250 }, (_, at) => `v${at}`);
    expect((await ask(completing(many), prompt)).completion).toEqual({
      values: many.slice(0, 100),
      total: 250,
      hasMore: true,
    });
  });
});

describe('a function', () => {
  test('[COMP-02] knows what is typed, what is settled and who asks', async () => {
    let seen: [string, CompletionContext] | undefined;
    const server = completing((typed, context) => {
      seen = [typed, context];
      return [];
    });
    await ask(server, prompt, 'x', 'city', { context: { arguments: { plain: 'y' } } });
    expect(seen?.[0]).toBe('x');
    expect(seen?.[1]).toMatchObject({
      arguments: { plain: 'y' },
      auth: { principal: 'alice' },
      signal: { aborted: false },
    });
    await ask(server, prompt, 'x', 'city', { context: null });
    expect(seen?.[1].arguments).toEqual({});
  });

  test.each<[Awaited<ReturnType<Extract<Completer, (...args: never[]) => unknown>>>, object]>([
    [{ values: ['a'] }, { values: ['a'] }],
    [
      { values: ['a'], total: 9 },
      { values: ['a'], total: 9, hasMore: true },
    ],
    [
      { values: ['a'], total: 1 },
      { values: ['a'], total: 1, hasMore: false },
    ],
    [
      { values: ['a'], hasMore: true },
      { values: ['a'], hasMore: true },
    ],
    [{ values: Array<string>(101).fill('a') }, { values: Array<string>(100).fill('a'), hasMore: true }],
  ])('[COMP-04] may say how many there are', async (answer, completion) => {
    expect(
      (
        await ask(
          completing(async () => answer),
          prompt,
        )
      ).completion,
    ).toEqual(completion);
  });

  test.each([7, [7], { values: 'x' }, null])(
    '[COMP-06] what is no list of text, such as %j, is the fault of the server',
    async (answer) => {
      const server = completing(() => answer as unknown as string[]);
      await expect(ask(server, prompt)).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
      expect(server.errors).toHaveLength(1);
    },
  );
});

test('[COMP-12] says nothing of caching', async () => {
  const result = await ask(completing(cities), prompt);
  expect(Object.keys(result)).toEqual(['resultType', 'completion', '_meta']);
});

test('an argument without a completer has no values', async () => {
  expect((await ask(completing(cities), prompt, '', 'plain')).completion).toEqual({ values: [] });
});

describe('[COMP-06] [COMP-08] what is not there', () => {
  test.each([
    ['an unknown prompt', { type: 'ref/prompt', name: 'other' }, 'city'],
    ['an unknown argument', prompt, 'constructor'],
    ['an unknown resource', { type: 'ref/resource', uri: 'b://{x}' }, 'x'],
  ])('%s', async (_, ref, name) => {
    await expect(ask(completing(cities), ref, '', name)).rejects.toHaveProperty('code', -32602);
  });

  test('without any completer the method does not exist', async () => {
    const server = quietServer();
    const handle = server.prompt('p', { arguments: [{ name: 'city' }] }, () => 'x');
    expect(server.capabilities).not.toHaveProperty('completions');
    await expect(ask(server, prompt)).rejects.toHaveProperty('code', -32601);
    handle.update({ complete: { city: cities } });
    expect(server.capabilities).toHaveProperty('completions');
    expect((await ask(server, prompt)).completion.values).toEqual(cities);
  });
});

test('[COMP-11] templates by their own text, or by a URI that they match', async () => {
  const server = quietServer();
  server.resourceTemplate('w://{city}/{day}', { name: 'w', complete: { city: cities } }, () => 'x');
  server.resource('x://1', { name: '1' }, () => 'x');
  expect((await ask(server, { type: 'ref/resource', uri: 'w://{city}/{day}' }, 'li')).completion.values).toEqual([
    'Lille',
  ]);
  expect((await ask(server, { type: 'ref/resource', uri: 'w://Lil/monday' }, 'li')).completion.values).toEqual([
    'Lille',
  ]);
  await expect(ask(server, { type: 'ref/resource', uri: 'x://1' })).rejects.toMatchObject({
    code: -32602,
    message: /has no argument "city"/,
  });
});

import { type ClientCapabilities, DragomanError, type ElicitResult, type Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { ask, failureOf, form, message, roots, sampling, setUp, url } from '../../test/support/asking-server.ts';
import { settled } from '../../test/support/manual-clock.ts';
import { text } from '../../test/support/scripted-wire.ts';
import type { InputContext, InputHandlers } from '../input/handlers.ts';

describe('who answers', () => {
  test('is told what it is about', async () => {
    const contexts: InputContext[] = [];
    const { call } = setUp([ask({ who: form() }), ask({ r: roots }), text('done')], {
      elicitForm: (params, context) => {
        contexts.push(context);
        expect(params.message).toBe('Who?');
        return { action: 'decline' };
      },
      roots: (context) => {
        contexts.push(context);
        return [{ uri: 'file:///a', name: 'a' }];
      },
    });
    await call();
    expect(contexts).toMatchObject([
      { key: 'who', method: 'tools/call', name: 'book', round: 1, server: 'http://scripted.test/mcp' },
      { key: 'r', method: 'tools/call', name: 'book', round: 2, server: 'http://scripted.test/mcp' },
    ]);
  });

  test('what the call names is told, whichever it is, and nothing where it names nothing', async () => {
    const names: unknown[] = [];
    const { client } = setUp(
      [ask({ r: roots }), text('a'), ask({ r: roots }), text('b'), ask({ r: roots }), text('c')],
      {
        roots: (context) => {
          names.push(context.name);
          return [];
        },
      },
    );
    await client.request('prompts/get', { name: 'greet' });
    await client.request('resources/read', { uri: 'x:y' });
    await client.request('tools/call', { name: 7 } as never);
    expect(names).toEqual(['greet', 'x:y', undefined]);
  });

  test('[ELIC-26] knows the server by what it says of itself, where it did', async () => {
    const result = { ...text('hi'), _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } } };
    let info: unknown;
    const { client } = setUp([result, ask({ r: roots }), text('done')], {
      roots: ({ serverInfo, name }) => {
        info = [serverInfo?.name, name];
        return [];
      },
    });
    await client.callTool('x');
    await client.readResource('x:y');
    expect(info).toEqual(['s', 'x:y']);
  });

  test('[HOST-08][P41][ELIC-01][ELIC-02][SAMP-01][ROOT-01] declares what it can answer, and nothing else', async () => {
    const declared = async (handlers: InputHandlers, capabilities?: ClientCapabilities) => {
      const { call, wire } = setUp([text('done')], handlers, capabilities === undefined ? {} : { capabilities });
      await call();
      return wire.seen[0]?.meta['io.modelcontextprotocol/clientCapabilities'];
    };
    const decline = (): ElicitResult => ({ action: 'decline' });
    expect(await declared({})).toEqual({});
    expect(await declared({ elicitForm: decline })).toEqual({ elicitation: { form: {} } });
    expect(await declared({ elicitUrl: decline })).toEqual({ elicitation: { url: {} } });
    expect(await declared({ elicitForm: decline, elicitUrl: decline })).toEqual({ elicitation: { form: {}, url: {} } });
    expect(await declared({ sample: () => message })).toEqual({ sampling: {} });
    expect(await declared({ sample: () => message }, { sampling: { tools: {} } })).toEqual({ sampling: { tools: {} } });
    expect(await declared({ roots: [] })).toEqual({ roots: {} });
    expect(await declared({}, { elicitation: {}, extensions: { 'a/b': {} } })).toEqual({
      elicitation: {},
      extensions: { 'a/b': {} },
    });
  });

  test('elicitations take turns in the order of the keys, everything else is done meanwhile', async () => {
    const log: string[] = [];
    const step = (what: string) => async () => {
      log.push(`${what} begins`);
      await settled();
      log.push(`${what} ends`);
    };
    const { call, wire } = setUp([ask({ b: form(), a: url, s: sampling(), r: roots }), text('done')], {
      elicitForm: async () => {
        await step('form')();
        return { action: 'cancel' };
      },
      elicitUrl: async () => {
        await step('url')();
        return { action: 'accept' };
      },
      sample: async () => {
        await step('sampling')();
        return message;
      },
      roots: async () => {
        await step('roots')();
        return [];
      },
    });
    await call();
    expect(log.indexOf('url begins')).toBeGreaterThan(log.indexOf('form ends'));
    expect(log.indexOf('sampling begins')).toBeLessThan(log.indexOf('form ends'));
    expect(log.indexOf('roots begins')).toBeLessThan(log.indexOf('sampling ends'));
    expect(wire.seen[1]?.params.inputResponses).toEqual({
      b: { action: 'cancel' },
      a: { action: 'accept' },
      s: message,
      r: { roots: [] },
    });
  });

  test('one that throws ends the call with what it threw, and tells the others to stop', async () => {
    const why = new Error('no model');
    let signal: AbortSignal | undefined;
    let asked = 0;
    const { call, wire } = setUp([ask({ s: sampling(), f: form(), g: form() }), text('done')], {
      sample: async () => {
        await settled();
        await settled();
        throw why;
      },
      elicitForm: (_params, context) => {
        asked++;
        signal = context.signal;
        return new Promise((resolve) => context.signal.addEventListener('abort', () => resolve({ action: 'cancel' })));
      },
    });
    expect(await failureOf(call())).toBe(why);
    await settled();
    expect(signal?.reason).toBe(why);
    expect(asked).toBe(1);
    expect(wire.methods).toHaveLength(1);
  });

  test('stops when the caller gives up', async () => {
    const controller = new AbortController();
    let signal: AbortSignal | undefined;
    const { call, wire } = setUp([ask({ r: roots })], {
      roots: (context) => {
        signal = context.signal;
        return new Promise(() => {});
      },
    });
    const failure = failureOf(call({ signal: controller.signal }));
    await settled();
    controller.abort();
    expect(await failure).toMatchObject({ code: 'ABORTED' });
    expect(signal?.aborted).toBe(true);
    expect(wire.methods).toHaveLength(1);
  });

  test.each(Array.from({ length: 12 }, (_, ticks) => ticks))(
    'gives up at any moment: %i ticks after the question',
    async (ticks) => {
      const controller = new AbortController();
      const asking = async (): Promise<Result> => {
        void (async () => {
          for (let tick = 0; tick < ticks; tick++) await undefined;
          controller.abort();
        })();
        return ask({ r: roots });
      };
      const { call, wire } = setUp([asking, text('done')], { roots: () => new Promise(() => {}) });
      expect(await failureOf(call({ signal: controller.signal }))).toMatchObject({ code: 'ABORTED' });
      expect(wire.methods).toHaveLength(1);
    },
  );

  test('is not asked for a caller who gave up already', async () => {
    const controller = new AbortController();
    let asked = false;
    const { call } = setUp(
      [
        () => {
          queueMicrotask(() => controller.abort());
          return ask({ r: roots });
        },
      ],
      {
        roots: () => {
          asked = true;
          return [];
        },
      },
    );
    expect(await failureOf(call({ signal: controller.signal }))).toMatchObject({ code: 'ABORTED' });
    expect(asked).toBe(false);
  });
});

describe('nobody answers', () => {
  test.each([
    ['[ELIC-06] a form', form(), 'handlers.elicitForm', {}],
    ['a form by name', form(undefined, 'form'), 'handlers.elicitForm', {}],
    ['[T046] a URL', url, 'handlers.elicitUrl', { elicitForm: () => ({ action: 'decline' as const }) }],
    ['sampling', sampling(), 'handlers.sample', {}],
    ['[SAMP-02] sampling with tools', sampling({ tools: [] }), 'sampling.tools', { sample: () => message }],
    [
      '[SAMP-02] sampling with a choice of tools',
      sampling({ toolChoice: {} }),
      'sampling.tools',
      { sample: () => message },
    ],
    ['roots', roots, 'handlers.roots', {}],
    [
      'an unknown mode',
      form(undefined, 'voice'),
      'does not know',
      { elicitForm: () => ({ action: 'decline' as const }) },
    ],
    ['an unknown method', { method: 'acme/ask', params: {} }, '"acme/ask"', {}],
  ])('%s: the error says how to, and holds what is needed to go on', async (_name, question, words, handlers) => {
    const { call, wire } = setUp([ask({ k: question }, 'state')], handlers as InputHandlers);
    const error = await failureOf(call({ meta: { 'com.example/m': 1 } }));
    expect(error).toMatchObject({
      code: 'INPUT_REQUIRED',
      details: {
        continuation: {
          method: 'tools/call',
          params: { name: 'book', arguments: { city: 'Rome' }, _meta: { 'com.example/m': 1 } },
          requestState: 'state',
          inputRequests: { k: question },
          server: wire.identity,
        },
      },
    });
    expect(error.message).toContain(words);
    expect(error.message).toContain('"k"');
    expect(JSON.parse(JSON.stringify(error.details))).toEqual(error.details);
    expect(wire.methods).toHaveLength(1);
  });

  test('nobody is bothered with one question when another has no answer', async () => {
    let asked = false;
    const { call } = setUp([ask({ r: roots, f: form(), u: url })], {
      roots: () => {
        asked = true;
        return [];
      },
    });
    const error = await failureOf(call());
    expect(error.message).toMatch(/"f" asks for a form.*"u" asks to open a URL/);
    expect(asked).toBe(false);
  });

  test('a handler that has no answer says so, and the call can be gone on with', async () => {
    const why = new DragomanError('INPUT_REQUIRED', 'no answer was given', { details: { keys: ['k'] } });
    const { call, wire } = setUp([ask({ k: roots }, 'state')], {
      roots: () => {
        throw why;
      },
    });
    const error = await failureOf(call());
    expect(error).toMatchObject({
      code: 'INPUT_REQUIRED',
      message: 'no answer was given',
      cause: why,
      details: {
        keys: ['k'],
        continuation: { requestState: 'state', inputRequests: { k: roots }, server: wire.identity },
      },
    });
  });

  test('any other error of a handler is handed on as it is', async () => {
    const why = new DragomanError('REFUSED', 'by policy');
    const { call } = setUp([ask({ k: roots })], {
      roots: () => {
        throw why;
      },
    });
    expect(await failureOf(call())).toBe(why);
  });

  test('[SAMP-02] sampling with tools is answered where that was declared', async () => {
    const { call } = setUp(
      [ask({ s: sampling({ tools: [], toolChoice: null }) }), text('done')],
      { sample: () => message },
      { capabilities: { sampling: { tools: {} } } },
    );
    expect(await call()).toEqual(text('done'));
  });
});

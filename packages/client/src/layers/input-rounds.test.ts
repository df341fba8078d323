import {
  type ClientCapabilities,
  DragomanError,
  type ElicitResult,
  type InputRequests,
  type JsonObject,
  type Result,
} from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { settled } from '../../test/support/manual-clock.ts';
import { type Answering, ScriptedWire, text } from '../../test/support/scripted-wire.ts';
import { Client } from '../client.ts';
import type { Warning } from '../events.ts';
import { type Continuation, isInputRequired } from '../input/continuation.ts';
import { acceptDefaults } from '../input/form.ts';
import type { InputContext, InputHandlers } from '../input/handlers.ts';
import type { CallOptions, ClientOptions } from '../options.ts';
import type { RoundReport } from './input-rounds.ts';

const ask = (inputRequests?: unknown, requestState?: unknown, more?: JsonObject): Result => ({
  resultType: 'input_required',
  ...(inputRequests === undefined ? undefined : { inputRequests }),
  ...(requestState === undefined ? undefined : { requestState }),
  ...more,
});

const form = (schema: unknown = { type: 'object', properties: { name: { type: 'string' } } }, mode?: string) => ({
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: schema, ...(mode === undefined ? undefined : { mode }) },
});
const url = { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'https://a.test/x' } };
const sampling = (params?: JsonObject) => ({
  method: 'sampling/createMessage',
  params: { messages: [], maxTokens: 5, ...params },
});
const roots = { method: 'roots/list' };
const message = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } } as const;

/** A server that gives one answer after another, the last again and again. */
function setUp(answers: (Result | Answering)[], handlers: InputHandlers = {}, options?: ClientOptions) {
  const warnings: Warning[] = [];
  const wire = new ScriptedWire((request, io) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return typeof answer === 'function' ? answer(request, io) : (answer as Result);
  });
  const client = new Client(wire, {
    era: 'modern',
    handlers,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  return { wire, client, warnings, call: (more?: CallOptions) => client.callTool('book', { city: 'Rome' }, more) };
}

const failureOf = (call: Promise<unknown>): Promise<DragomanError> =>
  call.then(
    () => {
      throw new Error('it did not fail');
    },
    (reason: unknown) => reason as DragomanError,
  );

const accept = (content: ElicitResult['content']): ElicitResult => ({ action: 'accept', content });

describe('resultType', () => {
  test('[RT-05][T035][I03] that is missing reads as complete, with one warning', async () => {
    for (const answer of [{ content: [] }, { resultType: null as unknown as string, content: [] }]) {
      const { call, warnings, wire } = setUp([answer]);
      expect(await call()).toEqual(answer);
      await call();
      expect(warnings.map(({ kind }) => kind)).toEqual(['result-type']);
      expect(wire.methods).toHaveLength(2);
    }
  });

  test('[MRTR-26] a result without it is never a question', async () => {
    const { call, wire } = setUp([{ content: [], inputRequests: { a: form() }, requestState: 's' }]);
    await call();
    expect(wire.methods).toHaveLength(1);
  });

  test.each(['x', 'Complete', '', 7])('[RT-04][I03] %j is an error', async (resultType) => {
    const { call } = setUp([{ resultType: resultType as string, content: [] }]);
    expect(await failureOf(call())).toMatchObject({ code: 'PROTOCOL_VIOLATION', details: { resultType } });
  });

  test('[RT-03] of an extension that was declared is handed on', async () => {
    const task: Result = { resultType: 'task', taskId: 't' };
    const extensions = { 'io.modelcontextprotocol/tasks': {} };
    expect(await setUp([task], {}, { capabilities: { extensions } }).call()).toEqual(task);
    expect(await setUp([{ resultType: 'own' }], {}, { resultTypes: ['own'] }).call()).toEqual({ resultType: 'own' });
    expect(await failureOf(setUp([task]).call())).toMatchObject({ code: 'PROTOCOL_VIOLATION' });
  });

  test.each(['tools/list', 'completion/complete', 'server/discover', 'tasks/get', 'acme/thing'])(
    '[MRTR-38] input_required in answer to %s is an error',
    async (method) => {
      const { client, wire } = setUp([ask({ a: roots })], { roots: [] });
      expect(await failureOf(client.request(method, {}))).toMatchObject({ code: 'PROTOCOL_VIOLATION' });
      expect(wire.methods).toHaveLength(1);
    },
  );

  test.each([
    ['nothing at all', ask()],
    ['nulls', ask(null, null)],
    ['questions in an array', ask([form()])],
    ['a state that is no string', ask(undefined, 7)],
    ['a question without a method', ask({ a: {} })],
    ['a question that is null', ask({ a: null })],
    ['a question whose params are an array', ask({ a: { method: 'roots/list', params: [] } })],
    ['[SAMP-05] sampling without messages', ask({ a: { method: 'sampling/createMessage', params: { maxTokens: 1 } } })],
    ['[SAMP-05] sampling without params', ask({ a: { method: 'sampling/createMessage' } })],
  ])('[MRTR-03][MRTR-04] with %s cannot be answered', async (_name, answer) => {
    const { call, wire } = setUp([answer], {
      roots: [],
      sample: () => message,
      elicitForm: () => ({ action: 'decline' }),
    });
    expect(await failureOf(call())).toMatchObject({ code: 'PROTOCOL_VIOLATION' });
    expect(wire.methods).toHaveLength(1);
  });
});

describe('a round', () => {
  test('[MRTR-20][MRTR-22][MRTR-26][MRTR-28][MRTR-29] answers by the same keys, echoes the state, and sends the same call', async () => {
    const state = ' päck=\u0000"\\ ';
    const { call, wire } = setUp([ask({ who: form() }, state), text('done')], {
      elicitForm: () => accept({ name: 'Ada' }),
    });
    expect(await call()).toEqual(text('done'));
    expect(wire.seen.map(({ params }) => params)).toEqual([
      { name: 'book', arguments: { city: 'Rome' } },
      {
        name: 'book',
        arguments: { city: 'Rome' },
        inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
        requestState: state,
      },
    ]);
  });

  test('[T039][PROG-02] is a full request with a progress token of its own', async () => {
    const { call, wire } = setUp([ask({ r: roots }), text('done')], { roots: [] });
    await call({ meta: { 'com.example/mine': 1 }, logLevel: 'debug' });
    const [first, second] = wire.seen.map(({ meta }) => meta) as [JsonObject, JsonObject];
    expect(second).toEqual({ ...first, progressToken: 2 });
    expect(first.progressToken).toBe(1);
    expect(first).toMatchObject({
      'com.example/mine': 1,
      'io.modelcontextprotocol/logLevel': 'debug',
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    });
  });

  test('[MRTR-23][T040][T041] sends neither an old state nor old answers', async () => {
    const { call, wire } = setUp([ask({ a: roots }, 'one'), ask({ b: roots }), ask(undefined, 'three'), text('done')], {
      roots: [],
    });
    await call();
    expect(
      wire.seen.slice(1).map(({ params: { inputResponses, requestState } }) => [inputResponses, requestState]),
    ).toEqual([
      [{ a: { roots: [] } }, 'one'],
      [{ b: { roots: [] } }, undefined],
      [undefined, 'three'],
    ]);
    expect('requestState' in (wire.seen[2]?.params ?? {})).toBe(false);
    expect('inputResponses' in (wire.seen[3]?.params ?? {})).toBe(false);
  });

  test('[MRTR-27] leaks nothing into a call beside it', async () => {
    const { client, wire } = setUp(
      [
        ({ params }) =>
          params.name === 'a' && params.requestState === undefined ? ask({ r: roots }, 'mine') : text('done'),
      ],
      { roots: [] },
    );
    await Promise.all([client.callTool('a'), client.callTool('b'), client.getPrompt('a')]);
    for (const { method, params } of wire.seen) {
      if (method === 'tools/call' && params.name === 'b') expect(params).toEqual({ name: 'b' });
    }
    expect(wire.methods.filter((method) => method === 'tools/call')).toHaveLength(3);
  });

  test.each(['prompts/get', 'resources/read'])('[MRTR-02] goes with %s too', async (method) => {
    const { client, wire } = setUp([ask({ r: roots }), { resultType: 'complete', messages: [], contents: [] }], {
      roots: [],
    });
    if (method === 'prompts/get') await client.getPrompt('p', { a: 'b' });
    else await client.readResource('x:y');
    expect(wire.methods).toEqual([method, method]);
    expect(wire.seen[1]?.params).toMatchObject({ inputResponses: { r: { roots: [] } } });
  });

  test('[MRTR-05] a key may be any string, __proto__ too', async () => {
    const requests = JSON.parse('{"__proto__":{"method":"roots/list"},"":{"method":"roots/list"}}') as InputRequests;
    const { call, wire } = setUp([ask(requests), text('done')], { roots: [] });
    await call();
    const given = wire.seen[1]?.params.inputResponses as object;
    expect(Object.keys(given)).toEqual(['__proto__', '']);
  });

  test('answers that the caller gave by hand are not sent again', async () => {
    const { call, wire } = setUp([ask({ r: roots }), text('done')], { roots: [] });
    await call({ inputResponses: { old: { roots: [] } }, requestState: 'old' });
    expect(wire.seen[0]?.params).toMatchObject({ inputResponses: { old: { roots: [] } }, requestState: 'old' });
    expect(wire.seen[1]?.params).toEqual({
      name: 'book',
      arguments: { city: 'Rome' },
      inputResponses: { r: { roots: [] } },
    });
  });

  test('[MRTR-27] is reported, with kinds and outcomes and no content', async () => {
    const reports: RoundReport[] = [];
    let rounds: readonly RoundReport[] = [];
    const { call } = setUp(
      [ask({ f: form(), u: url, s: sampling(), r: roots }, 'state'), ask(undefined, 'more'), text('done')],
      {
        elicitForm: () => accept({ name: 'secret' }),
        elicitUrl: () => ({ action: 'decline' }),
        sample: () => message,
        roots: [],
      },
    );
    await call({
      onRound: (round) => reports.push(round),
      onReply: (info) => {
        rounds = info.rounds;
        expect(info.requests).toBe(3);
      },
    });
    expect(reports).toEqual([
      {
        round: 1,
        method: 'tools/call',
        requestState: true,
        durationMs: expect.any(Number),
        inputs: [
          { key: 'f', method: 'elicitation/create', mode: 'form', outcome: 'accept' },
          { key: 'u', method: 'elicitation/create', mode: 'url', outcome: 'decline' },
          { key: 's', method: 'sampling/createMessage', outcome: 'answered' },
          { key: 'r', method: 'roots/list', outcome: 'answered' },
        ],
      },
      { round: 2, method: 'tools/call', requestState: true, durationMs: expect.any(Number), inputs: [] },
    ]);
    expect(rounds).toEqual(reports);
    expect(JSON.stringify(reports)).not.toContain('secret');
  });

  test('a report that throws does not end the call', async () => {
    const { call, warnings } = setUp([ask({ r: roots }), text('done')], { roots: [] });
    const onRound = (): never => {
      throw new Error('oops');
    };
    expect(await call({ onRound })).toEqual(text('done'));
    expect(warnings).toMatchObject([{ kind: 'callback-failed', message: 'onRound threw: oops' }]);
  });

  test('progress of every request reaches the caller', async () => {
    const tell =
      (result: Result): Answering =>
      (request, io) => {
        const progressToken = request.params._meta?.progressToken;
        io.notify({ method: 'notifications/progress', params: { progressToken, progress: Number(progressToken) } });
        return result;
      };
    const heard: number[] = [];
    const { call } = setUp([tell(ask({ r: roots })), tell(text('done'))], { roots: [] });
    await call({ onProgress: ({ progress }) => heard.push(progress) });
    expect(heard).toEqual([1, 2]);
  });
});

describe('[MRTR-35][T049] the end of patience', () => {
  test('ten rounds are answered, the eleventh is not', async () => {
    let asked = 0;
    const handlers: InputHandlers = {
      roots: () => {
        asked++;
        return [];
      },
    };
    const { call, wire } = setUp([ask({ r: roots }, 's')], handlers);
    const error = await failureOf(call());
    expect(error).toMatchObject({ code: 'INPUT_LOOP', details: { rounds: 10 } });
    expect(error.message).toContain('more than 10 times');
    expect(asked).toBe(10);
    expect(wire.methods).toHaveLength(11);
    const patient = setUp([...Array(10).fill(ask({ r: roots })), text('done')], { roots: [] });
    expect(await patient.call()).toEqual(text('done'));
  });

  test('[MRTR-19][MRTR-21] a state alone is sent back at once, and the third in a row ends it', async () => {
    const { call, wire } = setUp([ask(undefined, 'wait')]);
    const error = await failureOf(call());
    expect(error).toMatchObject({ code: 'INPUT_LOOP' });
    expect(error.message).toContain('3 times in a row without asking anything');
    expect(wire.methods).toHaveLength(3);
    expect(error).toMatchObject({ details: { continuation: { requestState: 'wait' } } });
    expect(await setUp([ask(undefined, 'a'), ask(undefined, 'b'), text('done')]).call()).toEqual(text('done'));
  });

  test('a question in between starts the count anew', async () => {
    const idle = ask(undefined, 's');
    const asking = ask({ r: roots }, 's');
    const { call } = setUp([idle, idle, asking, idle, idle, asking, text('done')], { roots: [] });
    expect(await call()).toEqual(text('done'));
  });

  test('an empty set of questions asks nothing either', async () => {
    const { call, wire } = setUp([ask({})]);
    expect(await failureOf(call())).toMatchObject({ code: 'INPUT_LOOP' });
    expect(wire.seen[1]?.params).toEqual({ name: 'book', arguments: { city: 'Rome' } });
  });

  test('the limits are the user’s', async () => {
    const limits = { rounds: 2, idleRounds: 1 };
    expect(await failureOf(setUp([ask({ r: roots })], { roots: [] }, { limits }).call())).toMatchObject({
      details: { rounds: 2 },
    });
    const { call, wire } = setUp([ask(undefined, 's')], {}, { limits });
    await failureOf(call());
    expect(wire.methods).toHaveLength(1);
  });
});

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

  test('[P41][ELIC-01][ELIC-02][SAMP-01][ROOT-01] declares what it can answer, and nothing else', async () => {
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
    ['a form', form(), 'handlers.elicitForm', {}],
    ['[ELIC-06] a form by name', form(undefined, 'form'), 'handlers.elicitForm', {}],
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

describe('answers', () => {
  const answered = async (question: unknown, handlers: InputHandlers) => {
    const { call, wire, warnings } = setUp([ask({ k: question }), text('done')], handlers);
    const failure = await call().then(
      () => undefined,
      (reason: unknown) => reason as DragomanError,
    );
    return { failure, sent: (wire.seen[1]?.params.inputResponses as JsonObject | undefined)?.k, warnings };
  };

  test.each([
    ['decline', { action: 'decline', content: { name: 'x' } }, { action: 'decline' }],
    ['cancel', { action: 'cancel', content: { name: 'x' } }, { action: 'cancel' }],
    ['accept', { action: 'accept', content: { name: 'x' }, other: 1 }, { action: 'accept', content: { name: 'x' } }],
  ])('[E03][ELIC-17][ELIC-18] %s of a form', async (_name, given, sent) => {
    expect((await answered(form(), { elicitForm: () => given as ElicitResult })).sent).toEqual(sent);
  });

  test('[ELIC-19] accept of a URL carries no content', async () => {
    const given = { action: 'accept', content: { a: 1 } } as ElicitResult;
    expect((await answered(url, { elicitUrl: () => given })).sent).toEqual({ action: 'accept' });
  });

  test('[ELIC-16] a form that is accepted as it was shown keeps its defaults', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive'], default: 'active' },
        verified: { type: 'boolean', default: true },
        tags: { type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] },
        other: { type: 'string' },
        odd: { type: 'string', default: null },
      },
    };
    const content = { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true, tags: ['a'] };
    expect((await answered(form(schema), { elicitForm: () => ({ action: 'accept' }) })).sent).toEqual(accept(content));
    const explicit = await answered(form(schema), { elicitForm: (params) => acceptDefaults(params.requestedSchema) });
    expect(explicit.sent).toEqual(accept(content));
  });

  test.each([
    ['an unknown action', { action: 'reject' }, /"accept", "decline" or "cancel", not "reject"/],
    ['no object', 'yes', /no object/],
    ['nothing', undefined, /no object/],
    ['content that is no object', { action: 'accept', content: [] }, /"content"/],
    ['a nested value', { action: 'accept', content: { name: {} } }, /"name" must be a string, number/],
    ['null', { action: 'accept', content: { name: null } }, /"name"/],
    ['[ELIC-50] the wrong type', { action: 'accept', content: { name: 7 } }, /name/],
    ['not a number', { action: 'accept', content: { name: Number.NaN } }, /"name"/],
  ])('[ELIC-17] %s is not sent', async (_name, given, words) => {
    const { failure, sent } = await answered(form(), { elicitForm: () => given as ElicitResult });
    expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT', details: { key: 'k' } });
    expect(failure?.message).toMatch(words);
    expect(sent).toBeUndefined();
  });

  test('[ELIC-50] every rule of the form is kept', async () => {
    const schema = {
      type: 'object',
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 3 },
        tags: { type: 'array', minItems: 1, items: { anyOf: [{ const: 'a', title: 'A' }] } },
        kind: { oneOf: [{ const: 'x', title: 'X' }] },
      },
      required: ['size'],
    };
    for (const content of [
      {},
      { size: 4 },
      { size: 1.5 },
      { size: 1, tags: [] },
      { size: 1, tags: ['A'] },
      { size: 1, kind: 'X' },
    ]) {
      const { failure } = await answered(form(schema), { elicitForm: () => accept(content as never) });
      expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
    const good = { size: 2, tags: ['a'], kind: 'x' };
    expect((await answered(form(schema), { elicitForm: () => accept(good) })).sent).toEqual(accept(good));
  });

  test.each([
    ['enum', { type: 'string', enum: ['a', 'b'] }],
    ['titled enum', { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }],
    ['titled enum without a type', { oneOf: [{ const: 'a', title: 'A' }] }],
    ['legacy enumNames', { type: 'string', enum: ['a'], enumNames: ['A'] }],
  ])('[E01][ELIC-11][ELIC-13] a field of kind %s takes the value, not the title', async (_name, field) => {
    const question = form({ type: 'object', properties: { f: field } });
    expect((await answered(question, { elicitForm: () => accept({ f: 'a' }) })).sent).toEqual(accept({ f: 'a' }));
    const { failure } = await answered(question, { elicitForm: () => accept({ f: 'A' }) });
    expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test.each([
    ['multiple choice', { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }],
    ['titled multiple choice', { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, maxItems: 2 }],
  ])('[E01][ELIC-12] a field of kind %s takes an array', async (_name, field) => {
    const question = form({ type: 'object', properties: { f: field } });
    expect((await answered(question, { elicitForm: () => accept({ f: ['a'] }) })).sent).toEqual(accept({ f: ['a'] }));
  });

  test.each([
    ['no schema', undefined],
    ['a schema that is no object', true],
    ['a root that is no object', { type: 'array' }],
    ['properties that are no object', { type: 'object', properties: [] }],
    ['a field that is no schema', { type: 'object', properties: { a: true } }],
    ['[ELIC-14] an object in it', { type: 'object', properties: { a: { type: 'object' } } }],
    ['an array of anything', { type: 'object', properties: { a: { type: 'array', items: {} } } }],
    ['a field without a type', { type: 'object', properties: { a: {} } }],
    ['a reference elsewhere', { type: 'object', properties: { a: { type: 'string', $ref: 'https://x.test/s' } } }],
  ])('[E01] a form with %s is cancelled, with a reason that a person can see', async (_name, schema) => {
    let asked = false;
    const { sent, warnings } = await answered(
      { method: 'elicitation/create', params: { message: 'm', requestedSchema: schema } },
      {
        elicitForm: () => {
          asked = true;
          return { action: 'decline' };
        },
      },
    );
    expect(sent).toEqual({ action: 'cancel' });
    expect(asked).toBe(false);
    expect(warnings).toMatchObject([{ kind: 'elicitation', details: { key: 'k', problem: expect.any(String) } }]);
  });

  test.each([{ type: 'object' }, {}, { type: 'object', properties: null }, { properties: {} }])(
    '[ELIC-07] a form without fields can be accepted, and is whole for whoever shows it: %j',
    async (schema) => {
      let shown: unknown;
      const { sent } = await answered(form(schema), {
        elicitForm: ({ requestedSchema }) => {
          shown = requestedSchema;
          return { action: 'accept' };
        },
      });
      expect(shown).toEqual({ type: 'object', properties: {} });
      expect(sent).toEqual(accept({}));
    },
  );

  test.each([undefined, null, 7, 'not a url', '//host/path'])(
    '[ELIC-20] a URL that is %j is cancelled',
    async (given) => {
      const question = { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: given } };
      let asked = false;
      const { sent, warnings } = await answered(question, {
        elicitUrl: () => {
          asked = true;
          return { action: 'accept' };
        },
      });
      expect(sent).toEqual({ action: 'cancel' });
      expect(asked).toBe(false);
      expect(warnings).toMatchObject([{ kind: 'elicitation', message: expect.stringContaining('is no URL') }]);
    },
  );

  test.each([
    ['no role', { model: 'm', content: {} }, /"role"/],
    ['no model', { role: 'assistant', content: {} }, /"model"/],
    ['no content', { role: 'assistant', model: 'm' }, /"content"/],
  ])('[SAMP-13] a sampled message with %s is not sent', async (_name, given, words) => {
    const { failure } = await answered(sampling(), { sample: () => given as never });
    expect(failure?.message).toMatch(words);
  });

  test('[SAMP-13] a sampled message goes out as it is', async () => {
    const given = { ...message, content: [message.content], stopReason: 'endTurn', extra: 1 };
    expect((await answered(sampling(), { sample: () => given })).sent).toEqual(given);
  });

  test.each([
    ['no array', 7],
    ['another scheme', [{ uri: 'https://a.test' }]],
    ['no uri', [{ name: 'x' }]],
    ['null', [null]],
  ])('[ROOT-03] roots with %s are not sent', async (_name, given) => {
    const { failure } = await answered(roots, { roots: () => given as never });
    expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('onInputRequired: return', () => {
  const question = form({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] });

  test('[I03] returns what the server said, whole, and how to go on', async () => {
    const { call, wire } = setUp([ask({ who: question }, 's', { _meta: { a: 1 }, extra: true })], {
      elicitForm: () => ({ action: 'decline' }),
    });
    const result = await call({ onInputRequired: 'return' });
    expect(isInputRequired(result)).toBe(true);
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: { who: question },
      requestState: 's',
      _meta: { a: 1 },
      extra: true,
      continuation: {
        method: 'tools/call',
        params: { name: 'book', arguments: { city: 'Rome' } },
        requestState: 's',
        inputRequests: { who: question },
        server: wire.identity,
      },
    });
    expect(wire.methods).toHaveLength(1);
  });

  test('[T039] a continuation keeps what the caller put into _meta, and nothing of this one request', async () => {
    const { call } = setUp([ask(undefined, 's')]);
    const meta = { 'com.example/tenant': 'x', traceparent: 't', tracestate: 't', baggage: 'b', progressToken: 'p' };
    const kept = await call({ onInputRequired: 'return', meta });
    if (!isInputRequired(kept)) throw new Error('no question');
    expect(kept.continuation.params._meta).toEqual({ 'com.example/tenant': 'x' });
    const bare = await call({ onInputRequired: 'return', meta: { traceparent: 't' } });
    if (!isInputRequired(bare)) throw new Error('no question');
    expect(bare.continuation.params).not.toHaveProperty('_meta');
  });

  test('a result is returned as ever', async () => {
    const result = await setUp([text('done')]).call({ onInputRequired: 'return' });
    expect(isInputRequired(result)).toBe(false);
  });

  async function stopped(answer: Result): Promise<Continuation> {
    const { client } = setUp([answer]);
    const wire = new ScriptedWire(() => answer, 'http', 'https://the.same/mcp');
    const other = new Client(wire, { era: 'modern' });
    const result = await other.callTool('book', { city: 'Rome' }, { onInputRequired: 'return' });
    await client.close();
    if (!isInputRequired(result)) throw new Error('no question');
    return JSON.parse(JSON.stringify(result.continuation)) as Continuation;
  }

  function elsewhere(answers: Result[], identity = 'https://the.same/mcp') {
    const wire = new ScriptedWire(
      () => (answers.length > 1 ? answers.shift() : answers[0]) as Result,
      'http',
      identity,
    );
    return { wire, client: new Client(wire, { era: 'modern' }) };
  }

  test('[MRTR-34] can be resumed from another process, where the next question may be returned too', async () => {
    const continuation = await stopped(ask({ who: question }, 's'));
    const { wire, client } = elsewhere([ask({ r: roots }, 't'), text('done')]);
    const next = await client.resume(continuation, { who: accept({ name: 'Ada' }) }, { onInputRequired: 'return' });
    expect(wire.seen[0]).toMatchObject({
      method: 'tools/call',
      params: {
        name: 'book',
        arguments: { city: 'Rome' },
        inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
        requestState: 's',
      },
    });
    if (!isInputRequired(next)) throw new Error('no question');
    expect(next.continuation.params).toEqual({ name: 'book', arguments: { city: 'Rome' } });
    expect(await client.resume(next.continuation, { r: { roots: [] } })).toEqual(text('done'));
  });

  test('[MRTR-21] needs no answers where nothing was asked', async () => {
    const continuation = await stopped(ask(undefined, 's'));
    expect(continuation).not.toHaveProperty('inputRequests');
    const { wire, client } = elsewhere([text('done')]);
    await client.resume(continuation);
    expect(wire.seen[0]?.params).toEqual({ name: 'book', arguments: { city: 'Rome' }, requestState: 's' });
  });

  test.each([
    ['[MRTR-20] without an answer', {}, /do not answer "who"/],
    ['with a strange one', { who: accept({ name: 'a' }), you: accept({}) }, /answer "you", which was not asked/],
    ['[ELIC-50] with a wrong one', { who: accept({}) }, /"who" is wrong/],
    ['with an odd action', { who: { action: 'maybe' } as never }, /"maybe"/],
  ])('%s nothing is sent', async (_name, responses, words) => {
    const continuation = await stopped(ask({ who: question }));
    const { wire, client } = elsewhere([text('done')]);
    const error = await failureOf(client.resume(continuation, responses));
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(error.message).toMatch(words);
    expect(wire.methods).toEqual([]);
  });

  test('another server does not get the answers', async () => {
    const continuation = await stopped(ask({ who: question }));
    const { wire, client } = elsewhere([text('done')], 'https://other/mcp');
    const error = await failureOf(client.resume(continuation, { who: accept({ name: 'Ada' }) }));
    expect(error.message).toMatch(/belongs to https:\/\/the\.same\/mcp.*connected to https:\/\/other\/mcp/);
    expect(wire.methods).toEqual([]);
  });

  test('a question of an unknown kind can be answered by hand', async () => {
    const continuation = await stopped(ask({ x: { method: 'acme/ask', params: {} } }));
    const { wire, client } = elsewhere([text('done')]);
    await client.resume(continuation, { x: { anything: 1 } as never });
    expect(wire.seen[0]?.params.inputResponses).toEqual({ x: { anything: 1 } });
  });

  test('a form that nobody can check is sent as it was answered', async () => {
    const odd = form({ type: 'object', properties: { a: { type: 'object' } } });
    const { wire, client } = elsewhere([text('done')]);
    await client.resume(await stopped(ask({ k: odd })), { k: accept({ a: 'x' }) });
    expect(wire.seen[0]?.params.inputResponses).toEqual({ k: accept({ a: 'x' }) });
  });
});

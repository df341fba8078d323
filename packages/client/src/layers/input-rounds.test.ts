import type { InputRequests, JsonObject, Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import {
  accept,
  ask,
  failureOf,
  form,
  message,
  roots,
  sampling,
  setUp,
  url,
} from '../../test/support/asking-server.ts';
import { type Answering, text } from '../../test/support/scripted-wire.ts';
import type { InputHandlers } from '../input/handlers.ts';
import type { RoundReport } from '../layers/input-rounds.ts';

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
  test('[MRTR-24][T042][MRTR-20][MRTR-22][MRTR-26][MRTR-28][MRTR-29] answers by the same keys, echoes the state, and sends the same call', async () => {
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

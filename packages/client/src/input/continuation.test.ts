import type { Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { accept, ask, failureOf, form, roots, setUp } from '../../test/support/asking-server.ts';
import { ScriptedWire, text } from '../../test/support/scripted-wire.ts';
import { Client } from '../client.ts';
import { type Continuation, isInputRequired } from '../input/continuation.ts';

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

  test('[MRTR-20] takes no answers where nothing was asked', async () => {
    const continuation = await stopped(ask(undefined, 's'));
    const { wire, client } = elsewhere([text('done')]);
    const error = await failureOf(client.resume(continuation, { you: accept({}) }));
    expect(error.message).toMatch(/answer "you", which was not asked; the questions are: none/);
    expect(wire.methods).toEqual([]);
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

describe('a continuation that was changed where it was kept', () => {
  const whole = { method: 'tools/call', params: { name: 'book' }, requestState: 's', server: 'https://the.same/mcp' };
  const open = () =>
    new Client(new ScriptedWire(() => text('done'), 'http', 'https://the.same/mcp'), { era: 'modern' });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['no object', 7],
    ['no method', { ...whole, method: 7 }],
    ['a method that asks nothing', { ...whole, method: 'tools/list' }],
    ['no parameters', { ...whole, params: null }],
    ['a state that is no text', { ...whole, requestState: 7 }],
    ['questions that are no object', { ...whole, inputRequests: 7 }],
    ['a question that is null', { ...whole, inputRequests: { k: null } }],
    ['a question without a method', { ...whole, inputRequests: { k: {} } }],
  ])('is refused: %s', async (_what, continuation) => {
    const client = open();
    const failure = await failureOf(client.resume(continuation as never, { k: { action: 'decline' } }));
    expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(failure.message).toContain('continuation');
  });

  test('may have lost the parameters of a question, whose answer is then not held against a form', async () => {
    const inputRequests = { k: { method: 'elicitation/create' } };
    const done = await open().resume({ ...whole, inputRequests } as never, { k: accept({ a: 'b' }) });
    expect(done).toMatchObject({ content: [{ text: 'done' }] });
  });

  test.each([7, [], 'x'])('is refused answers that are none: %j', async (given) => {
    const failure = await failureOf(open().resume(whole, given as never));
    expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

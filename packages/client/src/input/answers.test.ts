import type { DragomanError, ElicitResult, JsonObject } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { accept, ask, form, message, roots, sampling, setUp, url } from '../../test/support/asking-server.ts';
import { text } from '../../test/support/scripted-wire.ts';
import { acceptDefaults } from '../input/form.ts';
import type { InputHandlers } from '../input/handlers.ts';

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
        day: { type: 'string', format: 'date' },
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
      { size: 1, day: 'tomorrow' },
    ]) {
      const { failure } = await answered(form(schema), { elicitForm: () => accept(content as never) });
      expect(failure).toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
    const good = { size: 2, tags: ['a'], kind: 'x', day: '2026-07-28' };
    expect((await answered(form(schema), { elicitForm: () => accept(good) })).sent).toEqual(accept(good));
  });

  test('[ELIC-50] what is wrong with the form as a whole is told of the form', async () => {
    const question = form({ type: 'object', properties: { a: { type: 'string' } }, minProperties: 1 });
    const { failure } = await answered(question, { elicitForm: () => accept({}) });
    expect(failure?.message).toMatch(/"k" is wrong: the form: /);
  });

  test.each([undefined, {}, { properties: null }, { type: 'object' }])('[ELIC-16] %j has no defaults', (schema) => {
    expect(acceptDefaults(schema)).toEqual({ action: 'accept', content: {} });
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

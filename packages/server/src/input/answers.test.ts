import { expect, test } from 'vitest';
import { checkAnswer } from './answers.ts';

const message = { role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } };

test.each([
  ['elicitation/create', { action: 'accept', content: { a: 'x', b: 1.5, c: true, d: ['y'] } }],
  ['elicitation/create', { action: 'accept', content: null }],
  ['elicitation/create', { action: 'accept' }],
  ['elicitation/create', { action: 'decline', content: 'not looked at' }],
  ['elicitation/create', { action: 'cancel', more: 1 }],
  ['elicitation/create', { action: 'accept', _meta: null }],
  ['elicitation/create', { action: 'accept', _meta: { 'com.example/x': 1 } }],
  ['sampling/createMessage', message],
  ['sampling/createMessage', { ...message, content: [message.content, message.content] }],
  ['roots/list', { roots: [] }],
  ['roots/list', { roots: [{ uri: 'file:///a', name: 'a' }] }],
] as const)('[MRTR-30] %s: %j is an answer', (method, answer) => {
  expect(checkAnswer(method, answer)).toBeUndefined();
});

test.each([
  ['elicitation/create', { action: 'accept', content: { a: null } }, 'content["a"]'],
  ['elicitation/create', { action: 'accept', content: { a: Number.NaN } }, 'content["a"]'],
  ['elicitation/create', { action: 'accept', content: [] }, 'content'],
  ['elicitation/create', { action: 'decline', _meta: 'x' }, '_meta'],
  ['elicitation/create', { action: 'accept', _meta: [] }, '_meta'],
  ['sampling/createMessage', { ...message, _meta: 7 }, '_meta'],
  ['roots/list', { roots: [], _meta: true }, '_meta'],
  ['sampling/createMessage', { ...message, role: 'system' }, 'role'],
  ['sampling/createMessage', { ...message, model: undefined }, 'model'],
  ['sampling/createMessage', { ...message, content: 'text' }, 'content'],
  ['sampling/createMessage', { ...message, content: [{}] }, 'content'],
  ['roots/list', {}, 'roots'],
  ['roots/list', { roots: [{ name: 'a' }] }, 'uri'],
  ['roots/list', { roots: [null] }, 'uri'],
  ['roots/list', 'x', 'object'],
] as const)('[MRTR-31] [I01] %s: %j is none', (method, answer, named) => {
  expect(checkAnswer(method, answer)).toContain(named);
});

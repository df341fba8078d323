import type { SamplingMessage, ToolResultContent } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { checkSampling } from './sampling.ts';

const text = { type: 'text', text: 'x' } as const;
const use = (id: string) => ({ type: 'tool_use', id, name: 't', input: {} }) as const;
const result = (toolUseId: string): ToolResultContent => ({ type: 'tool_result', toolUseId, content: [] });
const check =
  (...messages: SamplingMessage[]) =>
  () =>
    checkSampling({ messages, maxTokens: 10 });

test('[SAMP-05] messages and maxTokens are needed', () => {
  expect(() => checkSampling({ messages: [], maxTokens: 1 })).not.toThrow();
  expect(() => checkSampling({ maxTokens: 1 } as never)).toThrow('messages');
  for (const maxTokens of [0, -1, 1.5, Number.NaN, undefined]) {
    expect(() => checkSampling({ messages: [], maxTokens } as never)).toThrow('maxTokens');
  }
});

test.each([
  ['null', null],
  ['no role', { content: text }],
  ['another role', { role: 'system', content: text }],
  ['no content', { role: 'user' }],
  ['text for content', { role: 'user', content: 'x' }],
  ['null among the content', { role: 'assistant', content: [text, null] }],
  ['a block without a type', { role: 'assistant', content: [{ text: 'x' }] }],
])('[SAMP-06] a message with %s is refused by its place', (_, message) => {
  expect(check({ role: 'user', content: text }, message as never)).toThrow('messages[1] ');
});

test('[SAMP-06] one block, several and none are content', () => {
  expect(check({ role: 'user', content: text }, { role: 'assistant', content: [text, text] })).not.toThrow();
  expect(check({ role: 'user', content: [] })).not.toThrow();
});

describe('tools', () => {
  test('[SAMP-15] balanced uses and results pass, one block or several', () => {
    expect(
      check(
        { role: 'user', content: text },
        { role: 'assistant', content: [text, use('a'), use('b')] },
        { role: 'user', content: [result('b'), result('a')] },
        { role: 'assistant', content: use('c') },
        { role: 'user', content: result('c') },
        { role: 'assistant', content: text },
      ),
    ).not.toThrow();
  });

  test('[SAMP-14] results beside other content', () => {
    expect(check({ role: 'assistant', content: use('a') }, { role: 'user', content: [result('a'), text] })).toThrow(
      'mixes',
    );
  });

  test('[SAMP-15] a use without its result', () => {
    expect(check({ role: 'assistant', content: [use('a'), use('b')] }, { role: 'user', content: result('a') })).toThrow(
      '"b"',
    );
    expect(check({ role: 'assistant', content: use('a') }, { role: 'user', content: text })).toThrow('"a"');
    expect(check({ role: 'assistant', content: use('a') })).toThrow('no result');
  });

  test('[SAMP-15] a result without its use', () => {
    expect(check({ role: 'user', content: result('a') })).toThrow('no tool use');
  });
});

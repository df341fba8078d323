import { DragomanError, McpError } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { errorLine, isAbort, serializeListenResult } from './answers.ts';

test('an error whose data is no JSON is sent without it', () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  expect(JSON.parse(errorLine(0, new McpError(5, 'm', { data: circular })))).toEqual({
    jsonrpc: '2.0',
    id: 0,
    error: { code: 5, message: 'm' },
  });
  expect(JSON.parse(errorLine(undefined, new McpError(5, 'm', { data: 1 })))).toEqual({
    jsonrpc: '2.0',
    error: { code: 5, message: 'm', data: 1 },
  });
});

test('[T053] the result of a listen stream keeps its _meta and has the id beside it', () => {
  const result = Object.freeze({ resultType: 'complete', _meta: Object.freeze({ a: 1 }) });
  expect(JSON.parse(serializeListenResult('', result)).result).toEqual({
    resultType: 'complete',
    _meta: { a: 1, 'io.modelcontextprotocol/subscriptionId': '' },
  });
});

test('an abort is told from an error', () => {
  expect(isAbort(new DragomanError('ABORTED', 'x'))).toBe(true);
  expect(isAbort(new DragomanError('TIMEOUT', 'x'))).toBe(true);
  expect(isAbort(AbortSignal.abort().reason)).toBe(true);
  expect(isAbort(new DragomanError('CONNECTION_CLOSED', 'x'))).toBe(false);
  expect(isAbort(new Error('x'))).toBe(false);
  expect(isAbort('x')).toBe(false);
});

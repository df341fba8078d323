import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { McpError } from './errors.ts';
import {
  checkMessage,
  isErrorResponse,
  isMalformed,
  isNotification,
  isRequest,
  isResponse,
  type Malformed,
  parseMessage,
  preserialized,
  serializeError,
  serializeNotification,
  serializeRequest,
  serializeResult,
  serializeSubscribed,
} from './json-rpc.ts';

const parse = (value: unknown) => parseMessage(JSON.stringify(value));
const malformed = (value: unknown): Malformed => {
  const parsed = typeof value === 'string' ? parseMessage(value) : checkMessage(value);
  if (!isMalformed(parsed)) throw new Error(`read as a message: ${JSON.stringify(value)}`);
  return parsed;
};

describe('reading', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  test.each([
    `{"jsonrpc":"2.0","id":1,"method":"x","params":${deep}}`,
    `{"jsonrpc":"2.0","id":${deep},"method":"x"}`,
    `{"jsonrpc":${deep},"id":1}`,
    `{"jsonrpc":"2.0","id":1,"method":${deep}}`,
    `{"jsonrpc":"2.0","id":1,"result":${deep}}`,
    `{"jsonrpc":"2.0","id":${deep},"result":{}}`,
    deep,
  ])('[ERR-16] nesting without end in place of a member is refused, not thrown over (%#)', (text) => {
    expect(malformed(text).error.message.length).toBeLessThan(200);
  });

  test('what only a program can hand over is refused in the same way', () => {
    const circular: unknown[] = [];
    circular.push(circular);
    for (const value of [circular, 1n, () => {}, Symbol('x')]) {
      for (const message of [{ jsonrpc: value }, { jsonrpc: '2.0', id: 1, method: 'x', params: value }]) {
        expect(malformed(message).error.code).toBe(-32600);
      }
    }
  });

  test.each([0, '', 7, -3, 'a', Number.MAX_SAFE_INTEGER])('[J01][BASE-05] %j is an id', (id) => {
    const message = parse({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
    expect(isMalformed(message)).toBe(false);
    if (isMalformed(message)) return;
    expect(isRequest(message)).toBe(true);
    expect(message).toMatchObject({ id });
  });

  test('[J01] a message without an id member is a notification', () => {
    const message = parse({ jsonrpc: '2.0', method: 'notifications/initialized' });
    if (isMalformed(message)) throw message.error;
    expect(isNotification(message)).toBe(true);
    expect(isRequest(message)).toBe(false);
  });

  test.each([null, 1.5, true, {}, [], 2 ** 60])('[J05][BASE-06] %j is no id: -32600 without an id', (id) => {
    const bad = malformed({ jsonrpc: '2.0', id, method: 'tools/list' });
    expect(bad.error.code).toBe(-32600);
    expect('id' in bad).toBe(false);
  });

  test.each([
    ['{', -32700],
    ['', -32700],
    ['nonsense', -32700],
    ['[]', -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['null', -32600],
    ['7', -32600],
    ['{}', -32600],
  ])('[ERR-16][BASE-21] %s gives %d', (text, code) => {
    expect(malformed(text).error.code).toBe(code);
  });

  test.each([
    { jsonrpc: '2.0', id: 5, method: 1 },
    { id: 5, method: 'x' },
    { jsonrpc: '1.0', id: 5, method: 'x' },
    { jsonrpc: '2.0', id: 5, method: 'x', params: [] },
    { jsonrpc: '2.0', id: 5, method: 'x', params: 'x' },
    { jsonrpc: '2.0', id: 5 },
    { jsonrpc: '2.0', id: 5, result: 'x' },
    { jsonrpc: '2.0', id: 5, error: 'x' },
    { jsonrpc: '2.0', id: 5, error: { code: 'x', message: 'm' } },
    { jsonrpc: '2.0', id: 5, error: { code: 1, message: 'm' }, result: {} },
  ])('[J06] %j is -32600 and echoes the id', (value) => {
    const bad = malformed(value);
    expect(bad.error.code).toBe(-32600);
    expect(bad.id).toBe(5);
  });

  test.each([1.5, true, {}, [], 2 ** 60])('an answer with the id %j is none', (id) => {
    expect(malformed({ jsonrpc: '2.0', id, error: { code: -32603, message: 'x' } }).error.code).toBe(-32600);
    expect(malformed({ jsonrpc: '2.0', id, result: {} }).error.code).toBe(-32600);
  });

  test('[BASE-12] a response of an older peer with a null id is read', () => {
    const message = parse({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
    if (isMalformed(message)) throw message.error;
    expect(isErrorResponse(message)).toBe(true);
  });

  test('null for a member that may be missing is absence', () => {
    const request = parse({ jsonrpc: '2.0', id: 1, method: 'm', params: null });
    if (isMalformed(request)) throw request.error;
    expect(isRequest(request)).toBe(true);
    expect('params' in request).toBe(false);
    const response = parse({ jsonrpc: '2.0', id: 1, result: {}, error: null });
    if (isMalformed(response)) throw response.error;
    expect(isResponse(response)).toBe(true);
  });

  test('[BASE-20] unknown members are kept', () => {
    const value = { jsonrpc: '2.0', id: 1, result: { resultType: 'complete', odd: [1] }, extra: true };
    const message = parse(value);
    if (isMalformed(message)) throw message.error;
    expect(isResponse(message)).toBe(true);
    expect(message).toEqual(value);
  });

  test('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        parseMessage(text);
      }),
    );
  });
});

describe('writing', () => {
  test('[BASE-01] [BASE-08] ids keep their type and text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.maxSafeInteger()), fc.jsonValue(), (id, value) => {
        const request = { method: 'tools/call', params: { name: 'x', arguments: { value } } };
        expect(JSON.parse(serializeRequest(id, request))).toEqual(
          JSON.parse(JSON.stringify({ jsonrpc: '2.0', id, ...request })),
        );
        expect(JSON.parse(serializeResult(id, { value }))).toEqual(
          JSON.parse(JSON.stringify({ jsonrpc: '2.0', id, result: { value } })),
        );
      }),
    );
  });

  test('[STDIO-02] every message stands on one line', () => {
    const text = 'two\nlines\r\u2028';
    expect(serializeRequest('a\nb', { method: 'x\n', params: { text } })).not.toMatch(/[\r\n]/);
    expect(serializeNotification({ method: 'x', params: { text } })).not.toMatch(/[\r\n]/);
  });

  test('[BASE-01] [T029] an error without a readable id has no id member', () => {
    expect(JSON.parse(serializeError(undefined, new McpError(-32700, 'Parse error')))).toEqual({
      jsonrpc: '2.0',
      error: { code: -32700, message: 'Parse error' },
    });
    expect(JSON.parse(serializeError(0, new McpError(1, 'm', { data: 0 })))).toEqual({
      jsonrpc: '2.0',
      id: 0,
      error: { code: 1, message: 'm', data: 0 },
    });
  });

  test('a preserialised result cannot change behind its text', () => {
    const result = preserialized({ resultType: 'complete', tools: [] });
    expect(serializeResult(1, result)).toBe('{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}}');
    expect(() => {
      (result as { resultType: string }).resultType = 'x';
    }).toThrow(TypeError);
  });

  test('[BASE-09] what is no JSON object is never sent as a result', () => {
    const odd = [undefined, null, 'x', 5, [], () => {}, { toJSON: () => undefined }, { toJSON: () => 'x' }];
    for (const result of odd) expect(() => serializeResult(1, result as never)).toThrow(TypeError);
  });

  test('[SUBS-09] a subscribed notification carries the id as it is, beside what it had', () => {
    const key = 'io.modelcontextprotocol/subscriptionId';
    const changed = {
      method: 'notifications/resources/updated',
      params: { uri: 'a"b', _meta: { x: 1, [key]: 'old' } },
    };
    for (const id of [0, '', 'é', 12]) {
      const expected = { jsonrpc: '2.0', method: changed.method, params: { uri: 'a"b', _meta: { x: 1, [key]: id } } };
      expect(JSON.parse(serializeSubscribed(changed, JSON.stringify(id)))).toEqual(expected);
    }
    expect(JSON.parse(serializeSubscribed({ method: 'm' }, '1'))).toEqual({
      jsonrpc: '2.0',
      method: 'm',
      params: { _meta: { [key]: 1 } },
    });
  });

  test('a subscribed notification is serialised once for all streams', () => {
    let reads = 0;
    const params = {
      toJSON: undefined,
      get uri() {
        reads++;
        return 'x';
      },
    };
    const notification = { method: 'm', params };
    const first = serializeSubscribed(notification, '1');
    const after = reads;
    expect(serializeSubscribed(notification, '2')).not.toBe(first);
    expect(reads).toBe(after);
  });
});

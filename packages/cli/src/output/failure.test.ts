import { DragomanError, type DragomanErrorCode, McpError } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { exitCodeOf, failureOf } from './failure.ts';

describe('exit status', () => {
  test.each<[DragomanErrorCode, number]>([
    ['INVALID_ARGUMENT', 2],
    ['INVALID_SCHEMA', 2],
    ['CONNECTION_FAILED', 3],
    ['CONNECTION_CLOSED', 3],
    ['HTTP_ERROR', 3],
    ['UNAUTHORIZED', 4],
    ['LEGACY_SERVER', 5],
    ['VERSION_MISMATCH', 5],
    ['PROTOCOL_VIOLATION', 5],
    ['INPUT_LOOP', 5],
    ['LIMIT_EXCEEDED', 5],
    ['INPUT_REQUIRED', 6],
    ['TIMEOUT', 7],
    ['OUTPUT_MISMATCH', 8],
    ['REFUSED', 9],
    ['ABORTED', 130],
  ])('of %s is %d', (code, status) => {
    expect(exitCodeOf(failureOf(new DragomanError(code, 'x')))).toBe(status);
  });

  test.each([
    [-32601, undefined, 5],
    [-32020, 400, 5],
    [-32000, 401, 4],
    [-32000, 403, 4],
  ])('of error %d with HTTP %s is %d', (code, httpStatus, status) => {
    expect(exitCodeOf(failureOf(new McpError(code, 'x', { httpStatus })))).toBe(status);
  });

  test('of a defect is 70', () => {
    expect(exitCodeOf(failureOf(new TypeError('x is not a function')))).toBe(70);
    expect(failureOf('thrown text')).toMatchObject({ class: 'defect', message: 'thrown text' });
  });
});

test('[P47] [P52] code, message and data of a server are kept, with the name of the code and what to do', () => {
  const failure = failureOf(
    new McpError(-32601, 'no such thing', { data: { method: 'x' }, httpStatus: 404 }),
    'https://x.example',
  );
  expect(failure).toEqual({
    class: 'protocol',
    code: -32601,
    name: 'METHOD_NOT_FOUND',
    message: 'no such thing',
    data: { method: 'x' },
    httpStatus: 404,
    hint: 'the server does not have this; dragoman info https://x.example shows what it has',
  });
  expect(failureOf(new McpError(-31000, 'own')).name).toBe('SERVER_ERROR');
});

test('a hint that came with the error wins', () => {
  expect(failureOf(new DragomanError('TIMEOUT', 'x', { details: { hint: 'be patient' } })).hint).toBe('be patient');
  expect(failureOf(new DragomanError('TIMEOUT', 'x')).hint).toContain('--timeout');
});

test.each([
  [undefined, 'answers: see --sampling, --sampling-exec, --root and --capabilities'],
  [{ elicitation: { form: {} } }, `answers; --capabilities '{"elicitation":{"form":{}}}' declares it`],
  [{ sampling: {} }, `answers; --sampling or --sampling-exec answers, --capabilities '{"sampling":{}}' declares it`],
])('what would answer a server that cannot ask: %j', (requiredCapabilities, hint) => {
  const error = new McpError(-32021, 'x', { data: { requiredCapabilities } });
  expect(failureOf(error).hint).toBe(`the server wants to ask for what nobody here ${hint}`);
});

test.each([
  ['timeout', '--timeout allows more'],
  ['maxTime', '--max-time allows more'],
  ['startTimeout', '--connect-timeout allows more'],
])('a time that ran out is named by its option: %s', (option, hint) => {
  expect(failureOf(new DragomanError('TIMEOUT', 'x', { details: { option } })).hint).toBe(hint);
});

describe('what looks like an older server', () => {
  const legacy = (cause: unknown): DragomanError =>
    new DragomanError('LEGACY_SERVER', 'x does not speak it: it answered so. Update the server, or connect with y', {
      cause,
    });
  const notFound = (url: string): DragomanError =>
    new DragomanError('HTTP_ERROR', 'x', { details: { status: 404, url } });

  test.each([
    ['http://localhost:3000/', 'check the address; many servers are at http://localhost:3000/mcp'],
    ['http://localhost:3000/mcp', 'check the address'],
  ])('may be a wrong address: %s', (url, hint) => {
    expect(failureOf(legacy(notFound(url)))).toMatchObject({
      class: 'protocol',
      code: 'HTTP_ERROR',
      message: `there is no MCP endpoint at ${url} (HTTP 404)`,
      httpStatus: 404,
      hint,
    });
  });

  test('may be no server at all', () => {
    const silence = new DragomanError('TIMEOUT', 'no answer within 2000 ms', { details: { option: 'startTimeout' } });
    const failure = failureOf(legacy(silence));
    expect(failure).toMatchObject({ class: 'timeout', code: 'TIMEOUT', message: 'no answer within 2000 ms' });
    expect(failure.hint).toMatch(/^is it an MCP server\? If it starts slowly, --connect-timeout allows more; older/);
  });

  test('may be another service', () => {
    const refused = new DragomanError('HTTP_ERROR', 'x answered HTTP 405. Check it', {
      details: { status: 405, url: 'http://localhost:3000/mcp' },
    });
    expect(failureOf(legacy(refused))).toMatchObject({
      class: 'protocol',
      code: 'LEGACY_SERVER',
      message: 'x answered HTTP 405. Check it',
      hint: expect.stringMatching(/^older revisions/),
    });
  });

  test('is one where it says so', () => {
    expect(failureOf(legacy(new McpError(-32601, 'x')))).toMatchObject({
      class: 'protocol',
      code: 'LEGACY_SERVER',
      message: 'x does not speak it: it answered so',
      hint: expect.stringContaining('older revisions are not spoken yet'),
    });
  });
});

test.each([
  ['x "y" took longer than 400 ms in all; allow more with "maxTime"', 'x "y" took longer than 400 ms in all'],
  [
    'it asks for sampling; give handlers.sample to do it. Or go on by hand with client.resume()',
    'it asks for sampling',
  ],
  ["it is old. Update the server, or connect with a client of its own; era: 'modern'", 'it is old'],
  [
    'its certificate cannot be checked. Give its authority with the `ca` option. (X)',
    'its certificate cannot be checked. (X)',
  ],
])('what only a program can do about it is not said: %s', (message, expected) => {
  expect(failureOf(new DragomanError('TIMEOUT', message)).message).toBe(expected);
});

import { expect, test } from 'vitest';
import { type HeadersInput, readUserHeaders } from './user-headers.ts';

const refuse = (name: string): void => expect.unreachable(`${name} was ignored`);

test.each([
  ['an object', { 'X-A': '1', 'x-b': ' 2 ', gone: undefined }],
  [
    'pairs',
    [
      ['X-A', '1'],
      ['x-b', '2'],
    ],
  ],
  ['Headers', new Headers({ 'X-A': '1', 'x-b': '2' })],
] as [string, HeadersInput][])('headers may be given as %s', (_what, input) => {
  expect(readUserHeaders(input, refuse)).toEqual(['x-a', '1', 'x-b', '2']);
});

test('no headers are none', () => {
  expect(readUserHeaders(undefined, refuse)).toEqual([]);
});

test('[L06] of two spellings of a name the later counts', () => {
  expect(readUserHeaders({ 'X-A': '1', 'x-a': '2' }, refuse)).toEqual(['x-a', '2']);
});

test.each([
  'Accept',
  'CONTENT-TYPE',
  'content-length',
  'Host',
  'Mcp-Method',
  'mcp-param-x',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Connection',
  'Transfer-Encoding',
  'Accept-Encoding',
  'Last-Event-ID',
])('[L06] %s belongs to the protocol', (name) => {
  const ignored: string[] = [];
  expect(readUserHeaders({ [name]: 'x', fine: 'y' }, (each) => ignored.push(each))).toEqual(['fine', 'y']);
  expect(ignored).toEqual([name]);
});

test.each(['', 'a b', 'a:b', 'a\r\nb', 'ä'])('%j is no name', (name) => {
  expect(() => readUserHeaders({ [name]: 'x' }, refuse)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

test.each(['a\r\nb', 'a\0', '€'])('[ENC-12] %j is no value', (value) => {
  expect(() => readUserHeaders({ name: value }, refuse)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

test('bytes above ASCII that Latin-1 can carry pass', () => {
  expect(readUserHeaders({ name: 'été' }, refuse)).toEqual(['name', 'été']);
});

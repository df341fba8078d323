import { type HeaderLookup, isMalformed, McpError, MetaKey, parseMessage, type Request } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { quietServer, recordingIO, requestOf } from './testing.ts';

const region = { type: 'string', 'x-mcp-header': 'Region' } as const;
const server = quietServer();
server.tool('plain', {}, () => 'x');
server.tool('routed', { input: { type: 'object', properties: { region } } }, () => 'x');
server.tool('gated', { requires: { sampling: {} } }, () => 'x');
server.tool('asking', {}, async (_args, ctx) => (await ctx.roots()).length.toString());
server.tool('odd', {}, () => 7 as never);
server.prompt('needy', { arguments: [{ name: 'a', required: true }], complete: { a: ['b'] } }, () => 'x');
server.prompt('broken', {}, () => {
  throw new TypeError('a bug');
});

const none = { [MetaKey.clientCapabilities]: {} };
const future = { [MetaKey.protocolVersion]: '2031-01-01' };
const complete = (params: object) => requestOf('completion/complete', params);
const plain = requestOf('tools/call', { name: 'plain' });
const routed = requestOf('tools/call', { name: 'routed', arguments: { region: 'eu' } });
const mirrored = (method: string, name: string, more: { readonly [header: string]: string } = {}): HeaderLookup => {
  const headers = new Map(
    Object.entries({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name, ...more }),
  );
  return (header) => headers.get(header);
};

/** What is wrong, with what it is answered, and the headers where they are what is wrong. */
const conditions: [code: number, what: string, request: Request | string, headers?: HeaderLookup][] = [
  [-32700, 'no JSON', '{"jsonrpc":'],
  [-32600, 'no message', '{"jsonrpc":"2.0","id":1}'],
  [-32600, 'a batch', '[]'],
  [-32601, 'an unknown method', requestOf('unknown/method')],
  [-32601, 'a method of older revisions', requestOf('ping')],
  [-32601, 'a feature that is not offered', requestOf('resources/list')],
  [-32602, 'no _meta', { method: 'tools/list', params: {} }],
  [-32602, 'params of another shape', requestOf('tools/call', { name: 7 })],
  [-32602, 'an unknown tool', requestOf('tools/call', { name: 'nothing' })],
  [-32602, 'an unknown prompt', requestOf('prompts/get', { name: 'nothing' })],
  [-32602, 'a prompt without its argument', requestOf('prompts/get', { name: 'needy' })],
  [-32602, 'a cursor that was never given', requestOf('tools/list', { cursor: 'nowhere' })],
  [-32602, 'an unknown level', requestOf('tools/list', {}, { [MetaKey.logLevel]: 'loud' })],
  [-32602, 'a forged state', requestOf('tools/call', { name: 'asking', requestState: 'forged' })],
  [
    -32602,
    'a completion of nothing',
    complete({ ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } }),
  ],
  [-32603, 'a handler that fails', requestOf('prompts/get', { name: 'broken' })],
  [-32603, 'a handler that returns what is no result', requestOf('tools/call', { name: 'odd' })],
  [
    -32020,
    'another version in the header',
    plain,
    mirrored('tools/call', 'plain', { 'mcp-protocol-version': '2031-01-01' }),
  ],
  [-32020, 'another method in the header', plain, mirrored('tools/list', 'plain')],
  [-32020, 'another name in the header', plain, mirrored('tools/call', 'routed')],
  [-32020, 'no header for a mirrored argument', routed, mirrored('tools/call', 'routed')],
  [-32020, 'a header that cannot be read', plain, mirrored('tools/call', '=?base64?!?=')],
  [-32021, 'a tool that needs what the client did not declare', requestOf('tools/call', { name: 'gated' }, none)],
  [-32021, 'a question that the client cannot answer', requestOf('tools/call', { name: 'asking' }, none)],
  [-32022, 'a version that is not served', requestOf('tools/list', {}, future)],
];

async function answered(request: Request | string, headers?: HeaderLookup): Promise<unknown> {
  if (typeof request === 'string') {
    const message = parseMessage(request);
    return isMalformed(message) ? message.error : message;
  }
  const refused = headers === undefined ? undefined : server.admit(request, headers);
  return refused ?? server.exchange(request, recordingIO()).catch((reason: unknown) => reason);
}

test.each(conditions)('[ERR-01] [ERR-06] %i: %s', async (code, _what, request, headers) => {
  const error = await answered(request, headers);
  expect(error).toBeInstanceOf(McpError);
  expect(error).toHaveProperty('code', code);
});

test('[ERR-06] what is right meets none of them', async () => {
  expect(server.admit(plain, mirrored('tools/call', 'plain'))).toBeUndefined();
  expect(server.admit(routed, mirrored('tools/call', 'routed', { 'mcp-param-region': 'eu' }))).toBeUndefined();
  expect(await answered(plain)).toHaveProperty('content');
});

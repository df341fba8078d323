import { checkMessage, isMalformed, McpError, type Request } from '@dragoman/protocol';
import { Server } from '@dragoman/server';
import { Broken, holds, jsonOf, type Target } from '../target.ts';

let fault: unknown;
const server = new Server({
  name: 'fuzzed',
  version: '1',
  onError: (error) => {
    fault = error;
  },
  onWarning: () => {},
  requestState: { keys: [{ id: 'a', secret: 'a'.repeat(32) }] },
});
const object = (properties: object) => ({ type: 'object', properties }) as const;
server.tool(
  'sum',
  { input: object({ a: { type: 'number' }, b: { type: 'number' } }), output: object({ sum: { type: 'number' } }) },
  ({ a, b }) => ({ structured: { sum: Number(a ?? 0) + Number(b ?? 0) } }),
);
server.tool('ask', {}, async (_, ctx) => {
  const { word } = await ctx.elicit('word', { message: 'Which?', schema: object({ word: { type: 'string' } }) });
  ctx.progress(1);
  ctx.log('info', 'asked');
  return String(word);
});
server.resourceTemplate('res://{id}{?page}', { name: 'r', complete: { id: () => ['1', '2'] } }, (uri) => uri);
server.resource('res://fixed', { name: 'fixed' }, () => 'fixed');
server.prompt('p', { arguments: [{ name: 'x', required: true }], complete: { x: () => ['y'] } }, ({ x }) => String(x));

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  'io.modelcontextprotocol/logLevel': 'debug',
  progressToken: 1,
};
const seed = (method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });

/** Whole requests: whatever is in them, the answer is a result or an error that says what is wrong, never a fault of ours. */
export const target: Target = {
  name: 'engine',
  seeds: [
    seed('tools/call', { name: 'sum', arguments: { a: 1, b: 2 } }),
    seed('tools/call', { name: 'ask', arguments: {} }),
    seed('tools/call', {
      name: 'ask',
      inputResponses: { word: { action: 'accept', content: { word: 'x' } } },
      requestState: '1.a.AAAA',
    }),
    seed('tools/list', { cursor: '1' }),
    seed('resources/read', { uri: 'res://1?page=2' }),
    seed('resources/templates/list', {}),
    seed('prompts/get', { name: 'p', arguments: { x: 'y' } }),
    seed('completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'x', value: '' } }),
    seed('completion/complete', {
      ref: { type: 'ref/resource', uri: 'res://{id}{?page}' },
      argument: { name: 'id', value: '1' },
      context: { arguments: { page: '1' } },
    }),
    seed('server/discover', {}),
    seed('subscriptions/listen', { notifications: { toolsListChanged: true, resourceSubscriptions: ['res://fixed'] } }),
    seed('initialize', { protocolVersion: '2025-11-25' }),
  ],
  words: [
    '"name":',
    '"arguments":',
    '"_meta":',
    '"cursor":',
    '"uri":',
    '"inputResponses":',
    '"requestState":',
    '"action":"accept"',
    '"content":',
    'tools/call',
    'res://',
    '"ref/prompt"',
  ],
  async run(input) {
    const json = jsonOf(input);
    if (json === undefined) return;
    const message = checkMessage(json.value);
    if (isMalformed(message) || !('method' in message)) return;
    const request = message as unknown as Request;
    const controller = new AbortController();
    fault = undefined;
    let answer: unknown;
    try {
      const call = server.exchange(request, { signal: controller.signal, notify: (sent) => void JSON.stringify(sent) });
      if (request.method === 'subscriptions/listen') controller.abort(new Error('enough'));
      answer = await call;
    } catch (error) {
      if (request.method === 'subscriptions/listen' && error === controller.signal.reason) return;
      if (!(error instanceof McpError)) throw error;
      holds(error.code !== -32603, `an internal error: ${error.message}`);
      answer = error.toObject();
    }
    // What was sent may be said again, and escaped, but not multiplied.
    holds((JSON.stringify(answer) ?? '').length < 4000 + 8 * input.length, 'an answer out of all proportion');
    if (fault !== undefined) throw new Broken(`a fault was reported: ${String(fault)}`);
  },
};

import { PassThrough } from 'node:stream';
import { DragomanError, McpError } from '@dragoman/protocol';
import { streamWire } from '../../packages/client/src/wires/stream.ts';
import { Broken, holds, type Target } from '../target.ts';

const answer = (id: string, text: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[{"type":"text","text":"${text}"}]}}\n`;

/** Bytes of a server on a stream: every call settles once, with what is an answer to it or with an error. */
export const target: Target = {
  name: 'stream-client',
  seeds: [
    answer('1', 'a') + answer('2', 'b'),
    answer('2', 'b') + answer('1', 'a') + answer('1', 'c'),
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}\n{"jsonrpc":"2.0","error":{"code":-32700,"message":"?"}}\n',
    '{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":3}}}\n',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}\n{"jsonrpc":"2.0","id":9,"method":"roots/list"}\n',
    'junk\n{"jsonrpc":"2.0","id":1,"result":7}\n',
  ],
  words: [
    '\n',
    '"id":1',
    '"id":2',
    '"id":3',
    '"result":{}',
    '"progressToken":',
    '"io.modelcontextprotocol/subscriptionId":3',
    '"method":',
  ],
  async run(input) {
    const [back, there] = [new PassThrough(), new PassThrough()];
    there.resume();
    const wire = streamWire(
      { readable: back, writable: there, name: 'fuzzed' },
      { closeGrace: 1, maxMessageBytes: 5000 },
    );
    const settled = [0, 0, 0];
    const requests = [
      { method: 'tools/call', params: { name: 'a', _meta: { progressToken: 1 } } },
      { method: 'tools/call', params: { name: 'b', _meta: { progressToken: 1 } } },
      { method: 'subscriptions/listen', params: { notifications: {} } },
    ];
    const calls = requests.map(async (request, index) => {
      try {
        const notify = (sent: unknown): void => {
          holds(settled[index] === 0, `a notification after the end: ${JSON.stringify(sent)}`);
        };
        const result = await wire.exchange(request, { signal: new AbortController().signal, notify });
        holds(typeof result === 'object' && result !== null, 'a result that is none');
      } catch (error) {
        if (!(error instanceof McpError || error instanceof DragomanError)) throw error;
      } finally {
        settled[index] = (settled[index] as number) + 1;
      }
    });
    await new Promise((resolve) => setImmediate(resolve));
    back.end(input);
    await Promise.all(calls);
    await wire.close();
    if (settled.some((times) => times !== 1)) throw new Broken(`calls settled ${settled.join()} times`);
  },
};

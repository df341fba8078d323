import { PassThrough } from 'node:stream';
import { Server, serveStream } from '@dragoman/server';
import { Broken, holds, type Target } from '../target.ts';

let fault: unknown;
const server = new Server({
  name: 'fuzzed',
  version: '1',
  onError: (error) => {
    fault = error;
  },
  onWarning: () => {},
});
server.tool('echo', {}, () => 'x');
server.tool(
  'hold',
  {},
  (_, ctx) => new Promise<string>((resolve) => ctx.signal.addEventListener('abort', () => resolve('x'))),
);

const meta =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
const call = (id: string, name: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}",${meta}}}\n`;

/** Bytes of a client on a stream: each line is answered at most once, and what follows is answered as ever. */
export const target: Target = {
  name: 'stream-server',
  seeds: [
    call('1', 'echo') + call('2', 'echo'),
    `${call('"a"', 'hold')}{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}\n`,
    `{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},${meta}}}\n`,
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}\n',
    'junk\n{}\n[]\nnull\n{"jsonrpc":"2.0","id":null,"method":"x"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n',
  ],
  words: [
    '\n',
    '"id":',
    '"method":"tools/call"',
    '"method":"notifications/cancelled"',
    '"requestId":',
    '"name":"hold"',
    '"name":"echo"',
    meta,
  ],
  async run(input) {
    const [readable, writable] = [new PassThrough(), new PassThrough()];
    const serving = serveStream(server, { readable, writable }, { grace: 5, limits: { maxMessageBytes: 5000 } });
    fault = undefined;
    let answers = '';
    writable.setEncoding('utf8').on('data', (text: string) => {
      answers += text;
    });
    readable.write(input);
    readable.end(`\n${call('"the last one"', 'echo')}`);
    await serving.closed;
    if (fault !== undefined) throw new Broken(`a fault was reported: ${String(fault)}`);
    let last = 0;
    for (const line of answers.split('\n')) {
      if (line === '') continue;
      const { id, result } = JSON.parse(line) as { id?: unknown; result?: unknown };
      if (id === 'the last one' && result !== undefined) last++;
    }
    holds(last === 1 || answers.includes('the last one'), 'a request behind the input was not answered');
  },
};

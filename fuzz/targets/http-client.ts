import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { DragomanError, McpError } from '@dragoman/protocol';
import { httpWire } from '../../packages/client/src/wires/http.ts';
import { holds, mendLength, type Target } from '../target.ts';

let server: Promise<Server> | undefined;
let answer: Uint8Array = new Uint8Array(0);
const sockets = new Set<Socket>();

/** Answers whatever comes with the input, and hangs up. */
function serve(): Promise<Server> {
  const made = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => socket.end(answer));
  });
  return new Promise((resolve) => made.listen(0, '127.0.0.1', () => resolve(made)));
}

const body = '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}';
const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';

/** Raw bytes from an HTTP server: the call settles once, with what is an answer to it or with an error. */
export const target: Target = {
  name: 'http-client',
  seeds: [
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ${progress}\n\nevent: message\ndata: ${body}\n\n`,
    `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n${(body.length + 8).toString(16)}\r\ndata: ${body}\n\n\r\n0\r\n\r\n`,
    'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}',
    'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer realm="x", Basic\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 307 Temporary Redirect\r\nLocation: /mcp/\r\nContent-Length: 0\r\n\r\n',
    `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    'HTTP/1.1 204 No Content\r\n\r\n',
  ],
  words: [
    ...[
      '\r\n',
      '\r\n\r\n',
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 101 X\r\n',
      'Content-Type: text/event-stream',
    ],
    ...[
      'Content-Type: application/json',
      'Content-Length: ',
      'Transfer-Encoding: chunked',
      'Content-Encoding: gzip',
      'Location: http://127.0.0.1:1/',
    ],
    ...['data: ', '\n\n', ': x', '; charset=latin1', body, progress],
  ],
  mend: mendLength,
  async run(input) {
    server ??= serve();
    answer = input;
    const { port } = (await server).address() as AddressInfo;
    const wire = httpWire(`http://127.0.0.1:${port}/mcp`, { env: {}, maxMessageBytes: 20_000 });
    let settled = 0;
    try {
      const request = { method: 'tools/call', params: { name: 'a', _meta: { progressToken: 1 } } };
      const notify = (): void => holds(settled === 0, 'a notification after the end');
      const result = await wire.exchange(request, { signal: new AbortController().signal, notify });
      holds(typeof result === 'object' && result !== null, 'a result that is none');
    } catch (error) {
      if (!(error instanceof McpError || error instanceof DragomanError)) throw error;
    }
    settled++;
    await wire.close();
  },
  async end() {
    const made = await server;
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => made?.close(resolve) ?? resolve(undefined));
  },
};

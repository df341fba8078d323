import { connect } from 'node:net';
import { type HttpServing, Server, serveHttp } from '@dragoman/server';
import { Broken, holds, mendLength, type Target } from '../target.ts';

let fault: unknown;
let serving: Promise<HttpServing> | undefined;

function serve(): Promise<HttpServing> {
  const server = new Server({
    name: 'fuzzed',
    version: '1',
    onError: (error) => {
      fault = error;
    },
    onWarning: () => {},
  });
  server.tool('echo', {}, () => 'x');
  return serveHttp(server, { allowedHosts: '*', limits: { maxBodyBytes: 20_000 } });
}

const body =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}';
const head =
  'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\nMCP-Protocol-Version: 2026-07-28\r\n';
const request = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;

/** Sends raw bytes and says no more; resolves to all that comes back. */
function send(port: number, input: Uint8Array | string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let got = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      got += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
    socket.on('end', () => socket.end());
    socket.end(input);
  });
}

let inputs = 0;

/** Raw bytes to an HTTP server: it answers or hangs up, never by a fault of its own, and others are served as ever. */
export const target: Target = {
  name: 'http-server',
  seeds: [
    request,
    request + request,
    `${head}Transfer-Encoding: chunked\r\n\r\n10\r\n${body.slice(0, 16)}\r\n${(body.length - 16).toString(16)}\r\n${body.slice(16)}\r\n0\r\n\r\n`,
    `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n',
    'OPTIONS /mcp HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nAccess-Control-Request-Method: POST\r\n\r\n',
    `${head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ],
  words: [
    ...[
      '\r\n',
      '\r\n\r\n',
      'Content-Length: ',
      'Transfer-Encoding: chunked',
      '0\r\n\r\n',
      'Host: ',
      'Origin: null',
      'HTTP/1.0',
      'HTTP/1.1',
    ],
    ...[
      'Connection: close',
      'Connection: upgrade',
      'Upgrade: h2c',
      'Expect: 100-continue',
      'Content-Encoding: gzip',
      'Mcp-Name: ',
      body,
      head,
    ],
  ],
  mend: mendLength,
  async run(input) {
    serving ??= serve();
    const { port } = await serving;
    fault = undefined;
    const got = await send(port, input);
    holds(got === '' || got.startsWith('HTTP/1.1 '), `what is no HTTP: ${JSON.stringify(got.slice(0, 100))}`);
    holds(!/^HTTP\/1\.1 50[0-2]/m.test(got), `a fault: ${JSON.stringify(got.slice(0, 300))}`);
    if (fault !== undefined) throw new Broken(`a fault was reported: ${String(fault)}`);
    if (inputs++ % 20 === 0) {
      const beside = await send(port, request);
      // A client that closes its half has gone; the answer may or may not reach it, but nothing else does.
      holds(
        beside === '' || beside.includes('"text":"x"'),
        `another client got ${JSON.stringify(beside.slice(0, 300))}`,
      );
    }
  },
  async end() {
    await (await serving)?.close();
    serving = undefined;
  },
};

import { connect, type Socket } from 'node:net';

/** The head of a POST to the endpoint, up to the blank line. */
export const head = (port: number, more = '', body = ''): string =>
  `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${more}${body}`;

/** A request as a client of 2026-07-28 would send it. */
export function call(port: number, tool: string, args: object, id: string | number = 1): string {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: tool, arguments: args, _meta: meta(id) },
  });
  return `${head(port)}Mcp-Method: tools/call\r\nMcp-Name: ${tool}\r\nMCP-Protocol-Version: 2026-07-28\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

export const meta = (token: string | number = 1) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'hostile', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
  progressToken: token,
});

/** The same as a line of a stream. */
export const line = (method: string, params: object, id: string | number): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta(id) } })}\n`;

/** Somebody who means no good: a raw connection. */
export interface Hostile {
  readonly socket: Socket;
  /** All that came. */
  readonly got: () => string;
  /** Resolves when it is connected. */
  readonly ready: Promise<void>;
  /** Resolves when it is over. */
  readonly gone: Promise<void>;
  /** Writes, and resolves when the system has taken it or the connection is over. */
  send(text: string | Uint8Array): Promise<void>;
}

/** @param reads whether it ever reads an answer */
export function hostile(port: number, reads = true): Hostile {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let got = '';
  socket.on('error', () => {});
  if (reads) {
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (got.length < 1_000_000) got += text;
    });
    socket.on('end', () => socket.end());
  }
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    socket,
    got: () => got,
    ready: new Promise((resolve) => {
      socket.once('connect', () => resolve());
      void gone.then(resolve);
    }),
    gone,
    send: (text) =>
      new Promise((resolve) => {
        if (!socket.writable) resolve();
        else socket.write(text, () => resolve());
        void gone.then(resolve);
      }),
  };
}

/** Ends all of them and waits until they are. */
export async function end(all: readonly Hostile[]): Promise<void> {
  for (const { socket } of all) socket.destroy();
  await Promise.all(all.map(({ gone }) => gone));
}

import type { Readable, Writable } from 'node:stream';
import { DragomanError } from '@dragoman/protocol';
import { checkCount, checkWait } from '../check-options.ts';
import { LineWire } from './line-wire.ts';
import { systemCode, whyBroken } from './outcomes.ts';
import { type BytePipe, nodePipe, webPipe } from './pipe.ts';
import type { Wire } from './wire.ts';
import { within } from './within.ts';

/** A pair of byte streams, of Node's kind or the web's, that a server reads and writes: messages in lines, as on stdio. */
export interface StreamTarget {
  /** What the server writes. */
  readonly readable: Readable | ReadableStream<Uint8Array>;
  /** What the server reads. */
  readonly writable: Writable | WritableStream<Uint8Array>;
  /** What to call it in messages. Default `stream N`. */
  readonly name?: string | undefined;
}

/** A server that listens on a Unix socket or a named pipe, or on a TCP port. */
export type SocketTarget = { readonly socketPath: string } | { readonly host: string; readonly port: number };

/** Options of wires over byte streams. */
export interface StreamOptions {
  /** The longest message that is read, in bytes. Default 64 MiB. A longer one is skipped, with a warning. */
  readonly maxMessageBytes?: number | undefined;
  /** How long the other side has to finish after `close()`, in milliseconds. Default 500. */
  readonly closeGrace?: number | undefined;
  /** How long opening a socket may take, in milliseconds. Default 10 000; 0 for no limit. */
  readonly connectTimeout?: number | undefined;
}

let streams = 0;

/**
 * A wire over any two byte streams (basic/transports, "Custom Transports"). Connection setup and authorization are the
 * caller's; framing and cancellation are those of stdio.
 */
export function streamWire(target: StreamTarget, options?: StreamOptions): Wire {
  checkOptions(options);
  const name = target.name ?? `stream ${++streams}`;
  const { readable, writable } = target;
  let pipe: BytePipe;
  if ('getReader' in readable && 'getWriter' in writable) pipe = webPipe(readable, writable);
  else if (!('getReader' in readable) && !('getWriter' in writable)) pipe = nodePipe(readable, writable);
  else {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      'A stream target needs two Node streams or two web streams, not one of each',
    );
  }
  return wireOver(pipe, name, `stream:${name}`, options);
}

/**
 * Opens a Unix socket (a named pipe on Windows) or a TCP connection and makes a wire over it. Node only. The signal gives up
 * opening it, and has no say afterwards.
 *
 * @throws DragomanError `CONNECTION_FAILED` where nobody listens there or nobody answers in time; `INVALID_ARGUMENT` for a
 * socket path that the system cannot hold.
 */
export async function socketWire(
  target: SocketTarget,
  options?: StreamOptions & { readonly signal?: AbortSignal | undefined },
): Promise<Wire> {
  checkOptions(options);
  const name = 'socketPath' in target ? target.socketPath : `${target.host}:${target.port}`;
  const { openSocket } = await import('#open-socket');
  const socket = await openSocket(target, name, options?.connectTimeout ?? 10_000, options?.signal);
  return wireOver(nodePipe(socket, socket), name, 'socketPath' in target ? `unix:${name}` : `tcp:${name}`, options);
}

function checkOptions(options: StreamOptions | undefined): void {
  checkWait('connectTimeout', options?.connectTimeout);
  checkWait('closeGrace', options?.closeGrace);
  checkCount('maxMessageBytes', options?.maxMessageBytes, 1);
}

function wireOver(pipe: BytePipe, target: string, identity: string, options: StreamOptions | undefined): Wire {
  return new LineWire(pipe, {
    kind: 'stream',
    target,
    identity,
    maxMessageBytes: options?.maxMessageBytes,
    explain: (cause) =>
      new DragomanError(
        'CONNECTION_CLOSED',
        cause === undefined
          ? `${target} closed the connection`
          : `The connection to ${target} broke: ${whyBroken(cause)}`,
        { cause, details: { code: systemCode(cause) } },
      ),
    async shutDown(end, ended) {
      end();
      await within(options?.closeGrace ?? 500, ended);
      pipe.destroy();
    },
  });
}

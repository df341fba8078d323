import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { DragomanError, show } from '@dragoman/protocol';
import { listenAbort, unlistenAbort } from '../abort.ts';
import { LONGEST_TIMER } from '../clock.ts';
import { systemCode, whyBroken } from './outcomes.ts';
import type { SocketTarget } from './stream.ts';

/** Opens a Unix socket, a named pipe or a TCP connection: what `socketWire` does. Resolves when it is open. */
export async function openSocket(
  target: SocketTarget,
  name: string,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  if ('socketPath' in target) checkSocketPath(target.socketPath);
  else checkAddress(target);
  if (signal?.aborted === true) throw givenUp(name, signal);
  const socket = connect(
    'socketPath' in target ? { path: target.socketPath } : { host: target.host, port: target.port },
  );
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: Error): void => {
      socket.destroy();
      reject(
        new DragomanError('CONNECTION_FAILED', `Cannot connect to ${name}: ${whyBroken(cause)}`, {
          cause,
          details: { code: systemCode(cause) },
        }),
      );
    };
    socket.once('error', failed);
    const limited = timeout > 0 && timeout !== Number.POSITIVE_INFINITY;
    const timer = limited
      ? setTimeout(() => failed(new Error(`no answer within ${timeout} ms`)), Math.min(timeout, LONGEST_TIMER))
      : undefined;
    const onAbort = (): void => {
      socket.destroy();
      reject(givenUp(name, signal));
    };
    if (signal !== undefined) listenAbort(signal, onAbort);
    const over = (): void => {
      clearTimeout(timer);
      if (signal !== undefined) unlistenAbort(signal, onAbort);
    };
    socket.once('connect', () => {
      over();
      socket.off('error', failed);
      resolve();
    });
    socket.once('close', over);
  });
  socket.setNoDelay(true);
  return socket;
}

const givenUp = (name: string, signal: AbortSignal | undefined): DragomanError =>
  new DragomanError('ABORTED', `Connecting to ${name} was aborted by its caller`, { cause: signal?.reason });

/** Node throws errors of its own over these. */
function checkAddress({ host, port }: { readonly host: string; readonly port: number }): void {
  if (typeof host !== 'string') throw new DragomanError('INVALID_ARGUMENT', `host must be a name, not ${show(host)}`);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return;
  throw new DragomanError('INVALID_ARGUMENT', `port must be a whole number from 1 to 65535, not ${show(port)}`);
}

/** The longest path of a Unix socket, in bytes: what `sockaddr_un` holds besides its closing zero. */
function checkSocketPath(path: string): void {
  if (typeof path !== 'string' || path === '') {
    throw new DragomanError('INVALID_ARGUMENT', `socketPath must be a path, not ${show(path)}`);
  }
  if (process.platform === 'win32') return;
  const max = process.platform === 'linux' ? 107 : 103;
  const size = new TextEncoder().encode(path).length;
  if (size <= max) return;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `The socket path is ${size} bytes long and the system allows ${max}: ${path}. Use a shorter directory.`,
  );
}

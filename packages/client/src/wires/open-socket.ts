import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { DragomanError } from '@dragoman/protocol';
import { systemCode, whyBroken } from './outcomes.ts';
import type { SocketTarget } from './stream.ts';

/** Opens a Unix socket, a named pipe or a TCP connection: what `socketWire` does. Resolves when it is open. */
export async function openSocket(target: SocketTarget, name: string, timeout: number): Promise<Socket> {
  if ('socketPath' in target) checkSocketPath(target.socketPath);
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
    const timer =
      timeout > 0 ? setTimeout(() => failed(new Error(`no answer within ${timeout} ms`)), timeout) : undefined;
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', failed);
      resolve();
    });
    socket.once('close', () => clearTimeout(timer));
  });
  socket.setNoDelay(true);
  return socket;
}

/** The longest path of a Unix socket, in bytes: what `sockaddr_un` holds besides its closing zero. */
function checkSocketPath(path: string): void {
  if (process.platform === 'win32') return;
  const max = process.platform === 'linux' ? 107 : 103;
  const size = new TextEncoder().encode(path).length;
  if (size <= max) return;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `The socket path is ${size} bytes long and the system allows ${max}: ${path}. Use a shorter directory.`,
  );
}

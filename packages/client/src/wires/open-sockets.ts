import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/**
 * Makes connections and remembers those that are open, so that closing ends even one that is still being made: undici
 * forgets about such a one, and the process would wait for it.
 */
export class OpenSockets {
  readonly #sockets = new Set<Socket>();

  /** A connector whose connections are remembered. */
  remember(connector: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      // It returns the socket that it opens, which its type does not tell.
      const socket = connector(options, callback) as unknown as Socket;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    };
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

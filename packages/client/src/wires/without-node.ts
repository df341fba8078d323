// What stands in for the parts that need Node where a bundle is made for something else: `imports` in package.json.
import { DragomanError } from '@dragoman/protocol';
import { fetchPort, globalFetch, refuseConnectionOptions } from './fetch.ts';

/** A bundle for browsers that runs in Node all the same, as in tests with a simulated page, sends by `fetch`. */
export const undiciPort: typeof import('./undici.ts').undiciPort = async (_url, options) => {
  refuseConnectionOptions(options);
  return fetchPort(globalFetch);
};

export const processWire: typeof import('./process-wire.ts').processWire = () =>
  Promise.reject(withoutNode('A program can be started'));

export const openSocket: typeof import('./open-socket.ts').openSocket = () =>
  Promise.reject(withoutNode('A socket can be opened'));

function withoutNode(what: string): DragomanError {
  return new DragomanError(
    'INVALID_ARGUMENT',
    `${what} only in Node, Bun and Deno, and @dragoman/client was bundled without its "node" condition. ` +
      'Connect to an http(s) URL, or have the bundler resolve packages with the condition "node"',
  );
}

// What stands in for the parts that need Node where a bundle is made for something else: `imports` in package.json.
import { DragomanError } from '@dragoman/protocol';

export const listen: typeof import('./listener.ts').listen = () =>
  Promise.reject(
    new DragomanError(
      'INVALID_ARGUMENT',
      'serveHttp works only in Node, Bun and Deno, and @dragoman/server was bundled without its "node" condition. ' +
        'Give toFetchHandler to the platform, or have the bundler resolve packages with the condition "node"',
    ),
  );

export const stopListening: typeof import('./listener.ts').stopListening = () => Promise.resolve();

/* The demo server and what serves it: a piece of its own, loaded only where it is meant. */
export { serveHttp, serveStdio } from '@dragoman/server';
export { createDemoServer } from '../../../examples/demo/server.ts';

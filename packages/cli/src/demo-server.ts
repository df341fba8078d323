import type { Server } from '@dragoman/server';
import { createDemoServer } from '../../../examples/demo/server.ts';
import { demoKey } from './state/demo-key.ts';
import { directoriesOf } from './state/directories.ts';

export { serveHttp, serveStdio } from '@dragoman/server';

/** The demo server of this machine's user. */
export function demoServer(env: NodeJS.ProcessEnv): Server {
  return createDemoServer({ requestState: { keys: [demoKey(directoriesOf(env).state)] } });
}

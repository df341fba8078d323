// node cold-client.mjs <client impl> <server impl>: import the client, connect over stdio, one tools/list, exit.
import { fileURLToPath } from 'node:url';

const [impl, server] = process.argv.slice(2);
const t0 = performance.now();
const { connectStdio } = await import(new URL(`../adapters/${impl}/client.mjs`, import.meta.url));
const t1 = performance.now();
const c = await connectStdio(process.execPath, [
  fileURLToPath(new URL(`../adapters/${server}/stdio-server.mjs`, import.meta.url)),
]);
const t2 = performance.now();
await c.list();
const t3 = performance.now();
process.stdout.write(JSON.stringify({ import: t1 - t0, connect: t2 - t1, list: t3 - t2 }));
void c.close();
process.exit(0);

// A resource that changes, and a client that is told: node examples/watch/watch.mjs COUNT
import { connect } from '@dragoman/client';
import { Server, serveHttp } from '@dragoman/server';

const count = Number(process.argv[2] ?? 3);

const server = new Server({ name: 'counter', version: '1.0.0' });
let value = 0;
const counter = server.resource('counter://now', { name: 'counter', mimeType: 'text/plain' }, () => String(value));
const timer = setInterval(() => {
  value += 1;
  counter.changed();
}, 50);
const serving = await serveHttp(server);

const client = await connect(serving.url);
const subscription = await client.listen({ resourceSubscriptions: ['counter://now'] });

let seen = 0;
for await (const event of subscription) {
  if (event.kind !== 'resource') continue;
  // An event says what changed, never to what.
  const { contents } = await client.readResource(event.uri);
  console.log(event.uri, contents.map((piece) => ('text' in piece ? piece.text : '(bytes)')).join());
  if (++seen === count) break;
}

clearInterval(timer);
await client.close();
await serving.close();

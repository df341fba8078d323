// A server that asks. Its key is the same in every process, so that any of them can go on with the answer.
import { Server, serveStdio } from '@dragoman/server';
import { z } from 'zod';

const server = new Server({
  name: 'later',
  version: '1.0.0',
  requestState: {
    keys: [{ id: 'example', secret: process.env.STATE_KEY ?? 'for this example alone: never use a key like that' }],
    ttlMs: 24 * 3_600_000,
  },
});

server.tool('book', { description: 'Books a table', input: z.object({ city: z.string() }) }, async ({ city }, ctx) => {
  const offer = await ctx.step('offer', () => Math.floor(Math.random() * 1000));
  const { date } = await ctx.elicit('date', {
    message: `When would you like a table in ${city}?`,
    schema: z.object({ date: z.iso.date() }),
  });
  return `Booked ${city} on ${date}, by offer ${offer}`;
});

serveStdio(server);

import { expect, test } from 'vitest';
import { asking, call, quietServer, textOf } from '../testing.ts';

const schema = { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] };

test('[MRTR-16] [T044] what may be done only once is told by a step of its own', async () => {
  const server = quietServer({ requestState: { keys: [{ id: 'k', secret: 'x'.repeat(32) }] } });
  const done = new Set<string>();
  let orders = 0;
  server.tool('order', {}, async (_args, ctx) => {
    const id = await ctx.step('id', () => crypto.randomUUID());
    await ctx.elicit('sure', { message: 'Sure?', schema });
    if (done.has(id)) throw new Error('This was ordered already');
    done.add(id);
    return `Order ${++orders}`;
  });
  const order = async () => {
    const { requestState } = asking(await call(server, 'order'));
    const inputResponses = { sure: { action: 'accept', content: { sure: true } } };
    return () => call(server, 'order', undefined, { requestState, inputResponses });
  };

  const first = await order();
  expect(textOf(await first())).toBe('Order 1');
  expect(await first()).toMatchObject({ isError: true, content: [{ text: 'This was ordered already' }] });
  // Another order is another one, however alike they look.
  const second = await order();
  expect(textOf(await second())).toBe('Order 2');
});

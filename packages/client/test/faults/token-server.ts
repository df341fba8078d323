import { Server } from '@dragoman/server';

/** A server whose every answer carries what its caller alone knows. */
export function tokenServer() {
  let running = 0;
  let held: (() => void)[] = [];
  let arrived: (() => void) | undefined;
  const server = new Server({ name: 'tokens', version: '1.0.0', onError: () => {}, onWarning: () => {} });
  const input = { type: 'object', properties: { token: { type: 'string' }, count: { type: 'integer' } } } as const;
  server.tool('echo', { input }, ({ token }) => String(token));
  server.tool('steps', { input }, ({ token, count }, ctx) => {
    for (let step = 1; step <= Number(count); step++) ctx.progress(step, Number(count), String(token));
    return String(token);
  });
  server.tool('big', { input }, ({ token, count }) => `${token}${'é'.repeat(Number(count))}`);
  server.tool('hold', { input }, async ({ token }, ctx) => {
    running++;
    arrived?.();
    await new Promise<void>((resolve) => {
      held.push(resolve);
      ctx.signal.addEventListener('abort', () => resolve());
      if (ctx.signal.aborted) resolve();
    });
    running--;
    return String(token);
  });
  server.tool('ask', { input }, async ({ token }, ctx) => {
    const { word } = await ctx.elicit('word', {
      message: `For ${token}?`,
      schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    });
    return `${token} ${word}`;
  });
  server.resource('res://a', { name: 'a' }, () => 'a');
  return {
    server,
    /** Handlers of `hold` that have neither answered nor been aborted. */
    get running() {
      return running;
    },
    /** Resolves when so many run. */
    holding: (count: number) =>
      new Promise<void>((resolve) => {
        arrived = () => {
          if (running >= count) resolve();
        };
        arrived();
      }),
    release(): void {
      for (const resolve of held) resolve();
      held = [];
    },
  };
}

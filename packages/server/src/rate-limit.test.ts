import { httpStatusOf, type McpError, type Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { type RateLimitOptions, rateLimit } from './rate-limit.ts';
import { type QuietServer, quietServer, recordingIO, requestOf } from './testing.ts';

/** A server under a limit, and what its clock shows. */
function limited(options: RateLimitOptions): { server: QuietServer; time: { now: number } } {
  const time = { now: 0 };
  const server = quietServer();
  server.tool('t', {}, () => 'ok');
  server.prompt('p', { arguments: [{ name: 'a' }], complete: { a: ['x'] } }, () => 'hello');
  server.use(rateLimit({ clock: () => time.now, ...options }));
  return { server, time };
}

const ask = (server: QuietServer, principal?: string, method = 'tools/call'): Promise<Result> =>
  server.exchange(
    method === 'completion/complete'
      ? requestOf(method, { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } })
      : requestOf(method, { name: 't' }),
    recordingIO(principal === undefined ? undefined : { principal }),
  );

const refusal = async (asked: Promise<Result>): Promise<McpError> =>
  asked.then(
    () => expect.fail('was not refused'),
    (error: McpError) => error,
  );

describe('[TOOL-40] [COMP-09] a caller who asks too often is refused', () => {
  test('when what may come at once has come, until there is room for one more', async () => {
    const { server, time } = limited({ burst: 3, perSecond: 2 });
    for (let n = 0; n < 3; n++) await ask(server);
    const error = await refusal(ask(server));
    expect(error.toObject()).toEqual({
      code: -32603,
      message: 'Too many requests; try again in 500 ms',
      data: { limit: 'perSecond', value: 2, retryAfterMs: 500 },
    });
    expect(httpStatusOf(error)).toBe(429);
    time.now = 499;
    await refusal(ask(server));
    // Those that were refused cost nothing.
    time.now = 500;
    await ask(server);
    await refusal(ask(server));
  });

  test('and who was quiet for long has no more than may come at once', async () => {
    const { server, time } = limited({ burst: 2, perSecond: 10 });
    await ask(server);
    time.now = 3_600_000;
    await ask(server);
    await ask(server);
    await refusal(ask(server));
  });

  test('each for himself; who is not known, together', async () => {
    const { server } = limited({ burst: 1 });
    await ask(server, 'ada');
    await ask(server, 'bob');
    await ask(server);
    await refusal(ask(server, 'ada'));
    await refusal(ask(server));
  });

  test('completions too, and nothing else unless it is named', async () => {
    const { server } = limited({ burst: 1 });
    await ask(server, 'a', 'completion/complete');
    await refusal(ask(server, 'a', 'completion/complete'));
    for (let n = 0; n < 5; n++) await ask(server, 'a', 'tools/list');
    const lists = limited({ burst: 1, methods: ['tools/list'] }).server;
    await ask(lists, 'a', 'tools/list');
    await refusal(ask(lists, 'a', 'tools/list'));
    await ask(lists, 'a');
    await ask(lists, 'a');
  });

  test('by whatever tells callers apart', async () => {
    const { server } = limited({ burst: 1, caller: (_request, io) => io.auth?.principal?.slice(0, 1) });
    await ask(server, 'ada');
    await refusal(ask(server, 'ann'));
    await ask(server);
    await ask(server);
  });
});

test('no more callers are remembered than may be; the quietest goes first', async () => {
  const { server } = limited({ burst: 1, maxCallers: 2 });
  await ask(server, 'a');
  await ask(server, 'b');
  await refusal(ask(server, 'a'));
  await ask(server, 'c');
  await ask(server, 'b');
  await refusal(ask(server, 'c'));
});

test('a clock that was set back takes nothing away', async () => {
  const { server, time } = limited({ burst: 2, perSecond: 1 });
  time.now = 10_000;
  await ask(server);
  time.now = 0;
  await ask(server);
  await refusal(ask(server));
  time.now = 1_000;
  await ask(server);
});

test.each([{ burst: 0 }, { perSecond: -1 }, { maxCallers: Number.NaN }])('%j is refused', (options) => {
  expect(() => rateLimit(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

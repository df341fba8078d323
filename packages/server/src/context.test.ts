import { type LoggingLevel, loggingLevels, MetaKey } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import type { Context } from './context.ts';
import { call, quietServer, recordingIO } from './testing.ts';

/** Runs this inside a tool's handler; gives what was sent. */
async function inside(run: (ctx: Context) => void, meta: object = {}, options = {}) {
  const server = quietServer(options);
  server.tool('it', {}, (_args, ctx) => run(ctx));
  const io = recordingIO({ principal: 'alice' });
  const result = await call(server, 'it', undefined, { meta, io });
  return { sent: io.sent, server, result };
}

describe('progress', () => {
  test('[PROG-03] goes out with the token it was asked with', async () => {
    const { sent } = await inside(
      (ctx) => {
        ctx.progress(0, 3);
        ctx.progress(1.5, 3, 'half way');
        ctx.progress(3);
      },
      { progressToken: 'abc' },
    );
    expect(sent).toEqual([
      { method: 'notifications/progress', params: { progressToken: 'abc', progress: 0, total: 3 } },
      {
        method: 'notifications/progress',
        params: { progressToken: 'abc', progress: 1.5, total: 3, message: 'half way' },
      },
      { method: 'notifications/progress', params: { progressToken: 'abc', progress: 3 } },
    ]);
  });

  test.each([0, ''])('[T027] %j is a token', async (progressToken) => {
    const { sent } = await inside((ctx) => ctx.progress(1), { progressToken });
    expect(sent[0]?.params).toEqual({ progressToken, progress: 1 });
  });

  test.each([undefined, null, {}, true])('[PROG-13] %s is none', async (progressToken) => {
    const { sent } = await inside((ctx) => ctx.progress(1), { progressToken });
    expect(sent).toEqual([]);
  });

  test.each([
    ['the same', [1, 1]],
    ['less', [2, 1]],
    ['no number', [1, Number.NaN]],
    ['infinite', [1, Number.POSITIVE_INFINITY]],
  ])('[PROG-04] [T063] %s is dropped with a warning', async (_, values) => {
    const { sent, server } = await inside(
      (ctx) => {
        for (const value of values) ctx.progress(value);
      },
      { progressToken: 1 },
    );
    expect(sent).toHaveLength(1);
    expect(server.warnings).toHaveLength(1);
    expect(server.warnings[0]).toContain('PROGRESS_ORDER: tools/call "it" reported progress');
  });

  test('[PROG-08] [T064] nothing after the result', async () => {
    let kept: Context | undefined;
    const { sent } = await inside(
      (ctx) => {
        kept = ctx;
      },
      { progressToken: 1, [MetaKey.logLevel]: 'debug' },
    );
    kept?.progress(1);
    kept?.log('error', 'late');
    expect(sent).toEqual([]);
  });
});

describe('log', () => {
  test('[LOG-07] goes out to whoever asked', async () => {
    const { sent } = await inside(
      (ctx) => {
        ctx.log('info', 'words');
        ctx.log('error', { code: 1 }, 'db');
      },
      { [MetaKey.logLevel]: 'debug' },
    );
    expect(sent).toEqual([
      { method: 'notifications/message', params: { level: 'info', data: 'words' } },
      { method: 'notifications/message', params: { level: 'error', logger: 'db', data: { code: 1 } } },
    ]);
  });

  test.each([undefined, null])('[LOG-02] [T065] with the level %s nothing is sent', async (level) => {
    const { sent } = await inside((ctx) => ctx.log('emergency', 'x'), { [MetaKey.logLevel]: level });
    expect(sent).toEqual([]);
  });

  test.each(loggingLevels.map((level, at) => [level, at] as const))(
    '[LOG-03] [LOG-05] %s is a threshold',
    async (threshold, at) => {
      const { sent } = await inside(
        (ctx) => {
          for (const level of loggingLevels) ctx.log(level, 'x');
        },
        { [MetaKey.logLevel]: threshold },
      );
      expect(sent.map(({ params }) => params?.level)).toEqual(loggingLevels.slice(at));
    },
  );

  test('[LOG-01] without the capability nothing is sent', async () => {
    const { sent, server } = await inside(
      (ctx) => ctx.log('error', 'x'),
      { [MetaKey.logLevel]: 'debug' },
      { logging: false },
    );
    expect(sent).toEqual([]);
    expect(server.capabilities).not.toHaveProperty('logging');
  });

  test('an unknown level is an error of the handler', async () => {
    const { result } = await inside((ctx) => ctx.log('loud' as LoggingLevel, 'x'), { [MetaKey.logLevel]: 'debug' });
    expect(result).toMatchObject({ isError: true });
  });
});

test('who asks, with what, and in which revision', async () => {
  const info = { name: 'client', version: '1' };
  let seen: unknown;
  await inside(
    (ctx) => {
      seen = { auth: ctx.auth, client: ctx.client, own: ctx.meta['com.example/x'], aborted: ctx.signal.aborted };
    },
    { [MetaKey.clientInfo]: info, [MetaKey.clientCapabilities]: { roots: {} }, 'com.example/x': 7 },
  );
  expect(seen).toEqual({
    auth: { principal: 'alice' },
    client: { info, capabilities: { roots: {} }, version: '2026-07-28' },
    own: 7,
    aborted: false,
  });
});

test('[META-11] a clientInfo that is none is absent', async () => {
  let seen: unknown = 'not run';
  await inside(
    (ctx) => {
      seen = ctx.client.info;
    },
    { [MetaKey.clientInfo]: 'me' },
  );
  expect(seen).toBeUndefined();
});

test('[META-08] [T046] what can be asked follows from this very request', async () => {
  const can = async (capabilities: object) => {
    const able: string[] = [];
    await inside(
      (ctx) => {
        for (const what of ['form', 'url', 'sampling', 'sampling.tools', 'sampling.context', 'roots'] as const) {
          if (ctx.can(what)) able.push(what);
        }
      },
      { [MetaKey.clientCapabilities]: capabilities },
    );
    return able;
  };
  expect(await can({})).toEqual([]);
  expect(await can({ elicitation: {} })).toEqual(['form']);
  expect(await can({ elicitation: { url: {} } })).toEqual(['url']);
  expect(await can({ sampling: { tools: {} }, roots: {} })).toEqual(['sampling', 'sampling.tools', 'roots']);
  expect(await can({ sampling: { context: {} } })).toEqual(['sampling', 'sampling.context']);
});

describe('what cannot be told', () => {
  /** As wires do it: in writing, at once. */
  async function written(run: (ctx: Context) => void, meta: object) {
    const server = quietServer();
    server.tool('it', {}, (_args, ctx) => {
      run(ctx);
      return 'done';
    });
    const sent: string[] = [];
    const io = { ...recordingIO(), notify: (notification: object) => void sent.push(JSON.stringify(notification)) };
    const result = await call(server, 'it', undefined, { meta, io: io as never });
    return { sent, server, result };
  }

  test('is reported, and the call is what it would have been without being asked to tell', async () => {
    const circular: { self?: object } = {};
    circular.self = circular;
    const { sent, server, result } = await written(
      (ctx) => {
        ctx.log('info', circular);
        ctx.log('info', 1n);
        ctx.progress(1, 5n as never);
        ctx.progress(2n as never);
        ctx.progress(Symbol('x') as never);
        ctx.log('info', 'told');
      },
      { [MetaKey.logLevel]: 'debug', progressToken: 1 },
    );
    expect(result).toMatchObject({ content: [{ text: 'done' }] });
    expect(sent).toHaveLength(1);
    expect(server.errors).toHaveLength(3);
    expect(server.warnings).toHaveLength(2);
  });

  test('[LOG-03] nothing at all is null: a message without data is none', async () => {
    const { sent } = await written((ctx) => ctx.log('info', undefined), { [MetaKey.logLevel]: 'debug' });
    expect(JSON.parse(sent[0] as string).params).toEqual({ level: 'info', data: null });
  });
});

test.each([Number.POSITIVE_INFINITY, Number.NaN])(
  '[PROG-13] a token of %s could not be sent back, and is none',
  async (progressToken) => {
    const { sent } = await inside((ctx) => ctx.progress(1), { progressToken });
    expect(sent).toEqual([]);
  },
);

test('a question after the handler has returned is told to come too late', async () => {
  let kept: Context | undefined;
  await inside((ctx) => {
    kept = ctx;
  });
  await expect(kept?.roots()).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(kept?.elicit('k', { message: 'm', schema: { type: 'object' } })).rejects.toThrow(
    'The question "k" comes too late',
  );
});

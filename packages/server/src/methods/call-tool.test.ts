import {
  ErrorCode,
  httpStatusOf,
  McpError,
  MetaKey,
  missingCapability,
  type StandardSchemaV1,
} from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ToolOutput } from '../registry/tool.ts';
import { call, quietServer, recordingIO, textOf } from '../testing.ts';

const stamp = { [MetaKey.serverInfo]: { name: 'test', version: '1.2.3' } };

/** The result of a tool that returns this. */
async function returning(output: unknown, definition: object = {}) {
  const server = quietServer();
  server.tool('it', definition, () => output as ToolOutput);
  return call(server, 'it');
}

const text = (words: string) => ({ type: 'text', text: words });

describe('[TOOL-22] what handlers return becomes a result', () => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };

  test.each<[string, unknown, object]>([
    ['a string', 'hello', { content: [text('hello')] }],
    ['an empty string', '', { content: [text('')] }],
    ['nothing', undefined, { content: [] }],
    ['a block', image, { content: [image] }],
    ['blocks', [image, text('x')], { content: [image, text('x')] }],
    ['no blocks', [], { content: [] }],
    ['a text', { text: 'x' }, { content: [text('x')] }],
    ['a text and blocks', { text: 'x', content: [image] }, { content: [text('x'), image] }],
    ['content', { content: [image] }, { content: [image] }],
    ['an error', { text: 'no', isError: true }, { content: [text('no')], isError: true }],
    ['only isError', { isError: true }, { content: [], isError: true }],
    [
      'a full result',
      { resultType: 'complete', content: [text('x')], structuredContent: 1 },
      { content: [text('x')], structuredContent: 1 },
    ],
    ['unknown members', { content: [], 'com.example/x': 1 }, { content: [], 'com.example/x': 1 }],
    ['[R10] structured data', { structured: { a: 1 } }, { content: [text('{"a":1}')], structuredContent: { a: 1 } }],
    [
      '[TOOL-27] structured data with words',
      { text: 'one', structured: 1 },
      { content: [text('one')], structuredContent: 1 },
    ],
    [
      '[R10] structured data with empty content',
      { structured: 1, content: [] },
      { content: [text('1')], structuredContent: 1 },
    ],
    ['[T091] null', { structured: null }, { content: [text('null')], structuredContent: null }],
    ['[T091] 0', { structured: 0 }, { content: [text('0')], structuredContent: 0 }],
    ['[T091] false', { structuredContent: false }, { content: [text('false')], structuredContent: false }],
    ['[T091] a list', { structured: [] }, { content: [text('[]')], structuredContent: [] }],
  ])('%s', async (_, output, expected) => {
    expect(await returning(output)).toEqual({ resultType: 'complete', ...expected, _meta: stamp });
  });

  test('[META-10] the server is named beside what the handler put into _meta', async () => {
    expect(await returning({ text: 'x', _meta: { 'com.example/x': 1 } })).toMatchObject({
      _meta: { ...stamp, 'com.example/x': 1 },
    });
  });

  test('whatever is thenable is waited for', async () => {
    // biome-ignore lint/suspicious/noThenProperty: that is what is tried
    expect(await returning({ then: (resolve: (words: string) => void) => resolve('later') })).toMatchObject({
      content: [text('later')],
    });
  });

  test('what the handler holds on to is not changed', async () => {
    const shared = Object.freeze({ content: Object.freeze([Object.freeze(text('x'))]) });
    expect(await returning(shared)).toMatchObject({ resultType: 'complete', content: [text('x')], _meta: stamp });
    expect(shared).not.toHaveProperty('_meta');
  });

  test("[RT-03] another extension's kind of result passes", async () => {
    const task = { resultType: 'task', taskId: 't', status: 'working' };
    expect(await returning(task)).toEqual({ ...task, _meta: stamp });
  });

  test.each([7, null, true, {}, { unknown: 1 }, [7], ['x'], { content: 'x' }, { content: [null] }, { content: [{}] }])(
    'what is no result, such as %j, is the fault of the server',
    async (output) => {
      const server = quietServer();
      server.tool('it', {}, () => output as ToolOutput);
      await expect(call(server, 'it')).rejects.toMatchObject({
        code: -32603,
        message: 'Internal error',
        data: undefined,
      });
      expect(String(server.errors[0])).toContain('Tool "it" returned');
    },
  );

  test('structured output that is no JSON is the fault of the server', async () => {
    const server = quietServer();
    server.tool('it', {}, () => ({ structured: 1n }));
    await expect(call(server, 'it')).rejects.toMatchObject({ code: -32603 });
    expect(server.errors).toHaveLength(1);
  });
});

describe('[TOOL-28] structured output follows the output schema', () => {
  const output = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };

  test('what fits is sent', async () => {
    expect(await returning({ structured: { sum: 1 } }, { output })).toMatchObject({ structuredContent: { sum: 1 } });
  });

  test.each([
    ['what does not fit', { structured: { sum: 'x' } }, 'sum'],
    ['none', 'just words', 'no structured output'],
    ['nothing at all', undefined, 'no structured output'],
  ])('%s is the fault of the server, told with the paths', async (_, returned, reason) => {
    const server = quietServer();
    server.tool('it', { output }, () => returned as ToolOutput);
    await expect(call(server, 'it')).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
    expect(String(server.errors[0])).toContain(reason);
  });

  test('[T092] [R01] an error needs none', async () => {
    expect(await returning({ text: 'no', isError: true }, { output })).toMatchObject({ isError: true });
    expect(await returning({ structured: 'junk', isError: true }, { output })).toMatchObject({
      structuredContent: 'junk',
    });
  });

  test('a Standard Schema sends what it makes of it', async () => {
    const server = quietServer();
    const made = z
      .object({ at: z.date() })
      .transform(({ at }) => ({ at: at.toISOString() }))
      .pipe(z.object({ at: z.string() }));
    server.tool('it', { output: made }, () => ({ structured: { at: new Date(0) } }));
    const result = await call(server, 'it');
    expect(result).toMatchObject({ structuredContent: { at: '1970-01-01T00:00:00.000Z' } });
    expect(textOf(result)).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });

  test('[TOOL-11] of any type', async () => {
    expect(await returning({ structured: null }, { output: { type: 'null' } })).toMatchObject({
      structuredContent: null,
    });
    expect(await returning({ structured: [1] }, { output: { type: 'array' } })).toMatchObject({
      structuredContent: [1],
    });
  });
});

describe('what goes wrong', () => {
  test('[T090] an unknown tool is an error of the protocol', async () => {
    await expect(call(quietServer({}), 'x')).rejects.toHaveProperty('code', -32601);
    const server = quietServer();
    server.tool('it', {}, () => 'ok');
    const error = await call(server, 'other').catch((reason: McpError) => reason);
    expect(error).toMatchObject({ code: -32602, message: 'Unknown tool: other', data: { name: 'other' } });
    expect(httpStatusOf(error as McpError)).toBe(200);
  });

  test('[TOOL-38] [T089] arguments that do not fit are for the model to correct', async () => {
    const server = quietServer();
    server.tool('it', { input: { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } } }, () => 'ok');
    const result = await call(server, 'it', { n: 0 });
    expect(result).toMatchObject({ resultType: 'complete', isError: true, _meta: stamp });
    expect(textOf(result)).toMatch(/^Invalid arguments for tool it: n: /);
  });

  test('[TOOL-31] what a tool throws is told without the stack', async () => {
    const server = quietServer();
    const thrown = new Error('the disk is full');
    server.tool('sync', {}, () => {
      throw thrown;
    });
    server.tool('async', {}, async () => {
      throw thrown;
    });
    for (const name of ['sync', 'async']) {
      expect(await call(server, name)).toEqual({
        resultType: 'complete',
        content: [text('the disk is full')],
        isError: true,
        _meta: stamp,
      });
    }
    expect(server.errors).toEqual([thrown, thrown]);
  });

  test.each([
    ['a string', 'words', 'words'],
    ['undefined', undefined, 'undefined'],
    ['an error without a message', new TypeError(), 'TypeError'],
  ])('%s may be thrown too', async (_, thrown, words) => {
    const server = quietServer();
    server.tool('it', {}, () => {
      throw thrown;
    });
    expect(await call(server, 'it')).toMatchObject({ isError: true, content: [text(words)] });
  });

  test('an McpError crosses as it is', async () => {
    const server = quietServer();
    const thrown = new McpError(42, 'own', { data: { x: 1 } });
    server.tool('it', {}, () => {
      throw thrown;
    });
    await expect(call(server, 'it')).rejects.toBe(thrown);
    expect(server.errors).toEqual([]);
  });

  test('[T025] -32021 of a handler keeps its status', async () => {
    const server = quietServer();
    server.tool('it', {}, () => {
      throw missingCapability('needs sampling', { sampling: {} });
    });
    const error = (await call(server, 'it').catch((reason: unknown) => reason)) as McpError;
    expect(error.data).toEqual({ requiredCapabilities: { sampling: {} } });
    expect(httpStatusOf(error)).toBe(400);
  });

  test.each([
    [ErrorCode.LegacyResourceNotFound, -32602],
    [ErrorCode.LegacyUrlElicitationRequired, -32603],
  ])('[T048] [ERR-10] %i is never sent', async (code, sent) => {
    const server = quietServer();
    server.tool('it', {}, () => {
      throw new McpError(code, 'gone', { data: { uri: 'x' } });
    });
    await expect(call(server, 'it')).rejects.toMatchObject({ code: sent, message: 'gone', data: { uri: 'x' } });
    expect(server.warnings[0]).toContain('LEGACY_ERROR_CODE');
  });

  test.each([-32_023, -32_050, -32_099])(
    '[ERR-05] %i, which the protocol keeps for itself, is never sent',
    async (code) => {
      const server = quietServer();
      server.tool('it', {}, () => {
        throw new McpError(code, 'mine', { data: { x: 1 } });
      });
      await expect(call(server, 'it')).rejects.toMatchObject({ code: -32603, message: 'mine', data: { x: 1 } });
      expect(server.warnings).toEqual([expect.stringMatching(`^RESERVED_ERROR_CODE: .*${code}`)]);
    },
  );

  test.each([-32_019, -32_100, 7])('[ERR-15] %i is the handler’s own and crosses', async (code) => {
    const server = quietServer();
    server.tool('it', {}, () => {
      throw new McpError(code, 'mine');
    });
    await expect(call(server, 'it')).rejects.toMatchObject({ code });
    expect(server.warnings).toEqual([]);
  });

  test('after the client gave up, nobody is troubled', async () => {
    const server = quietServer();
    const controller = new AbortController();
    server.tool('it', {}, (_args, ctx) => {
      controller.abort();
      ctx.signal.throwIfAborted();
      return 'ok';
    });
    await call(server, 'it', undefined, { io: recordingIO(undefined, controller.signal) });
    expect(server.errors).toEqual([]);
  });

  test('a schema that the engine cannot compile is the fault of the server', async () => {
    const schemaEngine = {
      name: 'broken',
      compile: () => {
        throw new Error('cannot');
      },
    };
    const server = quietServer({ schemaEngine });
    server.tool('it', { input: { type: 'object' } }, () => 'ok');
    await expect(call(server, 'it', {})).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
    expect(String(server.errors[0])).toContain('cannot');
  });

  test('a Standard Schema whose check fails is the fault of the server', async () => {
    const server = quietServer();
    const input: StandardSchemaV1<object, object> = {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: () => Promise.reject(new Error('no database')),
        jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
      },
    };
    server.tool('it', { input }, () => 'ok');
    await expect(call(server, 'it', { x: 'y' })).rejects.toMatchObject({ code: -32603 });
    expect(String(server.errors[0])).toContain('no database');
  });
});

test('[Z15] [STATE-02] calls at once keep their own context', async () => {
  const server = quietServer();
  server.tool('who', { input: z.object({ wait: z.boolean() }) }, async ({ wait }, ctx) => {
    if (wait) await new Promise((resolve) => setImmediate(resolve));
    ctx.progress(1);
    return `${ctx.auth?.principal} ${ctx.client.info?.name}`;
  });
  const ask = async (principal: string, wait: boolean) => {
    const io = recordingIO({ principal });
    const meta = { progressToken: 1, [MetaKey.clientInfo]: { name: `client of ${principal}`, version: '1' } };
    return { answer: textOf(await call(server, 'who', { wait }, { io, meta })), sent: io.sent.length };
  };
  expect(await Promise.all([ask('alice', true), ask('bob', false), ask('carol', true)])).toEqual([
    { answer: 'alice client of alice', sent: 1 },
    { answer: 'bob client of bob', sent: 1 },
    { answer: 'carol client of carol', sent: 1 },
  ]);
});

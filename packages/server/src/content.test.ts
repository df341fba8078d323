import type { GetPromptResult, Resource } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { blockProblem, isBase64, messageProblem } from './content.ts';
import { inputRequired } from './input/input-required.ts';
import { call, quietServer, recordingIO, requestOf } from './testing.ts';

const text = { type: 'text', text: 'x' };
const dot = 'iVBORw0KGgo=';

describe('[TOOL-23] [PRM-11] blocks that may be sent', () => {
  test.each([
    [text],
    [{ type: 'text', text: '' }],
    [{ type: 'image', data: dot, mimeType: 'image/png' }],
    [{ type: 'audio', data: '', mimeType: 'audio/wav; rate=8000' }],
    [{ type: 'resource_link', uri: 'x:y', name: 'y' }],
    [{ type: 'resource', resource: { uri: 'x:y', text: '' } }],
    [{ type: 'resource', resource: { uri: 'x:y', blob: dot, mimeType: 'image/png' } }],
    [{ ...text, annotations: { audience: ['user'] }, _meta: { 'com.example/x': 1 }, more: true }],
    [{ type: 'com.example/chart', points: [] }],
  ])('%j', (block) => {
    expect(blockProblem(block)).toBeUndefined();
    expect(messageProblem({ role: 'user', content: block })).toBeUndefined();
  });
});

describe('blocks that break the schema are not sent', () => {
  test.each([
    [null, 'without a type'],
    [['x'], 'without a type'],
    [{ text: 'x' }, 'without a type'],
    [{ type: 'text' }, 'text is no string'],
    [{ type: 'image', mimeType: 'image/png' }, 'no Base64'],
    [{ type: 'image', data: new Uint8Array([1]), mimeType: 'image/png' }, 'no Base64'],
    [{ type: 'image', data: 'not base64', mimeType: 'image/png' }, 'no Base64'],
    [{ type: 'image', data: 'iVBORw0KGgo', mimeType: 'image/png' }, 'no Base64'],
    [{ type: 'image', data: dot }, 'mimeType is missing'],
    [{ type: 'image', data: dot, mimeType: 'png' }, 'mimeType is "png"'],
    [{ type: 'audio', data: 'data:audio/wav;base64,AAAA', mimeType: 'audio/wav' }, 'no Base64'],
    [{ type: 'audio', data: dot, mimeType: '' }, 'mimeType is ""'],
    [{ type: 'resource_link', name: 'y' }, 'uri is no string'],
    [{ type: 'resource_link', uri: 'x:y' }, 'without a name'],
    [{ type: 'resource' }, 'uri is no string'],
    [{ type: 'resource', resource: { text: 'x' } }, 'uri is no string'],
    [{ type: 'resource', resource: { uri: 'x:y' } }, 'neither text nor a blob'],
    [{ type: 'resource', resource: { uri: 'x:y', blob: '*' } }, 'neither text nor a blob'],
  ])('[PRM-08] [PRM-09] [PRM-10] [TOOL-23] %j', (block, problem) => {
    expect(blockProblem(block)).toContain(problem);
    expect(messageProblem({ role: 'user', content: block })).toContain(problem);
  });

  test.each([
    ['x', 'no object'],
    [{ content: text }, 'role is missing'],
    [{ role: 'system', content: text }, 'role is "system"'],
    [{ role: 'user', content: 'x' }, 'without a type'],
    [{ role: 'user', content: [text] }, 'without a type'],
    [{ role: 'assistant' }, 'without a type'],
  ])('[PRM-07] a message of a prompt: %j', (message, problem) => {
    expect(messageProblem(message)).toContain(problem);
  });

  test.each(['=', 'A', 'AAA', 'AA=A', '====', 'AA-_', 'AAAA\n', 7, undefined])('[RES-24] %j is no Base64', (value) => {
    expect(isBase64(value)).toBe(false);
  });
});

describe('whoever returns such a thing is told; the client only learns that it failed', () => {
  const failed = { code: -32603, message: 'Internal error' };

  test.each<[object, string]>([
    [{ type: 'image', data: 'x', mimeType: 'image/png' }, 'an image block whose data'],
    [{ text: 5 }, 'text that is no string'],
    [{ text: 'x', isError: 'yes' }, 'isError as "yes"'],
    [{ content: [text, { type: 'text' }] }, 'a text block'],
    [{ structured: () => 1 }, 'structured output that is no JSON but function'],
  ])('[TOOL-22] a tool: %j', async (returned, told) => {
    const server = quietServer();
    server.tool('t', {}, () => returned as never);
    await expect(call(server, 't')).rejects.toMatchObject(failed);
    expect(String(server.errors[0])).toContain(`Tool "t" returned ${told}`);
  });

  test.each<[unknown, string]>([
    [{ type: 'audio', data: dot }, 'an audio block whose mimeType'],
    [{ role: 'system', content: text }, 'role is "system"'],
    [{ messages: [{ role: 'user', content: text }, {}] }, 'role is missing'],
  ])('[PRM-07] a prompt: %j', async (returned, told) => {
    const server = quietServer();
    server.prompt('p', {}, () => returned as never);
    await expect(server.exchange(requestOf('prompts/get', { name: 'p' }), recordingIO())).rejects.toMatchObject(failed);
    expect(String(server.errors[0])).toContain('Prompt "p" returned ');
    expect(String(server.errors[0])).toContain(told);
  });

  test('a prompt that returns a whole result keeps its other members', async () => {
    const server = quietServer();
    const messages: GetPromptResult['messages'] = [{ role: 'assistant', content: { type: 'text', text: 'x' } }];
    server.prompt('p', {}, () => ({ description: 'd', messages, resultType: 'complete' }));
    const result = await server.exchange(requestOf('prompts/get', { name: 'p' }), recordingIO());
    expect(result).toMatchObject({ resultType: 'complete', description: 'd', messages });
  });

  test.each<[unknown, string]>([
    [{ blob: 'not base64' }, 'blob is no Base64'],
    [[{ uri: 5, text: 'x' }], 'uri is no string'],
    [{ contents: [], ttlMs: -1 }, 'ttlMs'],
    [{ contents: [], ttlMs: 1.5 }, 'ttlMs'],
    [{ contents: [], cacheScope: 'shared' }, 'scope'],
  ])('[RES-07] [RES-24] [CACHE-02] [CACHE-03] a resource: %j', async (returned, told) => {
    const server = quietServer();
    server.resource('x:y', { name: 'y' }, () => returned as never);
    await expect(server.exchange(requestOf('resources/read', { uri: 'x:y' }), recordingIO())).rejects.toMatchObject(
      failed,
    );
    expect((server.errors[0] as Error).message).toContain(told);
  });

  const form = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
  test.each<[unknown, string]>([
    [null, 'its method is missing'],
    [{ method: 'ping' }, 'its method is "ping"'],
    [{ method: 'elicitation/create' }, 'no params'],
    [{ method: 'elicitation/create', params: { ...form, message: '' } }, 'needs a message'],
    [{ method: 'elicitation/create', params: { ...form, mode: 'voice' } }, 'mode is "voice"'],
    [{ method: 'elicitation/create', params: { ...form, requestedSchema: undefined } }, 'no requestedSchema'],
    [
      {
        method: 'elicitation/create',
        params: { ...form, requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } },
      },
      'field "a"',
    ],
    [{ method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'file:///x' } }, 'https URL'],
    [{ method: 'sampling/createMessage', params: { messages: [] } }, 'maxTokens'],
  ])('[MRTR-04] [ELIC-07] [ELIC-20] [SAMP-05] a question by hand: %j', async (question, told) => {
    const server = quietServer();
    server.tool('t', {}, () => inputRequired({ requests: { q: question as never } }));
    await expect(call(server, 't', {}, { meta: {} })).rejects.toMatchObject(failed);
    expect((server.errors[0] as Error).message).toContain(told);
  });

  test.each([
    { method: 'elicitation/create', params: form },
    { method: 'elicitation/create', params: { ...form, mode: undefined } },
    { method: 'elicitation/create', params: { ...form, requestedSchema: { type: 'object' } } },
    { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'https://example.com/' } },
    { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    { method: 'roots/list' },
  ])('[MRTR-04] a question by hand that is one: %j', async (question) => {
    const server = quietServer();
    server.tool('t', {}, () => inputRequired({ requests: { q: question as never } }));
    expect(await call(server, 't')).toMatchObject({ resultType: 'input_required', inputRequests: { q: question } });
  });
});

test('[MRTR-19] a question written out as the protocol has it may have a state alone', async () => {
  const server = quietServer();
  const seen: unknown[] = [];
  server.tool('t', {}, (_args, ctx) => {
    seen.push(ctx.state);
    return seen.length > 1 ? 'done' : ({ resultType: 'input_required', requestState: 'mine' } as never);
  });
  const asked = await call(server, 't');
  expect(asked).toEqual({
    resultType: 'input_required',
    requestState: expect.not.stringContaining('mine'),
    _meta: expect.anything(),
  });
  const { requestState } = asked as { requestState?: string };
  expect(await call(server, 't', undefined, { requestState })).toMatchObject({ resultType: 'complete' });
  expect(seen).toEqual([undefined, 'mine']);
});

test.each(['prompts/get', 'resources/read'])('%s: after the client gave up, nobody is troubled', async (method) => {
  const server = quietServer();
  const controller = new AbortController();
  const handler = (): never => {
    controller.abort();
    throw new Error('interrupted');
  };
  server.prompt('x:y', {}, handler);
  server.resource('x:y', { name: 'y' }, handler);
  const request = requestOf(method, { name: 'x:y', uri: 'x:y' });
  await expect(server.exchange(request, recordingIO(undefined, controller.signal))).rejects.toMatchObject({
    code: -32603,
  });
  expect(server.errors).toEqual([]);
});

test('[RES-05] [ICON-12] what a definition says of a resource is listed, and nothing else', async () => {
  const server = quietServer();
  const icons = [{ src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' as const }];
  const annotations = { audience: ['user' as const], priority: 0.5, lastModified: '2026-07-28T00:00:00Z' };
  const all = { name: 'y', title: 'Y', description: 'd', mimeType: 'text/plain', size: 3, annotations, icons };
  server.resource('x:y', { ...all, meta: { 'com.example/x': 1 }, cache: { ttlMs: 5 } }, () => 'abc');
  server.resource('x:z', { name: 'z' }, () => 'abc');
  const { resources } = await server.exchange(requestOf('resources/list'), recordingIO());
  expect(resources as Resource[]).toEqual([
    { uri: 'x:y', ...all, _meta: { 'com.example/x': 1 } },
    { uri: 'x:z', name: 'z' },
  ]);
});

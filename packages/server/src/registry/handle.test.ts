import type { Notification, Tool } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { call, quietServer, recordingIO, requestOf, textOf } from '../testing.ts';

type TestServer = ReturnType<typeof quietServer>;

/** Listens for everything; gives what was told since last asked. */
async function listening(server: TestServer, uris: string[] = []): Promise<() => Promise<string[]>> {
  const io = recordingIO();
  const filter = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: uris,
  };
  void server.exchange(requestOf('subscriptions/listen', { notifications: filter }), io);
  const told = async () => {
    // Changes of one go are told together, a microtask later.
    await new Promise((resolve) => setImmediate(resolve));
    return io.sent
      .splice(0)
      .map(({ method, params }: Notification) => (params?.uri === undefined ? method : `${method} ${params.uri}`));
  };
  await told();
  return told;
}

const TOOLS = 'notifications/tools/list_changed';
const PROMPTS = 'notifications/prompts/list_changed';
const RESOURCES = 'notifications/resources/list_changed';

const names = async (server: TestServer): Promise<string[]> =>
  ((await server.exchange(requestOf('tools/list'), recordingIO())).tools as Tool[]).map(({ name }) => name);

async function withTool() {
  const server = quietServer();
  const first = server.tool('first', {}, () => 'one');
  const second = server.tool('second', { description: 'before' }, () => 'two');
  return { server, first, second, told: await listening(server) };
}

describe('update', () => {
  test('[TOOL-37] changes what is named, keeps the rest and the place, and is told', async () => {
    const { server, first, told } = await withTool();
    first.update({ description: 'after' });
    expect(await told()).toEqual([TOOLS]);
    expect(await names(server)).toEqual(['first', 'second']);
    expect(textOf(await call(server, 'first'))).toBe('one');
    first.update({
      input: { type: 'object', properties: { x: { type: 'string' } } },
      handler: ({ x }: { x: string }) => x,
    });
    expect(await told()).toEqual([TOOLS]);
    expect(textOf(await call(server, 'first', { x: 'new' }))).toBe('new');
  });

  test('[N05] is told of only if a client can see it', async () => {
    const { server, first, second, told } = await withTool();
    first.update({ handler: () => 'other' });
    second.update({ description: 'before' });
    first.update({ requires: { roots: {} } });
    expect(await told()).toEqual([]);
    expect(textOf(await call(server, 'first'))).toBe('other');
    second.disable();
    await told();
    second.update({ description: 'while hidden' });
    expect(await told()).toEqual([]);
    expect(second.enabled).toBe(false);
    expect(await names(server)).toEqual(['first']);
  });

  test('a member given as undefined goes away', async () => {
    const { server, second } = await withTool();
    second.update({ description: undefined });
    const { tools } = await server.exchange(requestOf('tools/list'), recordingIO());
    expect((tools as Tool[])[1]).not.toHaveProperty('description');
  });

  test('one that cannot be done changes nothing', async () => {
    const { server, first, told } = await withTool();
    expect(() => first.update({ input: { type: 'string' } })).toThrow('"first"');
    expect(await told()).toEqual([]);
    expect(textOf(await call(server, 'first'))).toBe('one');
  });

  test('a call under way ends as it began', async () => {
    const server = quietServer();
    const { promise, resolve } = withResolvers();
    const handle = server.tool('slow', { output: { type: 'number' } }, async () => {
      await promise;
      return { structured: 1 };
    });
    const pending = call(server, 'slow');
    handle.update({ output: { type: 'string' } });
    handle.remove();
    resolve();
    expect(await pending).toMatchObject({ structuredContent: 1 });
  });
});

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('disable and enable', () => {
  test('[TOOL-02] hide and show, in the old place, each told once', async () => {
    const { server, first, told } = await withTool();
    first.disable();
    first.disable();
    expect(await told()).toEqual([TOOLS]);
    expect(first.enabled).toBe(false);
    expect(await names(server)).toEqual(['second']);
    await expect(call(server, 'first')).rejects.toMatchObject({ code: -32602, message: 'Unknown tool: first' });
    first.enable();
    first.enable();
    expect(await told()).toEqual([TOOLS]);
    expect(await names(server)).toEqual(['first', 'second']);
  });

  test('a disabled name is still taken', async () => {
    const { server, first } = await withTool();
    first.disable();
    expect(() => server.tool('first', {}, () => 'other')).toThrow('registered already');
  });
});

describe('remove', () => {
  test('is told once, and frees the name for a new place', async () => {
    const { server, first, told } = await withTool();
    first.remove();
    first.remove();
    expect(await told()).toEqual([TOOLS]);
    server.tool('first', {}, () => 'again');
    expect(await told()).toEqual([TOOLS]);
    expect(await names(server)).toEqual(['second', 'first']);
    first.disable();
    first.enable();
    expect(await told()).toEqual([]);
    expect(textOf(await call(server, 'first'))).toBe('again');
    expect(() => first.update({ description: 'x' })).toThrow('was removed');
    expect(first.enabled).toBe(false);
  });

  test('of what is hidden is told to nobody', async () => {
    const { first, told } = await withTool();
    first.disable();
    await told();
    first.remove();
    expect(await told()).toEqual([]);
  });

  test('[DISC-08] of the last one leaves the capability', async () => {
    const { server, first, second } = await withTool();
    first.remove();
    second.remove();
    expect(server.capabilities.tools).toEqual({ listChanged: true });
    expect(await names(server)).toEqual([]);
  });
});

test('changes made in one go are told once', async () => {
  const { server, told } = await withTool();
  for (let at = 0; at < 50; at++) server.tool(`tool${at}`, {}, () => 'ok');
  expect(await told()).toEqual([TOOLS]);
});

test('[PRM-17] [RES-19] [RES-20] prompts, resources, templates and contents are told of in their own words', async () => {
  const server = quietServer();
  server.prompt('p0', {}, () => 'x');
  const zero = server.resource('a://0', { name: '0' }, () => 'x');
  const told = await listening(server, ['a://1', 'a://0']);
  server.prompt('p', {}, () => 'x').update({ title: 'P' });
  expect(await told()).toEqual([PROMPTS]);
  const resource = server.resource('a://1', { name: '1' }, () => 'x');
  expect(await told()).toEqual([RESOURCES]);
  server.resourceTemplate('b://{x}', { name: 'b' }, () => 'x').disable();
  expect(await told()).toEqual([RESOURCES]);
  resource.changed();
  zero.changed();
  zero.changed();
  expect(await told()).toEqual(['notifications/resources/updated a://1', 'notifications/resources/updated a://0']);
  resource.update({ handler: () => 'y' });
  expect(await told()).toEqual([]);
});

test('[N05] listing publishes nothing', async () => {
  const server = quietServer();
  const handle = server.tool('flapping', { description: 'same' }, () => 'ok');
  server.resourceTemplate(
    'b://{x}',
    {
      name: 'b',
      list: () => {
        handle.update({ description: 'same' });
        return [];
      },
    },
    () => 'x',
  );
  const told = await listening(server);
  for (let at = 0; at < 3; at++) await server.exchange(requestOf('resources/list'), recordingIO());
  expect(await told()).toEqual([]);
});

import { fileURLToPath } from 'node:url';
import {
  Client,
  type ClientCapabilities,
  type ElicitRequest,
  type ElicitResult,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveHttp } from '../src/index.ts';
import { build } from './fixtures/dragoman-server.mjs';

const MODERN = '2026-07-28';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const stdioServer = fileURLToPath(new URL('fixtures/dragoman-stdio.mjs', import.meta.url));

/** A Dragoman server that runs, and a way to it. Over stdio each transport starts a process of its own. */
interface Running {
  transport(): Transport;
  /** Ends the server, as whoever runs it would. */
  stop(): Promise<void>;
}

async function runHttp(): Promise<Running> {
  const serving = await serveHttp(build());
  return {
    transport: () => new StreamableHTTPClientTransport(new URL(serving.url)) as Transport,
    stop: () => serving.close(),
  };
}

async function runStdio(): Promise<Running> {
  let transport: StdioClientTransport | undefined;
  return {
    transport: () => {
      transport = new StdioClientTransport({ command: process.execPath, args: [stdioServer] });
      return transport;
    },
    stop: async () => {
      if (typeof transport?.pid === 'number') process.kill(transport.pid, 'SIGTERM');
    },
  };
}

const wires: [name: string, run: () => Promise<Running>][] = [
  ['HTTP', runHttp],
  ['stdio', runStdio],
];

const everything: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

const create = (capabilities: ClientCapabilities, mode: 'auto' | { pin: string } = { pin: MODERN }): Client =>
  new Client({ name: 'official', version: '2.4.0' }, { capabilities, versionNegotiation: { mode } });

/** The text of a result's only block. */
function textOf(result: { content: { type: string }[] }): string {
  expect(result.content).toHaveLength(1);
  return (result.content[0] as { type: 'text'; text: string }).text;
}

describe.each(wires)('the official client over %s', (wire, run) => {
  let running: Running;
  let client: Client;
  /** Can answer nothing, and lists nothing. */
  let mute: Client;
  const asked: ElicitRequest['params'][] = [];
  const logged: unknown[] = [];
  /** What the user does when asked; a test may have a user of its own. */
  let user: (params: ElicitRequest['params']) => ElicitResult;

  beforeAll(async () => {
    running = await run();
    client = create(everything);
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return user(params);
    });
    client.setRequestHandler('sampling/createMessage', () => ({
      model: 'm1',
      role: 'assistant',
      content: { type: 'text', text: 'Paris' },
    }));
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///a' }, { uri: 'file:///b' }] }));
    client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params));
    mute = create({});
    await mute.connect(running.transport());
    await client.connect(running.transport());
  });

  beforeEach(() => {
    asked.length = 0;
    logged.length = 0;
    user = (params) => (params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada' } });
  });

  afterAll(async () => {
    await Promise.all([client.close(), mute.close()]);
    await running.stop();
  });

  const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });

  test('[DISC-04] [DISC-05] learns who the server is and what it offers', () => {
    expect(client.getProtocolEra()).toBe('modern');
    expect(client.getNegotiatedProtocolVersion()).toBe(MODERN);
    expect(client.getServerVersion()).toMatchObject({
      name: 'dragoman-interop',
      version: '1.2.3',
      title: 'The one under test',
    });
    expect(client.getInstructions()).toBe('Ask for anything.');
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    });
  });

  test('[ERA-02] [ERA-12] finds out by itself that the server is modern', async () => {
    const probing = create({}, 'auto');
    await probing.connect(running.transport());
    expect(probing.getProtocolEra()).toBe('modern');
    expect(textOf(await probing.callTool({ name: 'echo', arguments: { text: 'found' } }))).toBe('found');
    await probing.close();
  });

  describe('tools', () => {
    test('[TOOL-05] [PAGE-04] walks all pages in the order of registration', async () => {
      const { tools, nextCursor } = await client.listTools();
      expect(nextCursor).toBeUndefined();
      expect(tools.slice(0, 6).map(({ name }) => name)).toEqual([
        'echo',
        'nothing',
        'picture',
        'sum',
        'primes',
        'region',
      ]);
      expect(tools.length).toBeGreaterThan(12);
      expect(tools[0]).toEqual({
        name: 'echo',
        title: 'Echo',
        description: 'Says it again',
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      });
    });

    test('[PAGE-01] [PAGE-08] takes one page, the next by its cursor, and none by a cursor of its own', async () => {
      // What a walk without cursor returns is the whole list, so the first cursor is asked for as it is.
      const first = await client.request({ method: 'tools/list' });
      expect(first.tools).toHaveLength(4);
      const second = await client.listTools({ cursor: first.nextCursor });
      expect(second.tools.map(({ name }) => name)).toEqual(['primes', 'region', 'größe', 'fail']);
      await expect(client.listTools({ cursor: 'made up' })).rejects.toMatchObject({ code: -32602 });
    });

    test('[TOOL-22] [TOOL-23] gets every kind of content, and none', async () => {
      expect(textOf(await call('echo', { text: 'Grüße, 世界 👋' }))).toBe('Grüße, 世界 👋');
      expect((await call('nothing')).content).toEqual([]);
      expect((await call('picture')).content).toEqual([
        { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) },
        { type: 'resource_link', uri: 'note://1', name: 'note-1' },
        { type: 'resource', resource: { uri: 'note://2', text: 'embedded' } },
      ]);
    });

    test('[META-10] finds the server in the result, and is found in the request', async () => {
      const result = await client.callTool({
        name: 'who_asks',
        _meta: { 'com.example/tag': 7, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
      });
      expect(result._meta?.['io.modelcontextprotocol/serverInfo']).toMatchObject({ name: 'dragoman-interop' });
      const seen = JSON.parse(textOf(result));
      expect(seen.client).toEqual({
        info: { name: 'official', version: '2.4.0' },
        capabilities: everything,
        version: MODERN,
      });
      expect(seen.meta).toMatchObject({
        'com.example/tag': 7,
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      });
    });

    test('[TOOL-27] [TOOL-28] gets structured output that passes its own check', async () => {
      await client.listTools();
      const sum = await call('sum', { a: 1.5, b: 2 });
      expect(sum.structuredContent).toEqual({ sum: 3.5 });
      expect(JSON.parse(textOf(sum))).toEqual({ sum: 3.5 });
      expect((await call('primes')).structuredContent).toEqual([2, 3, 5]);
    });

    test('[HDR-11] [ENC-06] calls a tool whose name and arguments are mirrored in headers', async () => {
      await client.listTools();
      expect(textOf(await call('größe'))).toBe('groß');
      for (const region of ['eu', 'Zürich', ' padded ', '']) {
        expect((await call('region', { region })).content).toMatchObject([{ text: region }]);
      }
    });

    test('[HDR-13] calls a tool that it never listed, though a header is missing at first', async () => {
      expect(textOf(await mute.callTool({ name: 'region', arguments: { region: 'eu' } }))).toBe('eu');
    });

    test('has many calls under way at once, each with its own answer', async () => {
      const texts = Array.from({ length: 50 }, (_, index) => `call ${index}`);
      const results = await Promise.all(texts.map((text) => call('echo', { text })));
      expect(results.map(textOf)).toEqual(texts);
    });
  });

  describe('errors', () => {
    test('[TOOL-31] a tool that fails, and one that is called wrongly, answer with isError', async () => {
      expect(await call('fail')).toMatchObject({ isError: true, content: [{ type: 'text', text: 'It broke' }] });
      const wrong = await call('sum', { a: 'one', b: 2 });
      expect(wrong.isError).toBe(true);
      expect(textOf(wrong)).toContain('a');
    });

    test.each([
      [
        '[TOOL-33] a tool that is not there',
        () => call('no_such_tool'),
        { code: -32602, message: expect.stringContaining('no_such_tool') },
      ],
      [
        '[BASE-13] an error of the tool itself',
        () => call('refuse'),
        { code: 4001, message: 'Out of order', data: { until: 'noon' } },
      ],
      [
        '[RES-14] [RES-16] a resource that is not there',
        () => client.readResource({ uri: 'note://9' }),
        { code: -32602, data: { uri: 'note://9' } },
      ],
      [
        '[PRM-13] a prompt that is not there',
        () => client.getPrompt({ name: 'no_such_prompt' }),
        { code: -32602, message: expect.stringContaining('no_such_prompt') },
      ],
      [
        '[PRM-13] a prompt without an argument that it needs',
        () => client.getPrompt({ name: 'translate', arguments: { text: 'yes' } }),
        { code: -32602, message: expect.stringContaining('language') },
      ],
      [
        '[COMP-06] a completion for a prompt that is not there',
        () =>
          client.complete({ ref: { type: 'ref/prompt', name: 'no_such_prompt' }, argument: { name: 'a', value: '' } }),
        { code: -32602, message: expect.stringContaining('no_such_prompt') },
      ],
    ] as [rule: string, send: () => Promise<unknown>, error: object][])('%s', async (_rule, send, error) => {
      const reason = await send().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(reason).toBeInstanceOf(ProtocolError);
      expect(reason).toMatchObject(error);
    });

    test.each([
      ['greet', { elicitation: { form: {} } }],
      ['sign_in', { elicitation: { url: {} } }],
      ['ask_model', { sampling: {} }],
      ['where', { roots: {} }],
    ])('[MRTR-08] [ERR-08] %s says what a client that can answer nothing lacks', async (tool, missing) => {
      await expect(mute.callTool({ name: tool })).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: missing },
      });
      expect(textOf(await mute.callTool({ name: 'echo', arguments: { text: 'still there' } }))).toBe('still there');
    });
  });

  describe('while a call is under way', () => {
    test('[PROG-04] [PROG-11] hears of progress, before the result', async () => {
      const heard: unknown[] = [];
      const onprogress = (progress: unknown): void => {
        heard.push(progress);
        void call('go_on');
      };
      const result = await client.callTool({ name: 'walk', arguments: { steps: 3 } }, { onprogress });
      expect(heard).toEqual([
        { progress: 1, total: 3, message: 'step 1' },
        { progress: 2, total: 3, message: 'step 2' },
        { progress: 3, total: 3, message: 'step 3' },
      ]);
      expect(textOf(result)).toBe('3 done');
    });

    test('[LOG-03] hears of the log from the level that it asked for', async () => {
      await client.callTool({ name: 'work', arguments: { steps: 2 }, _meta: { [LOG_LEVEL]: 'info' } });
      expect(logged).toEqual([
        { level: 'info', logger: 'worker', data: { step: 1 } },
        { level: 'info', logger: 'worker', data: { step: 2 } },
      ]);
    });

    test('[LOG-02] hears of no log that it did not ask for', async () => {
      expect(textOf(await call('work', { steps: 2 }))).toBe('2 done');
      expect(logged).toEqual([]);
    });

    test('[CANC-01] [CANC-05] cancels, and the handler is told', async () => {
      const key = `${wire} cancelled`;
      const controller = new AbortController();
      const cancelled = client.callTool(
        { name: 'wait', arguments: { key } },
        { signal: controller.signal, onprogress: () => controller.abort(new Error('enough')) },
      );
      await expect(cancelled).rejects.toThrow('enough');
      expect(textOf(await call('how_it_ended', { key }))).toBe('aborted');
    });
  });

  describe('when it is asked', () => {
    test('[ELIC-05] [MRTR-26] fills in a form', async () => {
      expect(textOf(await call('greet'))).toBe('Hello, Ada');
      expect(asked).toEqual([
        {
          mode: 'form',
          message: 'Who are you?',
          requestedSchema: {
            type: 'object',
            properties: { name: { type: 'string', minLength: 1 } },
            required: ['name'],
          },
        },
      ]);
    });

    test.each(['decline', 'cancel'] as const)('[ELIC-49] may %s', async (action) => {
      user = () => ({ action });
      const result = await call('greet');
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('Who are you?');
      expect(asked).toHaveLength(1);
    });

    test('[ELIC-20] [ELIC-21] visits a page', async () => {
      expect(textOf(await call('sign_in'))).toBe('You went there');
      expect(asked).toEqual([{ mode: 'url', message: 'Please sign in', url: 'https://example.com/sign-in?next=1' }]);
    });

    test('[SAMP-13] samples its model', async () => {
      expect(textOf(await call('ask_model'))).toBe('m1: Paris');
    });

    test('[ROOT-02] tells its roots', async () => {
      expect(textOf(await call('where'))).toBe('file:///a file:///b');
    });

    test('[MRTR-05] answers three questions in one round', async () => {
      expect(textOf(await call('all_at_once'))).toBe('once: Ada, Paris, 2 roots');
      expect(asked).toHaveLength(1);
    });

    test('[MRTR-18] [MRTR-22] answers in two rounds, and the first answer is not asked for again', async () => {
      const names = ['Ada', 'Grace'];
      user = () => ({ action: 'accept', content: { name: names[asked.length - 1] as string } });
      const result = await call('two_rounds', { greeting: 'Hi' });
      expect(textOf(result)).toBe('Hi, Ada and Grace');
      expect(asked.map(({ message }) => message)).toEqual(['Who are you?', 'Who is with you, Ada?']);
    });

    test('[MRTR-28] answers what was asked by hand', async () => {
      expect(textOf(await call('by_hand'))).toBe('Ada, by hand');
    });

    test('[MRTR-19] comes again when it is only told to', async () => {
      expect(textOf(await call('busy'))).toBe('free at the third try');
      expect(asked).toEqual([]);
    });

    test('[RES-09] answers for a resource', async () => {
      const { contents } = await client.readResource({ uri: 'secret://it' });
      expect(contents).toMatchObject([{ uri: 'secret://it', text: 'For Ada only' }]);
    });

    test('[PRM-12] answers for a prompt', async () => {
      const { messages } = await client.getPrompt({ name: 'letter' });
      expect(messages).toEqual([{ role: 'assistant', content: { type: 'text', text: 'Dear Ada' } }]);
    });

    test('[MRTR-11] state that was tampered with is refused', async () => {
      const round = (await client.request(
        { method: 'tools/call', params: { name: 'two_rounds', arguments: { greeting: 'Hi' } } },
        { allowInputRequired: true },
      )) as unknown as { requestState?: string };
      const first = { action: 'accept', content: { name: 'Ada' } };
      const params = { name: 'two_rounds', arguments: { greeting: 'Hi' }, inputResponses: { first } };
      const next = (await client.request(
        { method: 'tools/call', params: { ...params, requestState: round.requestState } },
        { allowInputRequired: true },
      )) as unknown as { requestState: string };
      const at = next.requestState.length >> 1;
      const other = next.requestState[at] === 'A' ? 'B' : 'A';
      const requestState = next.requestState.slice(0, at) + other + next.requestState.slice(at + 1);
      await expect(client.request({ method: 'tools/call', params: { ...params, requestState } })).rejects.toMatchObject(
        {
          code: -32602,
        },
      );
    });
  });

  describe('resources', () => {
    test('[RES-03] [RES-06] lists them and their templates', async () => {
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual([
        'note://1',
        'note://2',
        'note://3',
        'note://4',
        'note://5',
        'picture://dot',
        'secret://it',
        'counter://it',
      ]);
      expect(resources[0]).toEqual({ uri: 'note://1', name: 'note-1', mimeType: 'text/plain', description: 'A note' });
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toEqual([{ uriTemplate: 'weather://{city}', name: 'weather', mimeType: 'text/plain' }]);
    });

    test.each([
      ['note://3', { mimeType: 'text/plain', text: 'This is note-3' }],
      ['picture://dot', { mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) }],
      ['weather://bern', { mimeType: 'text/plain', text: 'Sunny in bern' }],
    ])('[RES-07] reads %s', async (uri, contents) => {
      expect((await client.readResource({ uri })).contents).toEqual([{ uri, ...contents }]);
    });

    test('[CACHE-01] keeps a result as long as the server allows', async () => {
      const read = async () => (await client.readResource({ uri: 'counter://it' })).contents;
      const first = await read();
      expect(await read()).toEqual(first);
      const fresh = await client.readResource({ uri: 'counter://it' }, { cacheMode: 'bypass' });
      expect(fresh.contents).not.toEqual(first);
    });
  });

  describe('prompts and completion', () => {
    test('[PRM-02] [PRM-05] lists them', async () => {
      expect((await client.listPrompts()).prompts).toEqual([
        {
          name: 'translate',
          title: 'Translate',
          description: 'Asks for a translation',
          arguments: [
            { name: 'text', description: 'What', required: true },
            { name: 'language', required: true },
            { name: 'from' },
          ],
        },
        expect.objectContaining({ name: 'letter' }),
      ]);
    });

    test('[PRM-07] gets one', async () => {
      const prompt = await client.getPrompt({ name: 'translate', arguments: { text: 'yes', language: 'greek' } });
      expect(prompt).toMatchObject({
        description: 'To greek',
        messages: [{ role: 'user', content: { type: 'text', text: 'Translate yes to greek' } }],
      });
    });

    test('[COMP-02] [COMP-03] completes an argument in the light of the others', async () => {
      const ref = { type: 'ref/prompt', name: 'translate' } as const;
      const argument = { name: 'language', value: 'g' };
      expect((await client.complete({ ref, argument })).completion.values).toEqual(['german', 'greek']);
      const context = { arguments: { from: 'german' } };
      expect((await client.complete({ ref, argument, context })).completion.values).toEqual(['greek']);
    });

    test('[COMP-11] completes a variable of a template', async () => {
      const ref = { type: 'ref/resource', uri: 'weather://{city}' } as const;
      const { completion } = await client.complete({ ref, argument: { name: 'city', value: 'be' } });
      expect(completion.values).toEqual(['berlin', 'bern']);
    });
  });

  describe('subscriptions', () => {
    /** The next so many notifications of subscriptions, as `method uri`. */
    function next(count: number): Promise<string[]> {
      return new Promise((resolve) => {
        const heard: string[] = [];
        const hear = (what: string): void => {
          heard.push(what);
          if (heard.length === count) resolve(heard);
        };
        client.setNotificationHandler('notifications/tools/list_changed', ({ method }) => hear(method));
        client.setNotificationHandler('notifications/prompts/list_changed', ({ method }) => hear(method));
        client.setNotificationHandler('notifications/resources/list_changed', ({ method }) => hear(method));
        client.setNotificationHandler('notifications/resources/updated', ({ method, params }) =>
          hear(`${method} ${params.uri}`),
        );
      });
    }

    test('[SUBS-06] [SUBS-19] [SUBS-20] hears of what it asked for', async () => {
      const filter = {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['note://1'],
      };
      const subscription = await client.listen(filter);
      expect(subscription.honoredFilter).toEqual(filter);
      for (const [what, notification] of [
        ['tools', 'notifications/tools/list_changed'],
        ['prompts', 'notifications/prompts/list_changed'],
        ['resources', 'notifications/resources/list_changed'],
        ['note://1', 'notifications/resources/updated note://1'],
      ] as const) {
        const heard = next(1);
        await call('change', { what });
        expect(await heard).toEqual([notification]);
      }
      await subscription.close();
      expect(await subscription.closed).toBe('local');
    });

    test('[SUBS-03] hears of nothing else', async () => {
      const subscription = await client.listen({ resourceSubscriptions: ['note://1'] });
      const heard = next(1);
      for (const what of ['tools', 'prompts', 'resources', 'note://2', 'note://1']) await call('change', { what });
      expect(await heard).toEqual(['notifications/resources/updated note://1']);
      await subscription.close();
    });

    test('[SUBS-11] has two at once, and hears through the one that is left', async () => {
      const one = await client.listen({ resourceSubscriptions: ['note://1'] });
      const two = await client.listen({ resourceSubscriptions: ['note://1', 'note://2'] });
      const both = next(2);
      await call('change', { what: 'note://1' });
      expect(await both).toHaveLength(2);
      await two.close();
      const left = next(1);
      await call('change', { what: 'note://2' });
      await call('change', { what: 'note://1' });
      expect(await left).toEqual(['notifications/resources/updated note://1']);
      await one.close();
    });

    test('[SUBS-25] an empty one ends at once, gracefully', async () => {
      const subscription = await client.listen({});
      expect(subscription.honoredFilter).toEqual({});
      expect(await subscription.closed).toBe('graceful');
    });

    test('[SUBS-13] is told of the end when the server shuts down', async () => {
      const other = await run();
      const listener = create({});
      await listener.connect(other.transport());
      const subscription = await listener.listen({ toolsListChanged: true });
      await other.stop();
      expect(await subscription.closed).toBe('graceful');
      await listener.close();
    });
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CallToolResult, ElicitResult, LoggingMessageNotificationParams, Progress } from '@dragoman/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Client,
  type CommandTarget,
  type ConnectOptions,
  connect,
  isInputRequired,
  MemoryVerdicts,
  type RoundReport,
  type SubscriptionEvent,
  type Warning,
} from '../src/index.ts';

const fixture = fileURLToPath(new URL('fixtures/official-server.mjs', import.meta.url));

/** A server of the official SDK that runs, and where. Over stdio each connection starts a process of its own. */
interface Running {
  readonly target: string | CommandTarget;
  stop(): Promise<void>;
}

async function runHttp(): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, [fixture, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [url] = (await once(lines, 'line')) as [string];
  return {
    target: url,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function runStdio(): Promise<Running> {
  return { target: { command: process.execPath, args: [fixture, 'stdio'] }, stop: async () => {} };
}

const wires: [name: string, run: () => Promise<Running>][] = [
  ['HTTP', runHttp],
  ['stdio', runStdio],
];

/** The text of a result's only block. */
function textOf(result: CallToolResult): string {
  expect(result.content).toHaveLength(1);
  return (result.content[0] as { type: 'text'; text: string }).text;
}

describe.each(wires)('the official server over %s', (wire, run) => {
  let running: Running;
  let client: Client;
  /** Can answer nothing, and lists nothing. */
  let mute: Client;
  const warnings: Warning[] = [];
  const asked: unknown[] = [];
  /** What the user does with a form; a test may have a user of its own. */
  let user: () => ElicitResult;

  const options: ConnectOptions = {
    clientInfo: { name: 'dragoman-interop', version: '1.2.3' },
    handlers: {
      elicitForm: (params, { key, method, round }) => {
        asked.push({ key, method, round, message: params.message, requestedSchema: params.requestedSchema });
        return user();
      },
      elicitUrl: (params) => {
        asked.push(params);
        return { action: 'accept' };
      },
      sample: ({ maxTokens }) => ({
        model: 'm1',
        role: 'assistant',
        content: { type: 'text', text: `Paris in ${maxTokens}` },
      }),
      roots: [{ uri: 'file:///a' }, { uri: 'file:///b' }],
    },
    onWarning: (warning) => warnings.push(warning),
  };

  beforeAll(async () => {
    running = await run();
    client = await connect(running.target, { ...options, verdicts: new MemoryVerdicts() });
    mute = await connect(running.target);
  });

  beforeEach(() => {
    warnings.length = 0;
    asked.length = 0;
    user = () => ({ action: 'accept', content: { name: 'Ada' } });
  });

  afterAll(async () => {
    await Promise.all([client.close(), mute.close()]);
    await running.stop();
  });

  test('[ERA-02] [DISC-06] learns who the server is and what it offers', () => {
    expect(client.info).toMatchObject({
      era: 'modern',
      known: 'asked',
      version: '2026-07-28',
      serverInfo: { name: 'official', version: '2.4.0', title: 'The official one' },
      instructions: 'Ask for anything.',
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
    });
    expect(client.info.supportedVersions).toContain('2026-07-28');
  });

  describe('tools', () => {
    test('[TOOL-07] lists them', async () => {
      const tools = await client.listAllTools();
      expect(tools.slice(0, 5).map(({ name }) => name)).toEqual(['echo', 'nothing', 'picture', 'sum', 'region']);
      expect(tools[0]).toMatchObject({
        name: 'echo',
        title: 'Echo',
        description: 'Says it again',
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      });
    });

    test('[TOOL-22] [TOOL-23] gets every kind of content, and none', async () => {
      expect(textOf(await client.callTool('echo', { text: 'Grüße, 世界 👋' }))).toBe('Grüße, 世界 👋');
      expect((await client.callTool('nothing')).content).toEqual([]);
      expect((await client.callTool('picture')).content).toEqual([
        { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) },
        { type: 'resource_link', uri: 'note://1', name: 'note-1' },
        { type: 'resource', resource: { uri: 'note://2', text: 'embedded' } },
      ]);
    });

    test('[META-01] [META-02] [META-03] every request says who asks and what it can', async () => {
      const meta = { 'com.example/tag': 7, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
      expect(JSON.parse(textOf(await client.callTool('who_asks', {}, { meta })))).toMatchObject({
        envelope: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'dragoman-interop', version: '1.2.3' },
          'io.modelcontextprotocol/clientCapabilities': {
            elicitation: { form: {}, url: {} },
            sampling: {},
            roots: {},
          },
        },
        meta,
      });
    });

    test('[TOOL-29] gets structured output that passes its check', async () => {
      await client.listAllTools();
      const sum = await client.callTool('sum', { a: 1.5, b: 2 }, { strict: true });
      expect(sum.structuredContent).toEqual({ sum: 3.5 });
      expect(JSON.parse(textOf(sum))).toEqual({ sum: 3.5 });
    });

    test.each([
      ['eu', 'eu'],
      ['Zürich', expect.stringMatching(/^=\?base64\?/)],
      [' padded ', expect.stringMatching(/^=\?base64\?/)],
    ])('[XMH-02] [ENC-03] mirrors "%s" in a header', async (region, header) => {
      await client.listAllTools();
      const said = textOf(await client.callTool('region', { region }));
      expect(said.slice(0, region.length)).toBe(region);
      expect(said.slice(region.length + 1)).toEqual(wire === 'HTTP' ? header : 'no header');
    });

    test('[XMH-18] [HDR-19] calls a tool that it never listed, though a header is missing at first', async () => {
      expect(textOf(await mute.callTool('region', { region: 'eu' }))).toBe(wire === 'HTTP' ? 'eu eu' : 'eu no header');
    });

    test('has many calls under way at once, each with its own answer', async () => {
      const texts = Array.from({ length: 50 }, (_, index) => `call ${index}`);
      const results = await Promise.all(texts.map((text) => client.callTool('echo', { text })));
      expect(results.map(textOf)).toEqual(texts);
    });
  });

  describe('errors', () => {
    test('[TOOL-34] a tool that fails, and one that is called wrongly, answer with isError', async () => {
      expect(await client.callTool('fail')).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'It broke' }],
      });
      const wrong = await client.callTool('sum', { a: 'one', b: 2 });
      expect(wrong.isError).toBe(true);
      expect(textOf(wrong)).toContain('expected number');
    });

    test.each([
      [
        '[TOOL-33] a tool that is not there',
        () => client.callTool('no_such_tool'),
        { code: -32602, message: expect.stringContaining('no_such_tool') },
      ],
      [
        '[RES-14] a resource that is not there',
        () => client.readResource('note://9'),
        { code: -32602, data: { uri: 'note://9' } },
      ],
      [
        '[BASE-13] an error of the handler itself',
        () => client.readResource('broken://it'),
        { code: 4001, message: 'Out of order', data: { until: 'noon' } },
      ],
      [
        '[PRM-13] a prompt that is not there',
        () => client.getPrompt('no_such_prompt'),
        { code: -32602, message: expect.stringContaining('no_such_prompt') },
      ],
      [
        '[PRM-13] a prompt without an argument that it needs',
        () => client.getPrompt('translate', { text: 'yes' }),
        { code: -32602, message: expect.stringContaining('language') },
      ],
      [
        '[PAGE-08] a cursor that is none',
        () => client.listResources({ cursor: 'made up' }),
        { code: -32602, data: { cursor: 'made up' } },
      ],
      ['[ERR-12] a method that is not there', () => client.request('no/such_method'), { code: -32601 }],
    ] as [rule: string, send: () => Promise<unknown>, error: object][])('%s', async (_rule, send, error) => {
      await expect(send()).rejects.toMatchObject({ name: 'McpError', ...error });
    });

    test.each([
      ['greet', { elicitation: { form: {} } }],
      ['sign_in', { elicitation: { url: {} } }],
      ['ask_model', { sampling: {} }],
      ['where', { roots: {} }],
    ])('[META-09] %s tells a client that can answer nothing what it lacks', async (tool, missing) => {
      await expect(mute.callTool(tool)).rejects.toMatchObject({
        name: 'McpError',
        code: -32021,
        data: { requiredCapabilities: missing },
      });
      expect(textOf(await mute.callTool('echo', { text: 'still there' }))).toBe('still there');
    });
  });

  describe('while a call is under way', () => {
    test('[PROG-01] hears of progress, before the result', async () => {
      const heard: Progress[] = [];
      const result = await client.callTool('work', { steps: 3 }, { onProgress: (progress) => heard.push(progress) });
      expect(heard).toMatchObject([
        { progress: 1, total: 3, message: 'step 1' },
        { progress: 2, total: 3, message: 'step 2' },
        { progress: 3, total: 3, message: 'step 3' },
      ]);
      expect(textOf(result)).toBe('3 done');
    });

    test('[PROG-02] two calls at once hear each of their own', async () => {
      const lengths = await Promise.all(
        [3, 5].map(async (steps) => {
          const heard: Progress[] = [];
          await client.callTool('work', { steps }, { onProgress: (progress) => heard.push(progress) });
          return heard.map(({ total }) => total);
        }),
      );
      expect(lengths).toEqual([
        [3, 3, 3],
        [5, 5, 5, 5, 5],
      ]);
    });

    test('[META-04] [LOG-03] hears of the log from the level that it asked for', async () => {
      const heard: LoggingMessageNotificationParams[] = [];
      await client.callTool('work', { steps: 2 }, { logLevel: 'info', onLog: (message) => heard.push(message) });
      expect(heard).toMatchObject([
        { level: 'info', logger: 'worker', data: { step: 1 } },
        { level: 'info', logger: 'worker', data: { step: 2 } },
      ]);
    });

    test('[CANC-01] [CANC-02] [CANC-03] cancels, and the handler is told', async () => {
      const key = `${wire} cancelled`;
      const controller = new AbortController();
      const cancelled = client.callTool(
        'wait',
        { key },
        { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) },
      );
      await expect(cancelled).rejects.toMatchObject({ name: 'DragomanError', code: 'ABORTED' });
      expect(textOf(await client.callTool('how_it_ended', { key }))).toBe('aborted');
    });
  });

  describe('when it is asked', () => {
    test('[ELIC-01] [MRTR-20] [MRTR-28] fills in a form', async () => {
      expect(textOf(await client.callTool('greet'))).toBe('Hello, Ada');
      expect(asked).toEqual([
        {
          key: 'name',
          method: 'tools/call',
          round: 1,
          message: 'Who are you?',
          requestedSchema: expect.objectContaining({
            type: 'object',
            properties: { name: { type: 'string', minLength: 1 } },
            required: ['name'],
          }),
        },
      ]);
    });

    test.each(['decline', 'cancel'] as const)('[ELIC-17] may %s', async (action) => {
      user = () => ({ action });
      expect(textOf(await client.callTool('greet'))).toBe(`No name: ${action}`);
      expect(asked).toHaveLength(1);
    });

    test('[ELIC-19] visits a page', async () => {
      expect(textOf(await client.callTool('sign_in'))).toBe('The page: accept');
      expect(asked).toEqual([
        expect.objectContaining({
          mode: 'url',
          message: 'Please sign in',
          url: 'https://example.com/sign-in?next=1',
        }),
      ]);
    });

    test('[SAMP-01] [SAMP-13] samples its model', async () => {
      expect(textOf(await client.callTool('ask_model'))).toBe('m1: Paris in 20');
    });

    test('[ROOT-01] tells its roots', async () => {
      expect(textOf(await client.callTool('where'))).toBe('file:///a file:///b');
    });

    test('[MRTR-22] answers three questions in one round, and hands the state back', async () => {
      const rounds: RoundReport[] = [];
      const result = await client.callTool('all_at_once', {}, { onRound: (round) => rounds.push(round) });
      expect(textOf(result)).toBe('once: Ada, Paris in 20, 2 roots');
      expect(rounds).toMatchObject([
        {
          round: 1,
          requestState: true,
          inputs: [
            { key: 'name', mode: 'form', outcome: 'accept' },
            { key: 'capital', method: 'sampling/createMessage', outcome: 'answered' },
            { key: 'roots', method: 'roots/list', outcome: 'answered' },
          ],
        },
      ]);
    });

    test('[MRTR-26] [MRTR-29] answers in two rounds', async () => {
      const names = ['Ada', 'Grace'];
      user = () => ({ action: 'accept', content: { name: names[asked.length - 1] as string } });
      expect(textOf(await client.callTool('two_rounds', { greeting: 'Hi' }))).toBe('Hi, Ada and Grace');
      expect(asked).toMatchObject([
        { round: 1, message: 'Who are you?' },
        { round: 2, message: 'And who is with you?' },
      ]);
    });

    test('[MRTR-21] comes again when it is only told to', async () => {
      const rounds: RoundReport[] = [];
      const result = await client.callTool('busy', {}, { onRound: (round) => rounds.push(round) });
      expect(textOf(result)).toBe('free at the third try');
      expect(rounds.map(({ inputs }) => inputs)).toEqual([[], []]);
    });

    test('[RES-09] answers for a resource', async () => {
      const { contents } = await client.readResource('secret://it');
      expect(contents).toEqual([{ uri: 'secret://it', text: 'For Ada only' }]);
      expect(asked).toMatchObject([{ method: 'resources/read' }]);
    });

    test('[PRM-12] answers for a prompt', async () => {
      const { messages } = await client.getPrompt('letter');
      expect(messages).toEqual([{ role: 'assistant', content: { type: 'text', text: 'Dear Ada' } }]);
      expect(asked).toMatchObject([{ method: 'prompts/get' }]);
    });

    test('[MRTR-27] goes on by hand, from what another client was asked', async () => {
      const first = await client.callTool('two_rounds', { greeting: 'Hi' }, { onInputRequired: 'return' });
      if (!isInputRequired(first)) throw new Error('nothing was asked');
      const kept = JSON.parse(JSON.stringify(first.continuation)) as typeof first.continuation;
      const responses = { name: { action: 'accept', content: { name: 'Ada' } } } as const;
      const second = await client.resume(kept, responses, { onInputRequired: 'return' });
      if (!isInputRequired(second)) throw new Error('only one thing was asked');
      const result = await client.resume(second.continuation, { name: { action: 'accept', content: { name: 'Eve' } } });
      expect(textOf(result as CallToolResult)).toBe('Hi, Ada and Eve');
      expect(asked).toEqual([]);
    });

    test('[MRTR-11] is told when the state was tampered with', async () => {
      const first = await client.callTool('all_at_once', {}, { onInputRequired: 'return' });
      if (!isInputRequired(first)) throw new Error('nothing was asked');
      await expect(
        client.callTool('all_at_once', {}, { requestState: `${first.requestState}x`, inputResponses: {} }),
      ).rejects.toMatchObject({ name: 'McpError', code: -32602 });
    });
  });

  describe('resources', () => {
    const notes = ['note://1', 'note://2', 'note://3', 'note://4', 'note://5'];

    test('[PAGE-03] [PAGE-04] lists them page by page', async () => {
      const first = await client.listResources();
      expect(first.resources.map(({ uri }) => uri)).toEqual(notes.slice(0, 2));
      const second = await client.listResources({ cursor: first.nextCursor });
      expect(second.resources.map(({ uri }) => uri)).toEqual(notes.slice(2, 4));
      const third = await client.listResources({ cursor: second.nextCursor });
      expect(third.resources.map(({ uri }) => uri)).toEqual(notes.slice(4));
      expect(third.nextCursor).toBeUndefined();
    });

    test('[PAGE-06] lists them all, and one by one', async () => {
      expect((await client.listAllResources()).map(({ uri }) => uri)).toEqual(notes);
      const found: string[] = [];
      for await (const { uri } of client.resources()) found.push(uri);
      expect(found).toEqual(notes);
    });

    test('[RES-06] lists their templates', async () => {
      expect(await client.listAllResourceTemplates()).toEqual([
        { uriTemplate: 'weather://{city}', name: 'weather', mimeType: 'text/plain' },
      ]);
    });

    test.each([
      ['note://3', { mimeType: 'text/plain', text: 'This is note-3' }],
      ['picture://dot', { mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) }],
      ['weather://bern', { text: 'Sunny in bern' }],
    ])('[RES-07] reads %s', async (uri, contents) => {
      expect((await client.readResource(uri)).contents).toEqual([{ uri, ...contents }]);
    });

    test('[CACHE-05] [CACHE-17] keeps a result as long as the server allows, or until it changes', async () => {
      const read = async () => (await client.readResource('counter://it')).contents;
      const first = await read();
      expect(await read()).toEqual(first);
      const subscription = await client.listen({ resourceSubscriptions: ['counter://it'] });
      const event = next(subscription);
      await client.callTool('change', { what: 'counter://it' });
      expect(await event).toMatchObject({ uri: 'counter://it' });
      expect(await read()).not.toEqual(first);
      await subscription.close();
    });
  });

  describe('prompts and completion', () => {
    test('[PRM-05] lists them', async () => {
      expect(await client.listAllPrompts()).toEqual([
        {
          name: 'translate',
          title: 'Translate',
          description: 'Asks for a translation',
          arguments: [
            { name: 'text', required: true },
            { name: 'language', required: true },
          ],
        },
        { name: 'letter' },
      ]);
    });

    test('[PRM-06] [PRM-07] gets one', async () => {
      expect(await client.getPrompt('translate', { text: 'yes', language: 'greek' })).toMatchObject({
        description: 'To greek',
        messages: [{ role: 'user', content: { type: 'text', text: 'Translate yes to greek' } }],
      });
    });

    test('[COMP-02] [COMP-03] completes an argument in the light of the others', async () => {
      const ref = { type: 'ref/prompt', name: 'translate' } as const;
      const argument = { name: 'language', value: 'g' };
      expect((await client.complete(ref, argument)).completion).toMatchObject({ values: ['german', 'greek'] });
      const settled = await client.complete(ref, argument, { from: 'german' });
      expect(settled.completion).toMatchObject({ values: ['greek'] });
    });

    test('[COMP-11] completes a variable of a template', async () => {
      const ref = { type: 'ref/resource', uri: 'weather://{city}' } as const;
      const { completion } = await client.complete(ref, { name: 'city', value: 'be' });
      expect(completion).toMatchObject({ values: ['berlin', 'bern'], total: 2, hasMore: false });
    });
  });

  /** The next event of a subscription. */
  async function next(events: AsyncIterable<SubscriptionEvent>): Promise<SubscriptionEvent | undefined> {
    const { value, done } = await events[Symbol.asyncIterator]().next();
    return done === true ? undefined : value;
  }

  describe('subscriptions', () => {
    test('[SUBS-01] [SUBS-07] hears of what it asked for', async () => {
      const filter = {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['note://1'],
      };
      const subscription = await client.listen(filter, { coalesce: 0 });
      expect(subscription.honored).toEqual(filter);
      const events = subscription[Symbol.asyncIterator]();
      for (const what of ['tools', 'prompts', 'resources', 'note://1']) {
        const event = events.next();
        await client.callTool('change', { what });
        const { value } = await event;
        expect(value).toMatchObject(what.includes(':') ? { kind: 'resource', uri: what } : { kind: what });
      }
      await subscription.close();
      expect(await subscription.closed).toBe('local');
    });

    test('[SUBS-10] [SUBS-11] has two at once, each with its own events', async () => {
      const one = await client.listen({ resourceSubscriptions: ['note://1'] });
      const two = await client.listen({ resourceSubscriptions: ['note://2'] });
      const [first, second] = [next(one), next(two)];
      await client.callTool('change', { what: 'note://2' });
      expect(await second).toMatchObject({ uri: 'note://2' });
      await two.close();
      await client.callTool('change', { what: 'note://1' });
      expect(await first).toMatchObject({ uri: 'note://1' });
      await one.close();
    });

    test('[SUBS-13] is told of the end when the server shuts down', async () => {
      const other = await run();
      const listener = await connect(other.target);
      const subscription = await listener.listen({ toolsListChanged: true });
      process.kill(Number(textOf(await listener.callTool('pid'))), 'SIGTERM');
      expect(await subscription.closed).toBe('graceful');
      await listener.close();
      await other.stop();
    });
  });

  test('nothing that the official server does is tolerated with a warning', async () => {
    await client.listAllTools();
    await client.callTool('sum', { a: 1, b: 2 });
    await client.callTool('work', { steps: 1 }, { onProgress: () => {}, onLog: () => {} });
    await client.listAllResources();
    await client.readResource('note://1');
    await client.getPrompt('letter');
    expect(warnings).toEqual([]);
  });
});

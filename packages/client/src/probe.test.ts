import { DragomanError, McpError, MODERN, type Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { ManualClock, settled } from '../test/support/manual-clock.ts';
import { type Answering, discovery, ScriptedWire, silence, text } from '../test/support/scripted-wire.ts';
import { Client } from './client.ts';
import { connect } from './connect.ts';
import type { ClientOptions } from './options.ts';
import { legacyServerError } from './probe.ts';
import { MemoryVerdicts } from './verdicts.ts';
import type { Wire } from './wires/wire.ts';

const throwing =
  (error: unknown): Answering =>
  () => {
    throw error;
  };

const httpError = (status: number): DragomanError =>
  new DragomanError('HTTP_ERROR', `HTTP ${status}`, { details: { status } });

async function meet(
  answering: Answering,
  kind: Wire['kind'] = 'http',
  options?: ClientOptions,
): Promise<{ client: Client; wire: ScriptedWire; outcome: unknown }> {
  const wire = new ScriptedWire(answering, kind);
  const client = new Client(wire, { verdicts: new MemoryVerdicts(), ...options });
  const outcome = await client.meet().catch((reason: unknown) => reason);
  return { client, wire, outcome };
}

const codeOf = (outcome: unknown): unknown => (outcome as { code?: unknown } | undefined)?.code;

describe('a server that answers as a modern one', () => {
  test.each(['http', 'stdio', 'stream', 'memory'] as const)(
    '[ERA-02] with a list of versions, over %s',
    async (kind) => {
      const { client, wire, outcome } = await meet(() => discovery, kind);
      expect(outcome).toBeUndefined();
      expect(wire.methods).toEqual(['server/discover']);
      expect(client.info).toMatchObject({
        era: 'modern',
        known: 'asked',
        version: MODERN,
        serverInfo: { name: 'scripted' },
        supportedVersions: [MODERN],
        capabilities: { tools: {} },
        instructions: 'Be kind.',
      });
    },
  );

  test.each([
    ['http', new McpError(-32021, 'no', { data: { requiredCapabilities: {} }, httpStatus: 400 })],
    ['stdio', new McpError(-32021, 'no', { data: { requiredCapabilities: {} } })],
    ['http', new McpError(-32601, 'no', { httpStatus: 404 })],
  ] as const)('[ERA-03][ERA-12][ERA-15] over %s with %o', async (kind, error) => {
    const { client, outcome } = await meet(throwing(error), kind);
    expect(outcome).toBeUndefined();
    expect(client.info).toMatchObject({ era: 'modern', known: 'asked' });
    expect(client.info.capabilities).toBeUndefined();
  });

  test('[T001] but refuses the headers, is not connected to as anything else', async () => {
    const { outcome } = await meet(throwing(new McpError(-32020, 'Mcp-Method is missing', { httpStatus: 400 })));
    expect(codeOf(outcome)).toBe(-32020);
  });

  test('an exchange of this process is modern whatever it answers', async () => {
    expect((await meet(throwing(new McpError(-32601, 'what?')), 'memory')).outcome).toBeUndefined();
    expect((await meet(() => ({}), 'memory')).outcome).toBeUndefined();
  });

  test('[DISC-11][T012] lists older versions too, which are passed over', async () => {
    const result: Result = { ...discovery, supportedVersions: ['2025-11-25', 7, MODERN] as string[] };
    const { client } = await meet(() => result);
    expect(client.info).toMatchObject({ version: MODERN, supportedVersions: ['2025-11-25', MODERN] });
  });
});

describe('[V01] a server that answers as an older one', () => {
  test.each([
    ['400 -32000', new McpError(-32000, 'Bad Request: Session ID required', { httpStatus: 400 })],
    ['400 -32600', new McpError(-32600, 'session id required', { httpStatus: 400 })],
    ['404 -32001', new McpError(-32001, 'Invalid session ID', { httpStatus: 404 })],
    ['[T007][P53] 200 -32601', new McpError(-32601, 'Method not found', { httpStatus: 200 })],
    ['[P53] 400 -32602', new McpError(-32602, 'Invalid params', { httpStatus: 400 })],
    ['400 without a JSON-RPC error', httpError(400)],
    ['422', httpError(422)],
    ['405', httpError(405)],
    ['[T013] -32022 without a list', new McpError(-32022, 'no', { httpStatus: 400, data: { requested: MODERN } })],
    ['[T013] -32022 with an empty list', new McpError(-32022, 'no', { httpStatus: 400, data: { supported: [1] } })],
    ['[T011] -32022 with older versions only', new McpError(-32022, 'no', { data: { supported: ['2025-11-25'] } })],
  ])('over HTTP: %s', async (_name, error) => {
    const { outcome, wire } = await meet(throwing(error));
    expect(codeOf(outcome)).toBe('LEGACY_SERVER');
    expect(wire.methods).toEqual(['server/discover']);
  });

  test.each([
    ['[T003] -32601', new McpError(-32601, 'Method not found')],
    ['[T002] -32602', new McpError(-32602, 'Invalid request parameters')],
    ['0', new McpError(0, 'no')],
    ['-32600', new McpError(-32600, 'not initialized')],
  ])('[ERA-04][ERA-05] over stdio: %s', async (_name, error) => {
    expect(codeOf((await meet(throwing(error), 'stdio')).outcome)).toBe('LEGACY_SERVER');
  });

  test('[ERA-13] with a result that lists no versions', async () => {
    expect(codeOf((await meet(() => ({ tools: [] }))).outcome)).toBe('LEGACY_SERVER');
    const old: Result = { ...discovery, supportedVersions: ['2025-06-18'] };
    const { outcome } = await meet(() => old);
    expect(codeOf(outcome)).toBe('LEGACY_SERVER');
    expect((outcome as Error).message).toContain('2025-06-18');
  });

  test('[ERA-04][ERA-07] over stdio with silence, for as long as startTimeout says', async () => {
    const clock = new ManualClock();
    const meeting = meet(silence, 'stdio', { clock, startTimeout: 5_000 });
    await clock.advance(4_999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    const { outcome } = await meeting;
    expect(codeOf(outcome)).toBe('LEGACY_SERVER');
    expect((outcome as Error).message).toContain('silence');
    expect(clock.pending).toBe(0);
  });

  test('[ERA-27] the error says what was seen and what can be done, and whoever connects gets it', async () => {
    const wire = new ScriptedWire(throwing(new McpError(-32601, 'Method not found', { httpStatus: 200 })));
    const outcome = await connect(wire, { verdicts: new MemoryVerdicts() }).catch((reason: unknown) => reason);
    expect(codeOf(outcome)).toBe('LEGACY_SERVER');
    expect((outcome as Error).message).toMatch(
      /-32601 "Method not found" \(HTTP 200\).*Update the server.*era: 'modern'/,
    );
    expect((outcome as DragomanError).cause).toBeInstanceOf(McpError);
    expect(wire.closes).toBe(1);
  });

  test('[P35] what may be no MCP server at all is told as that', async () => {
    const { outcome } = await meet(throwing(httpError(404)));
    expect((outcome as Error).message).toMatch(/HTTP 404.*Check that this is the address of an MCP endpoint/);
  });

  test('[ERA-20] goes on through an adapter where there is one', async () => {
    const seen: string[] = [];
    const { client, outcome, wire } = await meet(throwing(new McpError(-32601, 'no')), 'stdio', {
      legacyAdapter: (_wire, evidence) => {
        seen.push(evidence.seen);
        return async () => text('from long ago');
      },
    });
    expect(outcome).toBeUndefined();
    expect(seen).toEqual([expect.stringContaining('-32601')]);
    expect(client.info).toMatchObject({ era: 'legacy', known: 'asked' });
    expect(await client.callTool('x')).toEqual(text('from long ago'));
    expect(wire.methods).toEqual(['server/discover']);
  });
});

describe('[T004][T005][ERA-14] what says nothing about the era is handed on', () => {
  test.each([
    ['500', httpError(500)],
    ['503', httpError(503)],
    ['429', httpError(429)],
    ['408', httpError(408)],
    ['a redirection', httpError(302)],
    ['500 with a JSON-RPC error', new McpError(-32603, 'broken', { httpStatus: 500 })],
    ['401 with a JSON-RPC error', new McpError(-32000, 'login', { httpStatus: 401 })],
    ['[P49] no credentials', new DragomanError('UNAUTHORIZED', 'log in', { details: { status: 401 } })],
    ['no network', new DragomanError('CONNECTION_FAILED', 'refused')],
    ['no JSON', new DragomanError('PROTOCOL_VIOLATION', 'HTML')],
    ['something else entirely', new TypeError('bug')],
  ])('over HTTP: %s', async (_name, error) => {
    const { outcome, client } = await meet(throwing(error));
    expect(outcome).toBe(error);
    expect(client.info.known).toBe('assumed');
  });

  test('[ERA-08] over stdio: a process that died is not called old', async () => {
    const error = new DragomanError('CONNECTION_CLOSED', 'exited with 1');
    expect((await meet(throwing(error), 'stdio')).outcome).toBe(error);
  });

  test('[T004] over HTTP: silence', async () => {
    const clock = new ManualClock();
    const meeting = meet(silence, 'http', { clock, timeout: 1_000 });
    await clock.advance(1_000);
    expect(codeOf((await meeting).outcome)).toBe('TIMEOUT');
  });

  test('a meeting that failed can be tried again', async () => {
    const { client, wire } = await meet(throwing(httpError(503)));
    wire.answering = () => discovery;
    await client.meet();
    expect(client.info.known).toBe('asked');
  });
});

describe('versions', () => {
  const refusal = (supported: string[]): McpError =>
    new McpError(-32022, 'no', { data: { supported, requested: MODERN }, httpStatus: 400 });

  test('[VER-03] a server that refuses the very version it lists is asked once more', async () => {
    let refusals = 1;
    const { outcome, wire } = await meet(() => {
      if (refusals-- > 0) throw refusal([MODERN]);
      return discovery;
    });
    expect(outcome).toBeUndefined();
    expect(wire.methods).toEqual(['server/discover', 'server/discover']);
    expect(wire.seen.map(({ meta }) => meta['io.modelcontextprotocol/protocolVersion'])).toEqual([MODERN, MODERN]);
  });

  test('[T011] but not a third time', async () => {
    const { outcome, wire } = await meet(throwing(refusal([MODERN])));
    expect(codeOf(outcome)).toBe(-32022);
    expect(wire.methods).toHaveLength(2);
  });

  test('[V03] no version in common is told as that, and nothing else is tried', async () => {
    const { outcome, wire } = await meet(throwing(refusal(['2030-01-01'])));
    expect(codeOf(outcome)).toBe('VERSION_MISMATCH');
    expect((outcome as Error).message).toMatch(/2030-01-01.*2026-07-28/);
    expect(wire.methods).toEqual(['server/discover']);
    const listed: Result = { ...discovery, supportedVersions: ['2030-01-01'] };
    expect(codeOf((await meet(() => listed)).outcome)).toBe('VERSION_MISMATCH');
  });

  test('[VER-09] a refusal in the middle of things is answered with a version that both speak', async () => {
    const { client, wire } = await meet(() => discovery);
    let refusals = 1;
    wire.answering = () => {
      if (refusals-- > 0) throw refusal([MODERN, '2025-11-25']);
      return text('well');
    };
    expect(await client.callTool('x')).toEqual(text('well'));
    wire.answering = throwing(refusal(['2025-11-25']));
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'VERSION_MISMATCH' });
  });

  test('a version that the caller wrote by hand is the caller’s to change', async () => {
    const { client, wire } = await meet(() => discovery);
    wire.answering = throwing(refusal([MODERN]));
    const meta = { 'io.modelcontextprotocol/protocolVersion': 'v9' };
    await expect(client.callTool('x', undefined, { meta })).rejects.toMatchObject({ code: -32022 });
    expect(wire.methods).toEqual(['server/discover', 'tools/call']);
    expect(wire.seen[1]?.meta['io.modelcontextprotocol/protocolVersion']).toBe('v9');
  });
});

describe('what is remembered', () => {
  test('[T009][ERA-17][ERA-18] spares the question to the same server, and only to that', async () => {
    const verdicts = new MemoryVerdicts();
    const wire = new ScriptedWire(() => discovery, 'http', 'one');
    await connect(wire, { verdicts });
    const again = new ScriptedWire(() => ({ ...text('hi'), _meta: discovery._meta ?? {} }), 'http', 'one');
    const client = await connect(again, { verdicts });
    expect(again.methods).toEqual([]);
    expect(client.info).toMatchObject({ known: 'remembered', era: 'modern', version: MODERN });
    expect(client.info.serverInfo).toBeUndefined();
    await client.callTool('x');
    expect(again.methods).toEqual(['tools/call']);
    expect(client.info.serverInfo).toMatchObject({ name: 'scripted' });
    const other = new ScriptedWire(() => discovery, 'http', 'two');
    await connect(other, { verdicts });
    expect(other.methods).toEqual(['server/discover']);
  });

  test('[DISC-02] era "modern" asks nothing and remembers nothing', async () => {
    const verdicts = new MemoryVerdicts();
    const wire = new ScriptedWire(() => ({ ...text('hi'), _meta: discovery._meta ?? {} }));
    const client = await connect(wire, { verdicts, era: 'modern' });
    expect(wire.methods).toEqual([]);
    expect(client.info.known).toBe('assumed');
    await client.callTool('x');
    expect(wire.methods).toEqual(['tools/call']);
    expect(client.info.serverInfo).toMatchObject({ name: 'scripted' });
    expect(verdicts.get(wire.identity)).toBeUndefined();
  });

  test('[T008] a verdict for a version that is not spoken here, or for an older server, is not used', async () => {
    const verdicts = new MemoryVerdicts();
    for (const verdict of [
      { era: 'modern', version: '2030-01-01', at: 0 },
      { era: 'legacy', version: '2025-11-25', at: 0 },
    ] as const) {
      verdicts.set('one', verdict);
      const wire = new ScriptedWire(() => discovery, 'http', 'one');
      await connect(wire, { verdicts });
      expect(wire.methods).toEqual(['server/discover']);
    }
  });

  test('a store that fails costs a warning', async () => {
    const warnings: string[] = [];
    const broken = () => {
      throw new Error('disk full');
    };
    const { outcome } = await meet(() => discovery, 'http', {
      verdicts: { get: broken, set: async () => broken(), delete: broken },
      onWarning: ({ kind, message }) => warnings.push(`${kind}: ${message}`),
    });
    expect(outcome).toBeUndefined();
    expect(warnings).toEqual(Array(2).fill('verdict-store: The store of verdicts failed: disk full'));
  });

  test('the oldest verdict goes when there are too many', () => {
    const verdicts = new MemoryVerdicts(2);
    const verdict = { era: 'modern', version: MODERN, at: 0 } as const;
    for (const identity of ['a', 'b', 'a', 'c']) verdicts.set(identity, verdict);
    expect(['a', 'b', 'c'].map((identity) => verdicts.get(identity) !== undefined)).toEqual([true, false, true]);
  });
});

describe('[ERA-19][T010] a server that is remembered as modern and does not answer like it', () => {
  async function remembered(answering: Answering, kind: Wire['kind'] = 'http') {
    const verdicts = new MemoryVerdicts();
    verdicts.set('one', { era: 'modern', version: MODERN, at: 0 });
    const wire = new ScriptedWire(answering, kind, 'one');
    const warnings: string[] = [];
    const client = await connect(wire, { verdicts, onWarning: ({ kind }) => warnings.push(kind) });
    return { client, wire, verdicts, warnings };
  }

  test('is asked again, and told as old where it is', async () => {
    const { client, wire, verdicts, warnings } = await remembered(throwing(httpError(400)));
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'LEGACY_SERVER' });
    expect(wire.methods).toEqual(['tools/call', 'server/discover']);
    expect(verdicts.get('one')).toBeUndefined();
    expect(warnings).toEqual(['era']);
  });

  test('is asked again over stdio after any error, and the call is never sent twice', async () => {
    const error = new McpError(-32602, 'Unknown tool');
    const { client, wire, verdicts } = await remembered(({ method }) => {
      if (method === 'server/discover') return discovery;
      throw error;
    }, 'stdio');
    await expect(client.callTool('x')).rejects.toBe(error);
    expect(wire.methods).toEqual(['tools/call', 'server/discover']);
    expect(verdicts.get('one')).toBeDefined();
    await expect(client.callTool('x')).rejects.toBe(error);
    expect(wire.methods).toEqual(['tools/call', 'server/discover', 'tools/call']);
  });

  test('is asked once by calls that fail together', async () => {
    const { client, wire } = await remembered(async ({ method }) => {
      await settled();
      if (method === 'server/discover') return discovery;
      throw httpError(404);
    });
    await Promise.allSettled([client.callTool('x'), client.callTool('y')]);
    expect(wire.methods).toEqual(['tools/call', 'tools/call', 'server/discover']);
  });

  test.each([
    ['a modern error', new McpError(-32021, 'no', { httpStatus: 400 })],
    ['an ordinary error', new McpError(-32602, 'Unknown tool', { httpStatus: 200 })],
    ['no credentials', new DragomanError('UNAUTHORIZED', 'no')],
    ['a broken server', new McpError(-32603, 'no', { httpStatus: 500 })],
  ])('is not asked again after %s', async (_name, error) => {
    const { client, wire } = await remembered(throwing(error));
    await expect(client.callTool('x')).rejects.toBe(error);
    expect(wire.methods).toEqual(['tools/call']);
  });

  test.each([
    ['-32600', new McpError(-32600, 'no', { httpStatus: 200 })],
    ['a refusal', new McpError(-32000, 'session?', { httpStatus: 400 })],
  ])('is asked again over HTTP after %s', async (_name, error) => {
    const { client, wire } = await remembered(({ method }) => {
      if (method === 'server/discover') return discovery;
      throw error;
    });
    await expect(client.callTool('x')).rejects.toBe(error);
    expect(wire.methods).toEqual(['tools/call', 'server/discover']);
  });

  test('is not asked again once it has answered like one', async () => {
    const { client, wire } = await remembered(() => text('hi'));
    await client.callTool('x');
    wire.answering = throwing(httpError(400));
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'HTTP_ERROR' });
    expect(wire.methods).toEqual(['tools/call', 'tools/call']);
  });

  test('an exchange of this process is never doubted', async () => {
    const { client, wire } = await remembered(throwing(new McpError(-32601, 'no')), 'memory');
    await expect(client.callTool('x')).rejects.toMatchObject({ code: -32601 });
    expect(wire.methods).toEqual(['tools/call']);
  });
});

describe('the first sign of life of a process', () => {
  async function start(options?: ClientOptions) {
    const clock = new ManualClock();
    const wire = new ScriptedWire(silence, 'stdio');
    const client = new Client(wire, { verdicts: new MemoryVerdicts(), clock, startTimeout: 1_000, ...options });
    const controller = new AbortController();
    const meeting = client.meet({ signal: controller.signal }).catch((reason: unknown) => reason);
    const stderr = (): void => {
      for (const observer of wire.observers) observer.stderr?.('downloading');
    };
    return { clock, wire, controller, meeting, stderr };
  }

  test('[T13] is waited for as long as it writes to stderr, with one timer', async () => {
    const { clock, wire, meeting, stderr } = await start();
    for (let i = 0; i < 20; i++) {
      await clock.advance(900);
      stderr();
    }
    expect(clock.pending).toBe(1);
    await clock.advance(999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(codeOf(await meeting)).toBe('LEGACY_SERVER');
    expect(clock.pending).toBe(0);
    expect(wire.observers.size).toBe(1);
  });

  test('[CANC-13] is not waited for longer than maxTime, however much it writes', async () => {
    const { clock, meeting, stderr } = await start({ maxTime: 5_000 });
    for (let i = 0; i < 10; i++) {
      stderr();
      await clock.advance(500);
    }
    expect(await meeting).toMatchObject({ code: 'LEGACY_SERVER', cause: { details: { option: 'maxTime' } } });
    expect(clock.pending).toBe(0);
  });

  test('is waited for no longer than the caller wants', async () => {
    const { clock, controller, meeting } = await start();
    await settled();
    controller.abort(new Error('enough'));
    expect(await meeting).toMatchObject({ code: 'ABORTED', cause: { message: 'enough' } });
    await settled();
    expect(clock.pending).toBe(0);
    const wire = new ScriptedWire(silence, 'stdio');
    const given = connect(wire, { verdicts: new MemoryVerdicts(), signal: AbortSignal.abort('early') });
    await expect(given).rejects.toMatchObject({ code: 'ABORTED', cause: 'early' });
    expect(wire.methods).toEqual([]);
  });
});

test('legacyServerError keeps what was seen', () => {
  const wire = new ScriptedWire(() => discovery);
  expect(legacyServerError(wire, { seen: 'it said hello', cause: 7 })).toMatchObject({
    details: { seen: 'it said hello' },
    cause: 7,
  });
});

describe('a store of verdicts', () => {
  test.each([null, 7, 'modern', {}, { era: 'modern' }, { era: 'modern', version: {} }])(
    'may hold %j, and the server is asked',
    async (given) => {
      const wire = new ScriptedWire(() => discovery);
      const verdicts = { get: () => given as never, set: () => {}, delete: () => {} };
      const client = await connect(wire, { verdicts });
      expect(client.info.known).toBe('asked');
      await client.close();
    },
  );

  test('that hangs is done without', async () => {
    const clock = new ManualClock();
    const wire = new ScriptedWire(() => discovery);
    const never = () => new Promise<never>(() => {});
    const warnings: string[] = [];
    const connecting = connect(wire, {
      clock,
      storeTimeout: 50,
      verdicts: { get: never, set: never, delete: never },
      onWarning: ({ kind }) => warnings.push(kind),
    });
    await clock.advance(50);
    const client = await connecting;
    expect(client.info.known).toBe('asked');
    expect(warnings).toEqual(['verdict-store']);
    await client.close();
  });

  test('that hangs does not keep a caller who gives up', async () => {
    const controller = new AbortController();
    const never = () => new Promise<never>(() => {});
    const connecting = connect(new ScriptedWire(() => discovery), {
      signal: controller.signal,
      verdicts: { get: never, set: never, delete: never },
    });
    await settled();
    controller.abort('enough');
    await expect(connecting).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
  });
});

import { DragomanError, McpError, type Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { type Answering, ScriptedWire, text } from '../test/support/scripted-wire.ts';
import { Client } from './client.ts';
import { type OtelOptions, type OtelTracer, otel } from './otel.ts';

interface Recorded {
  name: string;
  kind: number | undefined;
  attributes: { [key: string]: string | number };
  status: unknown;
  ended: number;
}

function setUp(answering: Answering = () => text('ok'), options?: OtelOptions, traceId = 'a'.repeat(32)) {
  const spans: Recorded[] = [];
  const tracer: OtelTracer = {
    startSpan: (name, spanOptions) => {
      const span: Recorded = {
        name,
        kind: spanOptions?.kind,
        attributes: { ...spanOptions?.attributes },
        status: undefined,
        ended: 0,
      };
      spans.push(span);
      return {
        setAttribute: (key, value) => {
          span.attributes[key] = value;
        },
        setStatus: (status) => {
          span.status = status;
        },
        spanContext: () => ({
          traceId,
          spanId: 'b'.repeat(16),
          traceFlags: 1,
          traceState: { serialize: () => (spans.length > 1 ? '' : 'v=1') },
        }),
        end: () => {
          span.ended++;
        },
      };
    },
  };
  const wire = new ScriptedWire(answering);
  const client = new Client(wire, { era: 'modern' });
  client.use(otel(tracer, options ?? { info: () => client.info }));
  return { client, wire, spans };
}

test('[TRACE-03] a span for each call, by the semantic conventions', async () => {
  const { client, spans } = setUp(() => ({ ...text('ok'), tools: [] }));
  await client.callTool('weather', { city: 'Rome' });
  await client.getPrompt('greet');
  await client.readResource('file:///a');
  await client.listTools();
  const common = {
    'mcp.protocol.version': '2026-07-28',
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'server.address': 'scripted.test',
    'server.port': 80,
  };
  expect(spans).toEqual([
    {
      name: 'tools/call weather',
      kind: 2,
      attributes: {
        ...common,
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'weather',
      },
      status: undefined,
      ended: 1,
    },
    {
      name: 'prompts/get greet',
      kind: 2,
      attributes: { ...common, 'mcp.method.name': 'prompts/get', 'gen_ai.prompt.name': 'greet' },
      status: undefined,
      ended: 1,
    },
    {
      name: 'resources/read',
      kind: 2,
      attributes: { ...common, 'mcp.method.name': 'resources/read', 'mcp.resource.uri': 'file:///a' },
      status: undefined,
      ended: 1,
    },
    {
      name: 'tools/list',
      kind: 2,
      attributes: { ...common, 'mcp.method.name': 'tools/list' },
      status: undefined,
      ended: 1,
    },
  ]);
  expect(JSON.stringify(spans)).not.toContain('Rome');
});

test('[TRACE-02][TRACE-04] its context travels in _meta', async () => {
  const { client, wire } = setUp();
  await client.callTool('a');
  expect(wire.seen[0]?.meta).toMatchObject({
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    tracestate: 'v=1',
  });
  await client.callTool('b');
  expect(wire.seen[1]?.meta).not.toHaveProperty('tracestate');
  await client.callTool('c', {}, { meta: { traceparent: 'by hand' } });
  expect(wire.seen[2]?.meta.traceparent).toBe('by hand');
  const silent = setUp(undefined, {}, '0'.repeat(32));
  await silent.client.callTool('a');
  expect(silent.wire.seen[0]?.meta).not.toHaveProperty('traceparent');
  const own = setUp(undefined, {
    inject: (_span, meta) => {
      meta.baggage = 'k=v';
    },
  });
  await own.client.callTool('a');
  expect(own.wire.seen[0]?.meta).toMatchObject({ baggage: 'k=v' });
});

describe('what fails', () => {
  test.each([
    [
      'an error of the server',
      new McpError(-32602, 'no such tool'),
      { 'error.type': '-32602', 'rpc.response.status_code': '-32602' },
      'no such tool',
    ],
    ['time', new DragomanError('TIMEOUT', 'too slow'), { 'error.type': 'timeout' }, 'too slow'],
    [
      'the connection',
      new DragomanError('CONNECTION_FAILED', 'refused'),
      { 'error.type': 'CONNECTION_FAILED' },
      'refused',
    ],
    ['a bug', new TypeError('oops'), { 'error.type': 'TypeError' }, 'oops'],
  ])('%s', async (_name, error, attributes, description) => {
    const { client, spans } = setUp(() => {
      throw error;
    });
    await expect(client.callTool('a')).rejects.toBe(error);
    expect(spans[0]).toMatchObject({ attributes, status: { code: 2, message: description }, ended: 1 });
  });

  test('something that is no error', async () => {
    const { client, spans } = setUp();
    client.use(() => () => Promise.reject('why'));
    await expect(client.callTool('a')).rejects.toBe('why');
    expect(spans[0]).toMatchObject({ attributes: { 'error.type': '_OTHER' }, status: { code: 2 } });
  });

  test('a tool', async () => {
    const failed: Result = { ...text('secret'), isError: true };
    const { client, spans } = setUp(() => failed);
    expect(await client.callTool('a')).toEqual(failed);
    expect(spans[0]).toMatchObject({ attributes: { 'error.type': 'tool_error' }, status: { code: 2 }, ended: 1 });
    expect(JSON.stringify(spans)).not.toContain('secret');
  });
});

test('the span of a subscription ends with its acknowledgement', async () => {
  const { client, spans } = setUp((_request, io) => {
    io.notify({ method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } });
    return new Promise((_, reject) => io.signal.addEventListener('abort', () => reject(io.signal.reason)));
  });
  const subscription = await client.listen({});
  expect(spans).toMatchObject([{ name: 'subscriptions/listen', ended: 1 }]);
  await subscription.close();
  expect(spans[0]?.ended).toBe(1);
});

test.each(['stdio', 'memory'] as const)('over %s there is no address', async (kind) => {
  const spans: { attributes: { [key: string]: unknown } }[] = [];
  const client = new Client(new ScriptedWire(() => text('ok'), kind), { era: 'modern' });
  const span = {
    setAttribute() {},
    setStatus() {},
    end() {},
    spanContext: () => ({ traceId: '', spanId: '', traceFlags: 0 }),
  };
  client.use(
    otel(
      {
        startSpan: (_name, options) => {
          spans.push({ attributes: { ...options?.attributes } });
          return span;
        },
      },
      { info: () => client.info },
    ),
  );
  await client.callTool('a');
  expect(spans[0]?.attributes['server.address']).toBeUndefined();
  expect(spans[0]?.attributes['network.transport']).toBe(kind === 'stdio' ? 'pipe' : undefined);
});

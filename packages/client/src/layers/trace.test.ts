import { McpError } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { type Answering, ScriptedWire, text } from '../../test/support/scripted-wire.ts';
import { Client } from '../client.ts';
import { connect } from '../connect.ts';
import type { TraceEvent } from '../events.ts';
import type { ClientOptions } from '../options.ts';
import type { WireTrace } from '../wires/wire.ts';
import { maskTrace } from './trace.ts';

const message = (value: unknown): WireTrace => ({ type: 'message', direction: 'sent', text: JSON.stringify(value) });
const masked = (value: unknown): unknown => JSON.parse((maskTrace(message(value)) as { text: string }).text);

describe('secrets in messages', () => {
  test.each([
    'authorization',
    'Authorization',
    'cookie',
    'password',
    'passwd',
    'passphrase',
    'token',
    'access_token',
    'refreshToken',
    'client_secret',
    'secret',
    'apiKey',
    'api_key',
    'X-Api-Key',
    'privateKey',
    'credentials',
  ])('the text of a member called %s is masked', (name) => {
    expect(masked({ params: { arguments: { [name]: 'hunter2' } } })).toEqual({
      params: { arguments: { [name]: '***' } },
    });
  });

  test('and so is a bearer token anywhere', () => {
    expect(masked({ a: ['Bearer abc.def'] })).toEqual({ a: ['Bearer ***'] });
  });

  test.each([
    { params: { _meta: { progressToken: 'p-1' } } },
    { params: { _meta: { progressToken: 7 } } },
    { params: { maxTokens: 100, tokens: ['a'], author: 'me', key: 'k', monkey: 'm' } },
    { result: { nextCursor: 'secret-looking', requestState: 'token' } },
    { result: { content: [{ type: 'text', text: 'your password is safe' }] } },
  ])('what opens nothing is left: %j', (value) => {
    expect(masked(value)).toEqual(value);
  });

  test('what is nested too deep to be written again is not shown', () => {
    const deep = `{"token":"hunter2","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(maskTrace({ type: 'message', direction: 'sent', text: deep })).toMatchObject({ text: '***' });
  });

  test('text that is no JSON, and other events, are left as they are', () => {
    const junk: WireTrace = { type: 'message', direction: 'received', text: 'token=1 {' };
    expect(maskTrace(junk)).toBe(junk);
    const end: WireTrace = { type: 'http-end', exchange: 1 };
    expect(maskTrace(end)).toBe(end);
  });
});

describe('traces', () => {
  const exchange: Answering = (request, io) => {
    io.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    if (request.params.name === 'bad') throw new McpError(-32602, 'no');
    if (request.params.name === 'worse') throw new TypeError('bug');
    return text('ok');
  };

  test('of a wire that traces itself come from the wire, while somebody listens', async () => {
    const wire = new ScriptedWire(exchange);
    const client = new Client(wire, { era: 'modern' });
    expect(wire.observers.size).toBe(1);
    const events: TraceEvent[] = [];
    const stops = [client.on('trace', (event) => events.push(event)), client.on('trace', () => {})];
    expect(wire.observers.size).toBe(2);
    for (const observer of wire.observers) observer.trace?.(message({ password: 'x' }));
    expect(events).toEqual([
      { type: 'message', direction: 'sent', text: '{"password":"***"}', at: expect.any(Number) },
    ]);
    for (const stop of stops) stop();
    expect(wire.observers.size).toBe(1);
    client.on('trace', () => {});
    expect(wire.observers.size).toBe(2);
    wire.lose();
    await client.closed;
    expect(wire.observers.size).toBe(0);
  });

  test('of a wire that does not are made here', async () => {
    const scripted = new ScriptedWire(exchange);
    const { kind, target, identity, closed } = scripted;
    const wire = { kind, target, identity, closed, exchange: scripted.exchange, close: () => scripted.close() };
    const events: string[] = [];
    const options: ClientOptions = { era: 'modern' };
    const client = await connect(wire, options);
    await client.callTool('quiet');
    const stop = client.on('trace', (event) =>
      events.push(event.type === 'message' ? `${event.direction} ${event.text}` : event.type),
    );
    await client.callTool('good', {}, { onProgress: () => {} });
    await client.callTool('bad').catch(() => {});
    await client.callTool('worse').catch(() => {});
    stop();
    await client.callTool('quiet');
    const progress =
      'received {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
    expect(events).toEqual([
      expect.stringMatching(/^sent \{"jsonrpc":"2\.0","id":1,"method":"tools\/call".*"name":"good"/),
      progress,
      expect.stringMatching(/^received \{"jsonrpc":"2\.0","id":1,"result"/),
      expect.stringMatching(/^sent .*"id":2.*"bad"/),
      progress,
      'received {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no"}}',
      expect.stringMatching(/^sent .*"id":3.*"worse"/),
      progress,
    ]);
  });

  test('a listener that throws costs a warning', async () => {
    const wire = new ScriptedWire(exchange);
    const warnings: string[] = [];
    const client = new Client(wire, {
      era: 'modern',
      onWarning: (warning) => warnings.push(warning.message),
      onTrace: () => {
        throw new Error('oops');
      },
      onStderr: () => {
        throw new Error('ouch');
      },
    });
    for (const observer of wire.observers) {
      observer.trace?.(message({}));
      observer.stderr?.('boom');
      observer.warning?.({ kind: 'junk', message: 'a log line', count: 1 });
    }
    client.on('close', () => {
      throw new Error('late');
    });
    await client.close();
    await client.closed;
    expect(warnings).toEqual([
      'A listener of traces threw: oops',
      'A listener of stderr threw: ouch',
      'a log line',
      'A listener of close threw: late',
    ]);
  });
});

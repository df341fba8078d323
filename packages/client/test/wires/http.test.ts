import type { ServerResponse } from 'node:http';
import { compileHeaderIndex, McpError } from '@dragoman/protocol';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type HttpOptions, httpWire } from '../../src/wires/http.ts';
import type { Wire } from '../../src/wires/wire.ts';
import {
  errorOf,
  events,
  type HttpFarSide,
  httpFarSide,
  json,
  notificationOf,
  rejection,
  request,
  resultOf,
  type Seen,
  surroundings,
  watch,
} from './far-side.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function serve(
  answer: (seen: Seen, res: ServerResponse) => void,
  options?: HttpOptions,
): Promise<{ wire: Wire; far: HttpFarSide }> {
  const far = await httpFarSide(answer);
  const wire = httpWire(far.url, options);
  open.push(far, wire);
  return { wire, far };
}

const call = (wire: Wire, params: object = {}, io = surroundings()) =>
  wire.exchange(request('tools/call', { name: 't', ...params }), io);

/** The same tests over undici and over the platform's fetch: a wire must not depend on what carries it. */
describe.each([
  ['undici', {}],
  ['fetch', { fetch: (url: string, init: RequestInit) => fetch(url, init) }],
] as [string, HttpOptions][])('over %s', (_port, options) => {
  describe('the request', () => {
    test('[HTTP-10] [HTTP-11] [HTTP-32] [T081] [HTTP-08] [HTTP-09] [HTTP-12] [HDR-01] [HDR-02] is one POST with the headers of the protocol', async () => {
      const { wire, far } = await serve(({ message }, res) => json(res, resultOf(message.id)), options);
      await call(wire, { name: 'täst', arguments: { a: 1 } });
      expect(far.seen).toHaveLength(1);
      expect(far.seen[0]?.headers).toMatchObject({
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': '=?base64?dMOkc3Q=?=',
      });
      expect(far.seen[0]?.message).toMatchObject({
        jsonrpc: '2.0',
        method: 'tools/call',
        params: { name: 'täst', arguments: { a: 1 } },
      });
    });

    test('[XMH-02] mirrors the arguments that the index names', async () => {
      const compiled = compileHeaderIndex({
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, other: { type: 'string' } },
      });
      const index = 'index' in compiled ? compiled.index : undefined;
      const { wire, far } = await serve(({ message }, res) => json(res, resultOf(message.id)), {
        ...options,
        headerIndex: (tool) => (tool === 'known' ? index : undefined),
      });
      await call(wire, { name: 'known', arguments: { region: 'eu', other: 'x' } });
      await call(wire, { name: 'unknown', arguments: { region: 'eu' } });
      expect(far.seen.map(({ headers }) => headers['mcp-param-region'])).toEqual(['eu', undefined]);
    });

    test('[HTTP-46] [T027] has no session, no method but POST, and an id of its own', async () => {
      const { wire, far } = await serve(({ message }, res) => {
        res.setHeader('mcp-session-id', 'abc');
        json(res, resultOf(message.id));
      }, options);
      await call(wire);
      await call(wire);
      expect(far.seen.map(({ headers }) => headers['mcp-session-id'])).toEqual([undefined, undefined]);
      const ids = far.seen.map(({ message }) => message.id);
      expect(new Set(ids).size).toBe(2);
      expect(ids.every(Number.isSafeInteger)).toBe(true);
    });

    test("[H06] [L06] carries the user's headers, but not those that belong to the protocol", async () => {
      const { wire, far } = await serve(({ message }, res) => json(res, resultOf(message.id)), {
        ...options,
        headers: {
          'X-Tenant': 'a',
          ACCEPT: '*/*',
          'Content-Type': 'text/event-stream',
          'mcp-name': 'forged',
          authorization: 'Bearer x',
        },
      });
      const seen = watch(wire);
      await call(wire);
      expect(far.seen[0]?.headers).toMatchObject({
        'x-tenant': 'a',
        authorization: 'Bearer x',
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-name': 't',
      });
      expect(seen.kinds()).toEqual(['header-ignored']);
      expect(seen.warnings[0]?.message).toContain('ACCEPT');
    });

    test('a user name and password in the address are sent as Basic credentials and shown to nobody', async () => {
      const far = await httpFarSide(({ message }, res) => json(res, resultOf(message.id)));
      const wire = httpWire(far.url.replace('://', '://me:p%40ss@'), options);
      open.push(far, wire);
      await call(wire);
      expect(far.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
      expect(`${wire.target} ${wire.identity}`).not.toMatch(/me:|p%40ss|p@ss/);
    });

    test('what is no JSON is not sent', async () => {
      const { wire, far } = await serve(({ message }, res) => json(res, resultOf(message.id)), options);
      expect(await rejection(call(wire, { big: 1n }))).toMatchObject({ code: 'INVALID_ARGUMENT' });
      expect(far.seen).toEqual([]);
    });
  });

  describe('a JSON answer', () => {
    test.each([
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/vnd.api+json',
    ])('[H01] [HTTP-17] of type %s is read', async (type) => {
      const { wire } = await serve(
        ({ message }, res) => json(res, resultOf(message.id, { text: 'ä€' }), 200, type),
        options,
      );
      expect(await call(wire)).toEqual({ text: 'ä€' });
    });

    test('[H01] in another charset is an error', async () => {
      const { wire } = await serve(
        ({ message }, res) => json(res, resultOf(message.id), 200, 'application/json; charset=latin1'),
        options,
      );
      expect(await rejection(call(wire))).toMatchObject({
        code: 'PROTOCOL_VIOLATION',
        message: expect.stringContaining('latin1'),
      });
    });

    test('without a type is read with a warning', async () => {
      const { wire } = await serve(
        ({ message }, res) => res.writeHead(200).end(resultOf(message.id, { fine: true })),
        options,
      );
      const seen = watch(wire);
      expect(await call(wire)).toEqual({ fine: true });
      expect(seen.kinds()).toEqual(['content-type']);
    });

    test('[T01] that comes byte by byte is whole', async () => {
      const { wire } = await serve(({ message }, res) => {
        res.writeHead(200, { 'content-type': 'application/json' });
        const bytes = Buffer.from(resultOf(message.id, { text: 'aß€𝄞' }));
        let at = 0;
        const next = (): void => {
          if (at < bytes.length) res.write(bytes.subarray(at, ++at), () => setImmediate(next));
          else res.end();
        };
        next();
      }, options);
      expect(await call(wire)).toEqual({ text: 'aß€𝄞' });
    });

    test('that is not UTF-8 is an error', async () => {
      const { wire } = await serve(({ message }, res) => {
        res.writeHead(200, { 'content-type': 'application/json' });
        res.end(Buffer.from(resultOf(message.id, { text: 'ä' }), 'latin1'));
      }, options);
      expect(await rejection(call(wire))).toMatchObject({ code: 'PROTOCOL_VIOLATION' });
    });

    test.each([
      ['is no JSON', () => 'Service ready'],
      ['is a batch', (id: number) => `[${resultOf(id)}]`],
      ['is no response', (id: number) => JSON.stringify({ jsonrpc: '2.0', id, result: 'text' })],
      ['is a request', () => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'roots/list' })],
      ['is cut off', (id: number) => resultOf(id).slice(0, -4)],
      ['is empty', () => ''],
    ])('[S08] that %s is an error and never a result', async (_what, body) => {
      const { wire } = await serve(({ message }, res) => json(res, body(message.id)), options);
      expect(await rejection(call(wire))).toMatchObject({ code: 'PROTOCOL_VIOLATION', details: { status: 200 } });
    });

    test.each([
      ['another number', (id: number) => id + 1],
      ['the same number as text', String],
    ])('[T028] for %s does not settle the call as its result', async (_what, other) => {
      const { wire } = await serve(({ message }, res) => json(res, resultOf(other(message.id))), options);
      const seen = watch(wire);
      expect(await rejection(call(wire))).toMatchObject({ code: 'PROTOCOL_VIOLATION' });
      expect(seen.kinds()).toEqual(['unmatched-answer']);
    });

    test('[P47] with an error keeps code, message, data and status', async () => {
      const { wire } = await serve(
        ({ message }, res) => json(res, errorOf(message.id, -32602, 'cursor expired', { a: 1 })),
        options,
      );
      const error = await rejection(call(wire));
      expect(error).toBeInstanceOf(McpError);
      expect(error).toMatchObject({ code: -32602, message: 'cursor expired', data: { a: 1 }, httpStatus: 200 });
    });

    test('[HTTP-13] with 202 and no body is no answer to a request', async () => {
      const { wire } = await serve((_seen, res) => res.writeHead(202).end(), options);
      expect(await rejection(call(wire))).toMatchObject({ code: 'PROTOCOL_VIOLATION', details: { status: 202 } });
    });

    test('[Z10] that is too long is cut off', async () => {
      const { wire } = await serve(
        ({ message }, res) => json(res, resultOf(message.id, { text: 'x'.repeat(100_000) })),
        { ...options, maxMessageBytes: 50_000 },
      );
      expect(await rejection(call(wire))).toMatchObject({
        code: 'LIMIT_EXCEEDED',
        details: { maxMessageBytes: 50_000 },
      });
    });

    test('of many megabytes is read', async () => {
      const text = 'x'.repeat(10_000_000);
      const { wire } = await serve(({ message }, res) => json(res, resultOf(message.id, { text })), options);
      expect(((await call(wire)) as { text: string }).text.length).toBe(text.length);
    });
  });

  describe('a stream', () => {
    test('[HTTP-17] [HTTP-18] brings notifications before the answer, in order', async () => {
      const { wire } = await serve(({ message }, res) => {
        events(
          res,
          notificationOf('notifications/progress', { progressToken: 'p', progress: 1 }),
          notificationOf('notifications/message', { level: 'info', data: 'hello' }),
          resultOf(message.id, { done: true }),
        );
        res.end();
      }, options);
      const seen = watch(wire);
      const io = surroundings();
      const asked = request(
        'tools/call',
        { name: 't' },
        { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'info' },
      );
      expect(await wire.exchange(asked, io)).toEqual({ done: true });
      expect(io.notified.map(({ method }) => method)).toEqual(['notifications/progress', 'notifications/message']);
      expect(seen.warnings).toEqual([]);
    });

    test('[H01] [S01] of any spelling of its type, with any line ends, one byte at a time', async () => {
      const { wire } = await serve(({ message }, res) => {
        res.writeHead(200, { 'content-type': 'Text/Event-Stream;charset=UTF-8' });
        const bytes = Buffer.from(
          `\uFEFF: hello\r\nid: 1\rdata\r\n\r\nevent: message\r\ndata: ${resultOf(message.id, { text: 'ä€' })}\r\n\r\n`,
        );
        let at = 0;
        const next = (): void => {
          if (at < bytes.length) res.write(bytes.subarray(at, ++at), () => setImmediate(next));
          else res.end();
        };
        next();
      }, options);
      const seen = watch(wire);
      expect(await call(wire)).toEqual({ text: 'ä€' });
      expect(seen.warnings).toEqual([]);
    });

    test('[HTTP-24] [S05] [S06] may hold comments, empty events and heartbeats of other eras', async () => {
      const { wire } = await serve(({ message }, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.write(': keep-alive\n\nid: 7\ndata:\n\nevent: ping\ndata: now\n\nretry: 10\n\n');
        res.write('data: {"type":"heartbeat"}\n\n');
        res.end(`data: ${resultOf(message.id, { fine: true })}\n\n`);
      }, options);
      const seen = watch(wire);
      expect(await call(wire)).toEqual({ fine: true });
      expect(seen.kinds()).toEqual(['malformed-message']);
    });

    test('[HTTP-26] that ends without the answer is a lost call, not a result', async () => {
      const { wire } = await serve((_seen, res) => {
        events(res, notificationOf('notifications/progress', { progressToken: 'p', progress: 1 }));
        res.end();
      }, options);
      expect(await rejection(call(wire))).toMatchObject({
        code: 'CONNECTION_CLOSED',
        message: expect.stringContaining('tools/call'),
      });
    });

    test('that breaks before the answer is a lost call', async () => {
      const { wire } = await serve((_seen, res) => {
        events(res, notificationOf('notifications/progress', { progressToken: 'p', progress: 1 }));
        setImmediate(() => res.destroy());
      }, options);
      const io = surroundings();
      const pending = wire.exchange(request('tools/call', { name: 't' }, { progressToken: 'p' }), io);
      expect(await rejection(pending)).toMatchObject({ code: 'CONNECTION_CLOSED' });
      expect(io.notified).toHaveLength(1);
    });

    test("[HTTP-20] [BASE-18] may hold a server's request, which is warned of and not answered", async () => {
      const { wire, far } = await serve(({ message }, res) => {
        events(
          res,
          JSON.stringify({ jsonrpc: '2.0', id: message.id, method: 'elicitation/create', params: {} }),
          resultOf(message.id),
        );
        res.end();
      }, options);
      const seen = watch(wire);
      await call(wire);
      expect(seen.kinds()).toEqual(['server-request']);
      expect(far.seen).toHaveLength(1);
    });

    test('an answer to another call is a warning, and the right one settles', async () => {
      const { wire } = await serve(({ message }, res) => {
        events(
          res,
          resultOf(message.id + 100, { wrong: true }),
          resultOf(String(message.id), { wrong: true }),
          resultOf(message.id, { right: true }),
        );
        res.end();
      }, options);
      const seen = watch(wire);
      expect(await call(wire)).toEqual({ right: true });
      expect(seen.kinds()).toEqual(['unmatched-answer']);
    });

    test('[P44] what comes after the answer is dropped: with a warning, unless it is late progress', async () => {
      let rest: ((text: string) => void) | undefined;
      const { wire } = await serve(({ message }, res) => {
        events(
          res,
          resultOf(message.id),
          notificationOf('notifications/progress', { progressToken: 'p', progress: 9 }),
          resultOf(message.id),
        );
        rest = (text) => res.end(text);
      }, options);
      const seen = watch(wire);
      const io = surroundings();
      await wire.exchange(request('tools/call', { name: 't' }, { progressToken: 'p' }), io);
      await expect.poll(() => seen.kinds()).toEqual(['late-message']);
      rest?.('');
      expect(io.notified).toEqual([]);
    });

    test('[PROG-12] progress for another token, and changes outside a subscription, are warned of', async () => {
      const { wire } = await serve(({ message }, res) => {
        events(
          res,
          notificationOf('notifications/progress', { progressToken: 'other', progress: 1 }),
          notificationOf('notifications/tools/list_changed'),
          resultOf(message.id),
        );
        res.end();
      }, options);
      const seen = watch(wire);
      const io = surroundings();
      await call(wire, {}, io);
      expect(io.notified.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
      expect(seen.warnings.map(({ kind }) => kind)).toEqual(['unmatched-notification']);
    });

    test('[Z10] an event without end is cut off', async () => {
      const { wire } = await serve(
        (_seen, res) => {
          res.writeHead(200, { 'content-type': 'text/event-stream' });
          res.on('error', () => undefined);
          res.write('data: ');
          const more = (): void => {
            if (!res.destroyed && !res.socket?.destroyed) res.write('x'.repeat(10_000), () => setImmediate(more));
          };
          more();
        },
        { ...options, maxMessageBytes: 100_000 },
      );
      expect(await rejection(call(wire))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    });

    test('whose bytes are not UTF-8 is an error', async () => {
      const { wire } = await serve(({ message }, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.end(Buffer.from(`data: ${resultOf(message.id, { text: 'ä' })}\n\n`, 'latin1'));
      }, options);
      expect(await rejection(call(wire))).toMatchObject({ code: 'PROTOCOL_VIOLATION' });
    });

    test('with an error for the call rejects it', async () => {
      const { wire } = await serve(({ message }, res) => {
        events(res, errorOf(message.id, -32603, 'oops'));
        res.end();
      }, options);
      expect(await rejection(call(wire))).toMatchObject({ code: -32603, message: 'oops' });
    });

    test('an answer on it that is no response rejects the call', async () => {
      const { wire } = await serve(
        ({ message }, res) => events(res, JSON.stringify({ jsonrpc: '2.0', id: message.id, result: null })),
        options,
      );
      expect(await rejection(call(wire))).toMatchObject({ code: 'PROTOCOL_VIOLATION' });
    });

    test('a receiver that throws does not stop it', async () => {
      const { wire } = await serve(({ message }, res) => {
        events(
          res,
          notificationOf('notifications/progress', { progressToken: 'p', progress: 1 }),
          resultOf(message.id, { done: true }),
        );
        res.end();
      }, options);
      const seen = watch(wire);
      const io = {
        signal: new AbortController().signal,
        notify() {
          throw new Error('mine');
        },
      };
      expect(await wire.exchange(request('tools/call', { name: 't' }, { progressToken: 'p' }), io)).toEqual({
        done: true,
      });
      expect(seen.kinds()).toEqual(['receiver-failed']);
    });
  });

  describe('a subscription', () => {
    const listen = (wire: Wire, io = surroundings()) =>
      wire.exchange(request('subscriptions/listen', { notifications: { toolsListChanged: true } }), io);
    const tagged = (id: number, method: string): string =>
      notificationOf(method, { _meta: { 'io.modelcontextprotocol/subscriptionId': id } });

    test('[SUBS-13] ends in good order by its result', async () => {
      let stream: ServerResponse | undefined;
      const { wire, far } = await serve(({ message }, res) => {
        stream = res;
        events(res, tagged(message.id, 'notifications/subscriptions/acknowledged'));
      }, options);
      const io = surroundings();
      const end = listen(wire, io);
      await io.came(1);
      stream?.write(`data: ${tagged(far.seen[0]?.message.id as number, 'notifications/tools/list_changed')}\n\n`);
      await io.came(2);
      stream?.end(`data: ${resultOf(far.seen[0]?.message.id, { resultType: 'complete' })}\n\n`);
      expect(await end).toEqual({ resultType: 'complete' });
    });

    test('[T057] ends in good order by notifications/cancelled alone', async () => {
      const { wire } = await serve(({ message }, res) => {
        events(res, notificationOf('notifications/cancelled', { requestId: message.id }));
        res.end();
      }, options);
      const seen = watch(wire);
      expect(await listen(wire)).toMatchObject({ resultType: 'complete' });
      expect(seen.warnings).toEqual([]);
    });

    test('[SUBS-16] whose stream ends without a result is lost', async () => {
      const { wire } = await serve(({ message }, res) => {
        events(res, tagged(message.id, 'notifications/subscriptions/acknowledged'));
        res.end();
      }, options);
      expect(await rejection(listen(wire))).toMatchObject({ code: 'CONNECTION_CLOSED' });
    });

    test('[SUBS-09] under another id is delivered with a warning', async () => {
      const { wire } = await serve(({ message }, res) => {
        events(res, tagged(message.id + 5, 'notifications/tools/list_changed'), resultOf(message.id));
        res.end();
      }, options);
      const seen = watch(wire);
      const io = surroundings();
      await listen(wire, io);
      expect(io.notified).toHaveLength(1);
      expect(seen.kinds()).toEqual(['unmatched-notification']);
    });

    test('[SUBS-11] [Z15] several at once, each with its own changes', async () => {
      const { wire } = await serve(({ message }, res) => {
        const { toolsListChanged } = message.params.notifications as { toolsListChanged?: boolean };
        events(
          res,
          tagged(
            message.id,
            toolsListChanged ? 'notifications/tools/list_changed' : 'notifications/prompts/list_changed',
          ),
          resultOf(message.id),
        );
        res.end();
      }, options);
      const [tools, prompts] = [surroundings(), surroundings()];
      await Promise.all([
        listen(wire, tools),
        wire.exchange(request('subscriptions/listen', { notifications: { promptsListChanged: true } }), prompts),
      ]);
      expect(tools.notified.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
      expect(prompts.notified.map(({ method }) => method)).toEqual(['notifications/prompts/list_changed']);
    });
  });

  describe('cancellation', () => {
    test.each(['before the answer begins', 'in the middle of a stream'])(
      '[T059] [CANC-03] [HTTP-31] %s closes the connection and sends nothing',
      async (when) => {
        let gone: (() => void) | undefined;
        const left = new Promise<void>((resolve) => {
          gone = resolve;
        });
        let arrived: (() => void) | undefined;
        const here = new Promise<void>((resolve) => {
          arrived = resolve;
        });
        const { wire, far } = await serve((_seen, res) => {
          res.on('close', () => gone?.());
          if (when !== 'before the answer begins')
            events(res, notificationOf('notifications/progress', { progressToken: 'p', progress: 1 }));
          arrived?.();
        }, options);
        const io = surroundings();
        const pending = wire.exchange(request('tools/call', { name: 't' }, { progressToken: 'p' }), io);
        await here;
        if (when !== 'before the answer begins') await io.came(1);
        io.abort(new Error('enough'));
        expect(await rejection(pending)).toMatchObject({ code: 'ABORTED', cause: { message: 'enough' } });
        await left;
        expect(far.seen).toHaveLength(1);
      },
    );

    test('a call whose signal has aborted already is not sent', async () => {
      const { wire, far } = await serve(({ message }, res) => json(res, resultOf(message.id)), options);
      const io = surroundings();
      io.abort();
      expect(await rejection(call(wire, {}, io))).toMatchObject({ code: 'ABORTED' });
      expect(far.seen).toEqual([]);
    });

    test('of one call leaves the others alone', async () => {
      const held: [number, ServerResponse][] = [];
      const { wire } = await serve(({ message }, res) => {
        held.push([message.id, res]);
        if (held.length === 2) both?.();
      }, options);
      let both: (() => void) | undefined;
      const ready = new Promise<void>((resolve) => {
        both = resolve;
      });
      const io = surroundings();
      const [first, second] = [call(wire, {}, io), call(wire)];
      await ready;
      io.abort();
      await rejection(first);
      for (const [id, res] of held) if (!res.destroyed) json(res, resultOf(id, { id }));
      expect(await second).toHaveProperty('id');
    });
  });

  describe('closing', () => {
    test('rejects what is pending, closes its connections, and refuses later calls', async () => {
      let gone: (() => void) | undefined;
      const left = new Promise<void>((resolve) => {
        gone = resolve;
      });
      let arrived: (() => void) | undefined;
      const here = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const { wire } = await serve((_seen, res) => {
        res.on('close', () => gone?.());
        arrived?.();
      }, options);
      const pending = call(wire);
      await here;
      const closing = wire.close();
      expect(wire.close()).toBe(closing);
      expect(await rejection(pending)).toMatchObject({ code: 'CONNECTION_CLOSED' });
      await Promise.all([closing, left]);
      expect(await wire.closed).toEqual({ by: 'local' });
      expect(await rejection(call(wire))).toMatchObject({ code: 'CONNECTION_CLOSED' });
    });

    test('before the first call is heard of returns too', async () => {
      const { wire, far } = await serve(({ message }, res) => json(res, resultOf(message.id)), options);
      const pending = call(wire);
      await wire.close();
      expect(await rejection(pending)).toMatchObject({ code: 'CONNECTION_CLOSED' });
      expect(far.seen.length).toBeLessThanOrEqual(1);
    });
  });

  test('traces messages and HTTP exchanges with secrets masked', async () => {
    const { wire, far } = await serve(
      ({ message }, res) => {
        res.setHeader('set-cookie', ['a=secret', 'b=secret']);
        json(res, resultOf(message.id));
      },
      { ...options, headers: { authorization: 'Bearer secret', 'x-plain': 'shown' } },
    );
    const seen = watch(wire);
    await call(wire);
    expect(seen.traces.map(({ type }) => type)).toEqual([
      'http-request',
      'message',
      'http-response',
      'message',
      'http-end',
    ]);
    const [sent, , got] = seen.traces;
    expect(sent).toMatchObject({ method: 'POST', url: far.url, exchange: 1 });
    expect(sent?.type === 'http-request' && Object.fromEntries(sent.headers)).toMatchObject({
      authorization: '***',
      'x-plain': 'shown',
      'Mcp-Method': 'tools/call',
    });
    expect(got).toMatchObject({ status: 200 });
    expect(JSON.stringify([sent, got])).not.toContain('secret');
  });
});

describe('connections', () => {
  test('calls that follow each other share one', async () => {
    const { wire, far } = await serve(({ message }, res) => json(res, resultOf(message.id)));
    for (let count = 0; count < 5; count++) await call(wire);
    expect(new Set(far.seen.map(({ port }) => port)).size).toBe(1);
  });

  test('calls at the same time have one each, up to the limit, and the rest wait for their turn', async () => {
    const { wire, far } = await serve(({ message }, res) => setImmediate(() => json(res, resultOf(message.id))), {
      maxConnections: 3,
    });
    await Promise.all(Array.from({ length: 20 }, () => call(wire)));
    expect(far.seen).toHaveLength(20);
    expect(new Set(far.seen.map(({ port }) => port)).size).toBe(3);
  });

  test('a call that is given up while it waits for a connection is never sent', async () => {
    const held: (() => void)[] = [];
    let arrived: (() => void) | undefined;
    const here = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { wire, far } = await serve(
      ({ message }, res) => {
        held.push(() => json(res, resultOf(message.id)));
        if (held.length === 1) arrived?.();
        else json(res, resultOf(message.id));
      },
      { maxConnections: 1 },
    );
    const first = call(wire);
    await here;
    const io = surroundings();
    const second = call(wire, {}, io);
    const third = call(wire, { name: 'third' });
    io.abort();
    await rejection(second);
    held[0]?.();
    await Promise.all([first, third]);
    expect(far.seen.map(({ message }) => message.params.name)).toEqual(['t', 'third']);
  });

  test('a connection that an aborted call has taken down is made anew', async () => {
    let arrived: (() => void) | undefined;
    const here = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const { wire, far } = await serve(
      ({ message }, res) => (message.params.hang ? arrived?.() : json(res, resultOf(message.id))),
      { maxConnections: 1 },
    );
    const io = surroundings();
    const hanging = call(wire, { hang: true }, io);
    await here;
    const waiting = call(wire);
    io.abort();
    await rejection(hanging);
    await waiting;
    expect(new Set(far.seen.map(({ port }) => port)).size).toBe(2);
  });
});

test('[HTTP-21] a stream that the server leaves open after its answer is closed by this side', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let gone: (() => void) | undefined;
    const left = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const { wire } = await serve(({ message }, res) => {
      res.on('close', () => gone?.());
      events(res, resultOf(message.id, { done: true }));
    });
    expect(await call(wire)).toEqual({ done: true });
    vi.advanceTimersByTime(1000);
    await left;
  } finally {
    vi.useRealTimers();
  }
});

test('where the platform only calls itself Node, its own fetch sends', async () => {
  const far = await httpFarSide(({ message }, res) => json(res, resultOf(message.id)));
  const real = fetch;
  let sent = 0;
  vi.stubGlobal('Deno', {});
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    sent++;
    return real(url, init);
  });
  try {
    const wire = httpWire(far.url);
    open.push(far, wire);
    await call(wire);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(sent).toBe(1);
  expect(far.seen).toHaveLength(1);
});

import { DragomanError, type ExchangeIO, McpError, type Result } from '@dragoman/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { type FetchHandler, toFetchHandler } from '../wires/fetch.ts';
import { call, headersFor } from '../wires/testing/request.ts';
import { Stub } from '../wires/testing/stub.ts';
import type { HttpEndpointOptions } from './endpoint.ts';
import type { LegacyHttp } from './legacy.ts';

const ENDPOINT = 'https://mcp.example.com/mcp';
const echo = call('echo', { text: 'x' });

let handler: FetchHandler | undefined;
afterEach(() => handler?.close(0));

function serve(options: HttpEndpointOptions = {}): { stub: Stub; ask: (init?: RequestInit) => Promise<Response> } {
  const stub = new Stub();
  const serving = toFetchHandler(stub, options);
  handler = serving;
  return {
    stub,
    ask: (init) =>
      serving(
        new Request(ENDPOINT, { method: 'POST', headers: headersFor(echo), body: JSON.stringify(echo), ...init }),
      ),
  };
}

describe('what answers when nobody waits any more', () => {
  /** A call whose client goes while it is answered, and what its exchange makes of that. */
  async function left(outcome: (io: ExchangeIO) => Promise<Result>): Promise<Stub> {
    const { stub, ask } = serve({ limits: { callTimeout: 60_000 } });
    const controller = new AbortController();
    let settled: Promise<unknown> = Promise.resolve();
    const begun = new Promise<void>((resolve) => {
      stub.tools.set('echo', (_args, io) => {
        const answer = outcome(io);
        settled = answer.catch(() => {});
        resolve();
        return answer;
      });
    });
    const answer = ask({ signal: controller.signal });
    await begun;
    controller.abort();
    expect((await answer).status).toBe(499);
    await settled;
    await handler?.close();
    return stub;
  }

  const gone = (io: ExchangeIO): Promise<void> =>
    new Promise((resolve) => io.signal.addEventListener('abort', () => resolve()));

  test('a fault of the server is reported all the same', async () => {
    const fault = new Error('broken');
    const stub = await left(async (io) => {
      await gone(io);
      throw fault;
    });
    expect(stub.errors).toEqual([fault]);
  });

  test.each([
    ['that it was given up', () => new DragomanError('ABORTED', 'The client closed the connection')],
    ['that it was given up, as platforms say it', () => new DOMException('gone', 'AbortError')],
    ['an error of the protocol', () => new McpError(-32602, 'no')],
  ])('[CANC-08] nobody is troubled with %s', async (_, reason) => {
    const stub = await left(async (io) => {
      await gone(io);
      throw reason();
    });
    expect(stub.errors).toEqual([]);
  });

  test('[HTTP-30] nor is a result sent', async () => {
    const stub = await left(async (io) => {
      await gone(io);
      return { resultType: 'complete' };
    });
    expect(stub.errors).toEqual([]);
  });
});

test('a body that breaks off is never acted on', async () => {
  const { stub, ask } = serve();
  let called = 0;
  stub.tools.set('echo', () => {
    called++;
    return { resultType: 'complete' };
  });
  const controller = new AbortController();
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      source = stream;
      stream.enqueue(new TextEncoder().encode(JSON.stringify(echo).slice(0, 20)));
    },
  });
  const answer = ask({ body, duplex: 'half', signal: controller.signal } as RequestInit);
  controller.abort();
  expect((await answer).status).toBe(499);
  try {
    source?.enqueue(new TextEncoder().encode(JSON.stringify(echo).slice(20)));
    source?.close();
  } catch {
    // The platform has let go of it already.
  }
  await handler?.close();
  expect(called).toBe(0);
});

describe('an adapter for older revisions', () => {
  const adapter = (receive: LegacyHttp['receive']): LegacyHttp => ({ methods: ['GET', 'DELETE'], receive });

  test('[HTTP-43] may leave a method that it could take: 405, with those that are served', async () => {
    const { ask } = serve({ legacy: adapter(() => false) });
    const answer = await ask({ method: 'GET', body: null });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, GET, DELETE, OPTIONS');
  });

  test('answers once, however often it tries', async () => {
    const { ask } = serve({
      legacy: adapter((taken) => {
        taken.reply(200, 'text/plain', 'first');
        taken.reply(500, 'text/plain', 'second');
        return true;
      }),
    });
    const answer = await ask({ method: 'GET', body: null });
    expect([answer.status, await answer.text()]).toEqual([200, 'first']);
  });
});

test('a refusal with a status of its own has words', async () => {
  const { ask } = serve({ authenticate: () => ({ status: 429 as 403 }) });
  const answer = await ask();
  expect(answer.status).toBe(429);
  expect(await answer.json()).toMatchObject({ error: { code: -32600, message: 'Not authorized for this' } });
});

test('what is refused is repeated only in part', async () => {
  const long = 'x'.repeat(200);
  const { ask } = serve({ allowedHosts: ['mcp.example.com'] });
  const foreign = await ask({ headers: { ...headersFor(echo), origin: `https://${long}.example` } });
  expect((await foreign.json()).error.message).toMatch(/^Origin "https:\/\/x{60,80}\.\.\."/);
  const media = await ask({ headers: { ...headersFor(echo), 'content-type': `text/${long}` } });
  expect((await media.json()).error.message).toMatch(/^Content-Type "text\/x{60,80}\.\.\."/);
});

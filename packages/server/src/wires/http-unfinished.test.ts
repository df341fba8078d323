import { type ClientRequest, request } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { toFetchHandler } from './fetch.ts';
import { type HttpServeOptions, type HttpServing, serveHttp } from './http.ts';
import { call, headersFor, post, read } from './testing/request.ts';
import { Stub, text } from './testing/stub.ts';

const stub = new Stub();
let serving: HttpServing;
const unfinished: ClientRequest[] = [];
const serve = async (options: HttpServeOptions): Promise<string> => {
  serving = await serveHttp(stub, options);
  return serving.url;
};
afterEach(async () => {
  for (const each of unfinished.splice(0)) each.destroy();
  await serving.close();
});

const echo = call('echo', { text: 'hello' });
const body = JSON.stringify(echo);

/** Begins a request whose body is to come later. */
function begin(url: string, more: { readonly [name: string]: string | number } = {}) {
  const sending = request(url, { method: 'POST', agent: false, headers: { ...headersFor(echo), ...more } });
  unfinished.push(sending);
  const answer = new Promise<{ status: number | undefined; text: string; again: string | undefined }>(
    (resolve, reject) => {
      sending.on('error', reject);
      sending.on('response', async (response) =>
        resolve({ status: response.statusCode, text: await read(response), again: response.headers['retry-after'] }),
      );
    },
  );
  answer.catch(() => {});
  return { sending, answer, send: (part: string) => new Promise((resolve) => sending.write(part, resolve)) };
}

test('[Z10] bodies that are still coming take nobody’s place, and are answered when they have come', async () => {
  const url = await serve({ limits: { maxConcurrentRequests: 2 } });
  const slow = Array.from({ length: 10 }, () => begin(url));
  await Promise.all(slow.map(({ send }) => send(body.slice(0, 10))));
  for (let times = 0; times < 5; times++) expect((await post(url, echo)).status).toBe(200);
  for (const { sending } of slow) sending.end(body.slice(10));
  for (const { answer } of slow) expect((await answer).text).toContain('hello');
});

test('a body that has come when there is no place is refused, and may come again', async () => {
  const waiting: (() => void)[] = [];
  stub.tools.set('wait', () => new Promise((resolve) => waiting.push(() => resolve(text('waited')))));
  const url = await serve({ limits: { maxConcurrentRequests: 1 } });
  const slow = begin(url);
  await slow.send(body.slice(0, 10));
  const first = post(url, call('wait'));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  slow.sending.end(body.slice(10));
  expect(await slow.answer).toMatchObject({ status: 503, again: '1' });
  waiting[0]?.();
  expect((await first).status).toBe(200);
  expect((await post(url, echo)).status).toBe(200);
});

test('[Z10] large bodies share what room there is; small ones always have some', async () => {
  const url = await serve({ limits: { maxUnfinishedBytes: 100_000 } });
  const large = { 'content-length': 1_000_000 };
  const one = begin(url, large);
  await one.send(' '.repeat(90_000));
  const two = begin(url, large);
  void two.send(' '.repeat(90_000));
  const refused = await two.answer;
  expect(refused).toMatchObject({ status: 503, again: '1' });
  expect(refused.text).toContain('maxUnfinishedBytes is 100000');
  expect((await post(url, echo)).status).toBe(200);
  // Whoever leaves, or has sent all, gives back what was taken.
  one.sending.destroy();
  for (let times = 0; times < 3; times++) {
    await vi.waitFor(async () => {
      const whole = begin(url);
      await whole.send(' '.repeat(90_000));
      whole.sending.end(body);
      expect(await whole.answer).toMatchObject({ status: 200 });
    });
  }
});

test('[Z10] so do bodies of the Fetch standard', async () => {
  await serve({});
  const handle = toFetchHandler(stub, { limits: { maxUnfinishedBytes: 100_000 } });
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const large = (): Promise<Response> =>
    handle(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: headersFor(echo),
        body: new ReadableStream({
          start(controller) {
            streams.push(controller);
            controller.enqueue(new Uint8Array(90_000).fill(0x20));
          },
        }),
        duplex: 'half',
      } as RequestInit),
    );
  const one = large();
  await new Promise((resolve) => setImmediate(resolve));
  expect((await large()).status).toBe(503);
  streams[0]?.enqueue(new TextEncoder().encode(body));
  streams[0]?.close();
  expect((await one).status).toBe(200);
  const three = large();
  await new Promise((resolve) => setImmediate(resolve));
  streams[2]?.enqueue(new TextEncoder().encode(body));
  streams[2]?.close();
  expect((await three).status).toBe(200);
  await handle.close();
});

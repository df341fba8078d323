import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Client, connect } from '@dragoman/client';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, end, type Hostile, head, hostile, line, meta } from './hostile.ts';
import type { Health } from './program.ts';

const directory = mkdtempSync(join(tmpdir(), 'dragoman-neighbours-'));
let child: ChildProcess;
let http: number;
let socket: number;
let clients: Client[];
let changes = 0;

beforeAll(async () => {
  const program = join(directory, 'program.mjs');
  buildSync({
    entryPoints: [fileURLToPath(new URL('./program.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['dragoman-source'],
  });
  child = fork(program, { execArgv: ['--expose-gc'] });
  [{ http, socket }] = (await once(child, 'message')) as [{ http: number; socket: number }];
  const options = { era: 'modern', cache: false, timeout: 12_000 } as const;
  clients = await Promise.all([
    connect(`http://127.0.0.1:${http}/mcp`, options),
    connect({ host: '127.0.0.1', port: socket }, options),
  ]);
  await (clients[0] as Client).listen(
    { resourceSubscriptions: ['res://a'] },
    { coalesce: 0, relisten: false, onEvent: () => changes++ },
  );
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

async function health(): Promise<Health> {
  child.send('how are you?');
  const [answer] = (await once(child, 'message')) as [Health];
  return answer;
}

/** The numbers below one. */
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

let tokens = 0;

/** Two clients, one over HTTP and one over a socket, that go about their business, four calls at a time each. */
async function healthy(isOver: () => boolean, onRound: () => void): Promise<void> {
  const worker = async (client: Client): Promise<void> => {
    for (; !isOver(); onRound()) {
      const token = `healthy ${tokens++}`;
      const heard: string[] = [];
      const [echo, steps] = await Promise.all([
        client.callTool('echo', { token }),
        client.callTool(
          'steps',
          { token, count: 3 },
          { onProgress: ({ progress, message }) => heard.push(`${progress} ${message}`) },
        ),
      ]);
      for (const { content } of [echo, steps]) expect(content).toEqual([{ type: 'text', text: token }]);
      expect(heard).toEqual([1, 2, 3].map((step) => `${step} ${token}`));
    }
  };
  await Promise.all([...clients, ...clients].map(worker));
}

/**
 * Runs a load beside the healthy clients, which must not notice, and leaves nothing behind. The load is handed a function
 * that waits until they have been answered anew.
 */
async function beside(load: (hold: () => Promise<void>) => Promise<unknown>): Promise<void> {
  const before = await health();
  let over = false;
  let rounds = 0;
  let wake = (): void => {};
  const neighbours = healthy(
    () => over,
    () => {
      rounds++;
      wake();
    },
  );
  const hold = async (): Promise<void> => {
    for (const until = rounds + 12; rounds < until; ) {
      const round = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await Promise.race([round, neighbours]);
    }
  };
  try {
    await load(hold);
  } finally {
    over = true;
  }
  await neighbours;
  // Changes still reach whoever listened all the while.
  const seen = changes;
  await (clients[0] as Client).callTool('touch', { token: 'touch' });
  await expect.poll(() => changes, { interval: 1 }).toBeGreaterThan(seen);
  // Each healthy client keeps what connections it has; of the hostile ones none is left.
  await expect.poll(async () => (await health()).connections, { timeout: 5000 }).toBeLessThanOrEqual(12);
  await expect.poll(async () => (await health()).running, { timeout: 5000 }).toBe(0);
  const after = await health();
  expect(after.used - before.used).toBeLessThan(16 * 1024 * 1024);
  expect(Object.keys(after.reported).filter((what) => what.startsWith('error'))).toEqual([]);
}

const openMany = async (count: number, port = http, reads = true): Promise<Hostile[]> => {
  const all: Hostile[] = [];
  // In parts, so that the queue of the listener does not run over.
  for (let at = 0; at < count; at += 250) {
    const part = range(Math.min(250, count - at)).map(() => hostile(port, reads));
    all.push(...part);
    await Promise.all(part.map(({ ready }) => ready));
  }
  return all;
};

describe('a healthy client over HTTP does not notice', () => {
  test('thousands of bodies that come slowly or not at all', () =>
    beside(async (hold) => {
      const all = await openMany(1500);
      await Promise.all(all.map((one) => one.send(head(http, 'Content-Length: 1000\r\n\r\n{'))));
      for (const _ of range(3)) {
        await Promise.all(all.map((one) => one.send(' ')));
        await hold();
      }
      await end(all);
    }));

  test('heads that never end, connections that say nothing, and halves of either', () =>
    beside(async (hold) => {
      const all = await openMany(600);
      await Promise.all(all.map((one, index) => one.send(head(http).slice(0, index % 150))));
      for (const [index, { socket }] of all.entries()) if (index % 2 === 0) socket.end();
      // Whoever has closed its half is answered or let go at once.
      await Promise.all(all.filter((_, index) => index % 2 === 0).map(({ gone }) => gone));
      await hold();
      await end(all);
    }));

  test('readers that take nothing', () =>
    beside(async (hold) => {
      const all = await openMany(60, http, false);
      const big = call(http, 'big', { token: 'x', count: 2_000_000 });
      const flood = call(http, 'steps', { token: 'x'.repeat(1000), count: 3000 });
      await Promise.all(all.map((one, index) => one.send(index % 2 === 0 ? big : flood)));
      await hold();
      await end(all);
    }));

  test('a thousand requests at once on one connection, right and wrong ones', () =>
    beside(async (hold) => {
      const [one, two] = (await openMany(2)) as [Hostile, Hostile];
      await one.send(
        range(1000)
          .map((id) => call(http, 'echo', { token: `${id}` }, id))
          .join(''),
      );
      await expect.poll(() => one.got().match(/"text":"\d+"/g)?.length, { timeout: 10_000 }).toBe(1000);
      expect(one.got().match(/"text":"\d+"/g)).toEqual(range(1000).map((id) => `"text":"${id}"`));
      await two.send(
        range(500)
          .map((id) => call(http, 'hold', { token: `${id}` }, id))
          .join(''),
      );
      await expect.poll(async () => (await health()).running).toBeGreaterThan(0);
      await hold();
      await two.send('GARBAGE\r\n\r\n');
      await end([one, two]);
    }));

  const lengths: [name: string, text: (port: number) => string][] = [
    ['two lengths', (port) => head(port, 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}')],
    ['one length twice', (port) => head(port, 'Content-Length: 2, 2\r\n\r\n{}')],
    ['a length and chunks', (port) => head(port, 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')],
    ['chunks twice', (port) => head(port, 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n{}')],
    ['an unknown coding', (port) => head(port, 'Transfer-Encoding: xchunked\r\n\r\n{}')],
    ['less than nothing', (port) => head(port, 'Content-Length: -1\r\n\r\n')],
    ['a length beyond numbers', (port) => head(port, `Content-Length: ${'9'.repeat(400)}\r\n\r\n{}`)],
    ['a length with a sign', (port) => head(port, 'Content-Length: +2\r\n\r\n{}')],
    ['a chunk beyond numbers', (port) => head(port, `Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n{}`)],
    ['a chunk that is none', (port) => head(port, 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n')],
    ['a chunk longer than it says', (port) => head(port, 'Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n')],
    ['a space before the colon', (port) => head(port, 'Content-Length : 2\r\n\r\n{}')],
    ['a folded line', (port) => head(port, 'Content-Length:\r\n 2\r\n\r\n{}')],
    ['a NUL', (port) => head(port, 'X: a\0b\r\n\r\n')],
    ['a bare CR', (port) => head(port, 'X: a\rY: b\r\n\r\n')],
    ['no host', () => 'POST /mcp HTTP/1.1\r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/0.9', () => 'GET /mcp\r\n\r\n'],
  ];
  test.each(lengths)('%s', (_, text) =>
    beside(async () => {
      const all = await openMany(20);
      // Behind it stands what a server that is misled about the end would take for a request of its own.
      for (const one of all) await one.send(`${text(http)}${call(http, 'echo', { token: 'smuggled' })}`);
      for (const { socket } of all) socket.end();
      await Promise.all(all.map(({ gone }) => gone));
      for (const one of all) {
        expect(one.got()).not.toContain('smuggled');
        expect(one.got()).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/);
      }
    }),
  );

  test('more headers than there is room for, and one that is too long', () =>
    beside(async () => {
      const all = await openMany(20);
      await Promise.all(
        all.map(async (one, index) => {
          const piece = index % 2 === 0 ? 'x:y\r\n'.repeat(10_000) : 'x'.repeat(25_000);
          await one.send(head(http, index % 2 === 0 ? '' : 'X-Long: ') + piece);
          // A million headers, as far as the server lets them come.
          if (index % 4 < 2) for (let sent = 0; sent < 200 && one.socket.writable; sent++) await one.send(piece);
          await one.gone;
          // Whoever writes on while it is refused may see its connection reset instead.
          expect(one.got()).toMatch(index % 4 < 2 ? /^(?:HTTP\/1\.1 431 |$)/ : /^HTTP\/1\.1 431 /);
        }),
      );
    }));

  test.each([
    'Mcp-Method: tools/list',
    'Mcp-Name: other',
    'MCP-Protocol-Version: 2025-11-25',
    'Origin: https://evil.example',
  ])('the header %s twice', (header) =>
    beside(async () => {
      const all = await openMany(20);
      const twice = call(http, 'echo', { token: 'doubled' }).replace(
        '\r\n\r\n',
        `\r\n${header}\r\nConnection: close\r\n\r\n`,
      );
      await Promise.all(all.map((one) => one.send(twice)));
      await Promise.all(all.map(({ gone }) => gone));
      for (const one of all) {
        expect(one.got()).toMatch(/^HTTP\/1\.1 40[03] /);
        expect(one.got()).not.toContain('"text":"doubled"');
      }
    }),
  );

  test('foreign hosts and origins by the thousand', () =>
    beside(async () => {
      const all = await openMany(50);
      const foreign = call(http, 'echo', { token: 'foreign' }).replace(`127.0.0.1:${http}`, 'evil.example');
      const page = call(http, 'echo', { token: 'foreign' }).replace('Accept', 'Origin: null\r\nAccept');
      await Promise.all(all.map((one) => one.send((foreign + page).repeat(10))));
      await expect
        .poll(() => all.every((one) => one.got().split('HTTP/1.1 403').length === 21), { timeout: 8000 })
        .toBe(true);
      for (const one of all) expect(one.got()).not.toContain('"text":"foreign"');
      await end(all);
    }));

  test('connections that come and go by the thousand', () =>
    beside(async () => {
      for (const round of range(6)) {
        const all = await openMany(250);
        await Promise.all(
          all.map((one) => one.send(call(http, 'hold', { token: 'x' }).slice(0, round % 2 === 0 ? 9999 : 200))),
        );
        if (round % 4 > 1) for (const { socket } of all) socket.resetAndDestroy();
        await end(all);
      }
    }));

  test('as many idle connections as the machine has room for', async () => {
    // Both processes have to hold them, and the rest of them needs some too.
    const allowed =
      process.platform === 'win32' ? 2000 : Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
    const count = Math.min(10_000, Number.isNaN(allowed) ? 10_000 : allowed - 1000);
    await beside(async (hold) => {
      const all = await openMany(count, http, false);
      await expect.poll(async () => (await health()).connections, { timeout: 8000 }).toBeGreaterThan(count);
      await hold();
      await end(all);
    });
  });

  test('bombs: what expands, nests, spreads or comes in crumbs', () =>
    beside(async () => {
      const post = (body: string | Uint8Array, more = ''): Buffer =>
        Buffer.concat([
          Buffer.from(head(http, `${more}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`)),
          Buffer.from(body),
        ]);
      const zeros = Buffer.alloc(50_000_000);
      const crumbs = Buffer.concat([
        Buffer.from(head(http, 'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n')),
        Buffer.from('1\r\nx\r\n'.repeat(300_000)),
        Buffer.from('0\r\n\r\n'),
      ]);
      const request = (args: string): string =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args},"_meta":${JSON.stringify(meta())}}}`;
      const bombs: [bomb: Uint8Array, answer: RegExp][] = [
        [post(gzipSync(zeros), 'Content-Encoding: gzip\r\n'), / 415 /],
        [post(brotliCompressSync(zeros), 'Content-Encoding: br\r\n'), / 415 /],
        [post(gzipSync(gzipSync(zeros)), 'Content-Encoding: gzip, gzip\r\n'), / 415 /],
        [post('['.repeat(2_000_000)), / 400 /],
        [post('{"a":'.repeat(700_000)), / 400 /],
        [post(request(`${'['.repeat(900_000)}${']'.repeat(900_000)}`)), / 400 /],
        [
          post(
            request(
              `{"token":"x",${range(150_000)
                .map((n) => `"k${n}":0`)
                .join()}}`,
            ),
          ),
          / 400 /,
        ],
        [post(request(`{"token":${'9'.repeat(1_000_000)}}`)), / 400 /],
        [post(request(`{"token":"${'\\u0000'.repeat(500_000)}"}`)), / 400 /],
        [crumbs, / 400 /],
        [crumbs, / 400 /],
      ];
      for (const [bomb, answer] of bombs) {
        const [one] = (await openMany(1)) as [Hostile];
        await one.send(bomb);
        await one.gone;
        expect(one.got().slice(0, 200)).toMatch(answer);
        expect(one.got()).not.toContain(' 500 ');
      }
    }));
});

describe('a healthy client of a socket does not notice', () => {
  test('junk, lines without end, lines that are no text, and readers that take nothing', () =>
    beside(async (hold) => {
      const all = await openMany(20, socket);
      const deaf = await openMany(10, socket, false);
      await Promise.all([
        ...all.map(async (one, index) => {
          if (index % 4 === 0) await one.send('junk\n'.repeat(5_000));
          else if (index % 4 === 1) for (let sent = 0; sent < 6; sent++) await one.send('x'.repeat(1_000_000));
          else if (index % 4 === 2) await one.send(Buffer.alloc(1_000_000, 0xff));
          else await one.send(`${'[1,'.repeat(100_000)}\n\0\0\n{}\n[]\nnull\n`);
        }),
        ...deaf.map((one) =>
          one.send(
            range(30)
              .map((id) => line('tools/call', { name: 'big', arguments: { token: 'x', count: 100_000 } }, id))
              .join(''),
          ),
        ),
      ]);
      await hold();
      await end([...all, ...deaf]);
    }));

  test('thousands of requests under one id, cancelled and not', () =>
    beside(async (hold) => {
      const all = await openMany(10, socket);
      const held = range(500)
        .map((id) => line('tools/call', { name: 'hold', arguments: { token: 'x' } }, id % 50))
        .join('');
      const cancelled = range(50)
        .map(
          (id) =>
            `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })}\n`,
        )
        .join('');
      await Promise.all(all.map((one) => one.send(held + cancelled + held)));
      await expect
        .poll(() => all.every((one) => one.got().includes('still being answered')), { timeout: 5000 })
        .toBe(true);
      await hold();
      await end(all);
    }));

  test('subscriptions beyond every cap', () =>
    beside(async () => {
      const all = await openMany(8, socket);
      const listen = range(300)
        .map((id) => line('subscriptions/listen', { notifications: { resourceSubscriptions: [`res://${id}`] } }, id))
        .join('');
      await Promise.all(all.map((one) => one.send(listen)));
      await Promise.all(
        range(8).map((index) =>
          expect.poll(() => (all[index] as Hostile).got().split('\n').length, { timeout: 5000 }).toBeGreaterThan(300),
        ),
      );
      await end(all);
    }));
});

test('and none of that needed much memory', async () => {
  expect((await health()).peak).toBeLessThan(512 * 1024 * 1024);
});

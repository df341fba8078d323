import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { serveStdio } from './stdio.ts';
import { guardStdout, type StdioProcess } from './stdout-guard.ts';
import { call, listen } from './testing/request.ts';
import { Stub } from './testing/stub.ts';

const directory = mkdtempSync(join(tmpdir(), 'dragoman-stdio-'));
const program = join(directory, 'program.mjs');
const running = new Set<ChildProcessWithoutNullStreams>();

beforeAll(() => {
  buildSync({
    entryPoints: [fileURLToPath(new URL('./testing/stdio-program.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['dragoman-source'],
  });
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A server in a process of its own. */
function start(grace = 1_000, mode = 'exit') {
  const child = spawn(process.execPath, [program, String(grace), mode]);
  running.add(child);
  child.stdin.on('error', () => {});
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    stderr: () => stderr,
    saying: async (what: string): Promise<void> => {
      while (!stderr.includes(what)) await once(child.stderr, 'data');
    },
    send: (...messages: object[]) =>
      child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
    next: async (): Promise<any> => {
      const { value, done } = await lines.next();
      return done ? undefined : JSON.parse(value);
    },
    exited: once(child, 'close') as Promise<[number | null, string | null]>,
  };
}

test('[T03] [STDIO-03] [T121] whatever else writes to stdout, while loading or answering, ends up on stderr', async () => {
  const server = start();
  server.send(call('noisy', {}, 1), call('echo', { text: 'x' }, 2));
  expect((await server.next()).result.content[0].text).toBe('quiet');
  expect((await server.next()).id).toBe(2);
  server.child.stdin.end();
  expect(await server.next()).toBeUndefined();
  expect(await server.exited).toEqual([0, null]);
  const noises = ['noise while loading', 'more noise', 'noise while answering made', "more: 'noise'", 'forged'];
  for (const noise of [...noises, 'the end, says somebody']) expect(server.stderr()).toContain(noise);
});

test('[STDIO-17] the process exits when stdin ends, whatever it keeps open; listen streams get their result', async () => {
  const server = start(60_000);
  server.send(listen({ toolsListChanged: true }, 'l'));
  await server.next();
  server.child.stdin.end();
  expect(await server.next()).toMatchObject({ id: 'l', result: { resultType: 'complete' } });
  expect(await server.next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 'l' } });
  expect(await server.exited).toEqual([0, null]);
});

test('what was asked before stdin ended is answered within the grace', async () => {
  const server = start(60_000);
  server.send(call('wait', { ms: 30 }, 1));
  server.child.stdin.end();
  expect((await server.next()).result.content[0].text).toBe('waited');
  expect(await server.exited).toEqual([0, null]);
});

test('beyond the grace nobody is waited for', async () => {
  const server = start(10);
  server.send(call('wait', { ms: 60_000 }, 1));
  server.child.stdin.end();
  expect(await server.next()).toBeUndefined();
  expect(await server.exited).toEqual([0, null]);
});

test('[T11] a client that closes both pipes: the process exits with 0 and without a complaint', async () => {
  const server = start();
  server.send(call('started', {}, 1));
  await server.saying('started');
  server.child.stdout.destroy();
  server.child.stdin.end();
  expect(await server.exited).toEqual([0, null]);
  expect(server.stderr()).not.toMatch(/error|EPIPE|at /i);
});

test('[T11] a client that only stops reading: the same', async () => {
  const server = start();
  server.send(call('started', {}, 1));
  await server.saying('started');
  server.child.stdout.destroy();
  expect(await server.exited).toEqual([0, null]);
  expect(server.stderr()).not.toMatch(/error|EPIPE|at /i);
});

test('with exit: false the program ends by itself', async () => {
  const server = start(10, 'stay');
  server.child.stdin.end();
  expect(await server.exited).toEqual([7, null]);
  expect(server.stderr()).toContain('closed');
});

test('megabytes in and out, in one line each', async () => {
  const server = start();
  const text = 'é'.repeat(1_500_000);
  server.send(call('echo', { text }, 1));
  expect((await server.next()).result.content[0].text).toBe(text);
});

interface FakeProcess extends StdioProcess {
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  readonly codes: number[];
}

const fakeProcess = (): FakeProcess => {
  const codes: number[] = [];
  return {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    exit: (code) => codes.push(code),
    codes,
  };
};

test('guarding again changes nothing, and the one way left still leads to stdout', () => {
  const host = fakeProcess();
  const first = guardStdout(host);
  const second = guardStdout(host);
  host.stdout.write('stray');
  first.write('one ');
  second.write('two');
  expect(String(host.stdout.read())).toBe('one two');
  expect(String(host.stderr.read())).toBe('stray');
});

test('close ends the serving of this process, which then exits', async () => {
  const host = fakeProcess();
  const serving = serveStdio(new Stub(), { process: host });
  await serving.close();
  expect(host.codes).toEqual([0]);
});

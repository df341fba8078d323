import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Client, connect } from '../../src/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Census, census } from './census.ts';
import { batches, type Outcome, outcome, range } from './world.ts';

const directory = mkdtempSync(join(tmpdir(), 'dragoman-faults-'));
const program = join(directory, 'program.mjs');
let counted: Census;
const clock = new ManualClock();

beforeAll(() => {
  buildSync({
    entryPoints: [fileURLToPath(new URL('./stdio-program.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['dragoman-source'],
  });
});
afterAll(() => rmSync(directory, { recursive: true }));
beforeEach(() => {
  counted = census();
});
// Whatever a test did, no process, pipe or timer may be left of it.
afterEach(async () => {
  expect(clock.pending).toBe(0);
  await counted.empty();
  counted.end();
});

const start = (...fault: (string | number)[]): Promise<Client> =>
  connect(
    { command: process.execPath, args: [program, ...fault.map(String)] },
    { era: 'modern', clock, timeout: 1000, closeGrace: 20, onWarning: () => {} },
  );

const steps = (client: Client, token: string): Promise<Outcome> =>
  outcome(client.callTool('steps', { token, count: 3 }, { onProgress: () => {} }));

test('[T10] a server that dies, is killed or closes its stdout in the middle of an answer ends its calls', async () => {
  const hows = ['fin', 'rst', 'half'];
  for (const batch of batches(range(0, 600, 50), 6)) {
    const calls = batch.map(async (length, index) => {
      const client = await start('cut', length, hows[index % 3] as string);
      const became = await Promise.all(['a', 'b'].map((token) => steps(client, token)));
      expect(became[1]).toEqual({ code: 'CONNECTION_CLOSED' });
      expect(['a', 'CONNECTION_CLOSED']).toContain(Object.values(became[0] as Outcome)[0]);
      expect((await client.closed).by).toBe('peer');
      await client.close();
    });
    await Promise.all(calls);
  }
});

test('a server that falls silent is ended with its client, and a deadline ends its calls before', async () => {
  const clients = await Promise.all([0, 60, 200].map((length) => start('cut', length, 'stall')));
  for (const client of clients) {
    const late = steps(client, 'a');
    await clock.advance(1000);
    expect(await late).toEqual({ code: 'TIMEOUT' });
    const closed = steps(client, 'b');
    await client.close();
    expect(await closed).toEqual({ code: 'CONNECTION_CLOSED' });
  }
});

test('[T01] answers in pieces are whole, and a spoilt line costs its own call alone', async () => {
  for (const fault of ['split', 'shred']) {
    const client = await start(fault);
    expect(await Promise.all(['a', '𝄞ß', 'c'].map((token) => steps(client, token)))).toEqual([
      { text: 'a' },
      { text: '𝄞ß' },
      { text: 'c' },
    ]);
    await client.close();
  }
  const client = await start('flip', 3);
  const heard: number[] = [];
  const call = client.callTool(
    'steps',
    { token: 'd', count: 3 },
    { onProgress: ({ progress }) => heard.push(progress) },
  );
  expect(await outcome(call)).toEqual({ text: 'd' });
  expect(heard).toEqual([2, 3]);
  await client.close();
});

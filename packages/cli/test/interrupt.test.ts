import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command, dragoman } from './support/run.ts';
import { type Running, serve } from './support/servers.ts';

let running: Running;
let onStarted: () => void;
let onCancelled: () => void;

beforeAll(async () => {
  running = await serve((server) => {
    server.tool(
      'wait',
      {},
      (_args, ctx) =>
        new Promise<never>((_, reject) => {
          onStarted();
          ctx.signal.addEventListener('abort', () => {
            onCancelled();
            reject(ctx.signal.reason);
          });
        }),
    );
    server.resource('x://clock', { name: 'clock' }, () => 'now');
  });
});

afterAll(() => running.close());

describe('Ctrl-C', () => {
  test('cancels the call on the wire and ends with 130, without a word', async () => {
    const started = new Promise<void>((resolve) => {
      onStarted = resolve;
    });
    const cancelled = new Promise<void>((resolve) => {
      onCancelled = resolve;
    });
    let kill = (): void => {};
    const outcome = dragoman(['call', running.url, 'wait', '{}'], {
      onChild: (child) => {
        kill = () => void child.kill('SIGINT');
      },
    });
    await started;
    kill();
    await cancelled;
    expect(await outcome).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  test('ends listening, and the stream with it', async () => {
    let kill = (): void => {};
    const outcome = dragoman(['listen', running.url, '--uri', 'x://clock'], {
      onChild: (child) => {
        kill = () => void child.kill('SIGINT');
        child.stderr?.on('data', (text: Buffer) => {
          if (text.includes('listening to')) running.server.changed.resource('x://clock');
        });
        child.stdout?.once('data', () => kill());
      },
    });
    const { code, stdout } = await outcome;
    expect(code).toBe(130);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z resource x:\/\/clock changed\n/);
  });
});

test('a reader that goes away ends the command quietly', async () => {
  const child = spawn(process.execPath, [command, 'listen', 'demo', '--uri', 'clock://now'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(0);
  expect(Buffer.concat(errors).toString()).toBe('listening to clock://now\n');
});

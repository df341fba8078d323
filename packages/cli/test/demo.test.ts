import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, dragoman, folder } from './support/run.ts';

/** Starts the demo server; resolves to where it is. */
function start(...args: string[]): Promise<{ url: string; child: ChildProcess; ended: Promise<unknown> }> {
  const child = spawn(process.execPath, [command, 'demo', ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return new Promise((resolve) => {
    child.stdout.once('data', (text: Buffer) => resolve({ url: String(text).trim(), child, ended }));
  });
}

describe('listen', () => {
  test('[P67] prints one JSON line per event, runs a command for each, and ends after so many', async () => {
    const { url, child, ended } = await start('--http', '0');
    const cwd = folder();
    writeFileSync(
      join(cwd, 'hear.mjs'),
      'process.stdin.on("data", (d) => console.log("heard " + JSON.parse(d).uri + " " + process.env.DRAGOMAN_EVENT));',
    );
    const args = ['listen', url, '--uri', 'clock://now', '--count', '1'];
    const [json, exec] = await Promise.all([
      dragoman([...args, '--json']),
      dragoman([...args, '--exec', `"${process.execPath}" hear.mjs`], { cwd }),
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      kind: 'event',
      server: { target: url },
      data: {
        kind: 'resource',
        uri: 'clock://now',
        gap: false,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(exec.stdout).toMatch(/resource clock:\/\/now changed\nheard clock:\/\/now resource\n$/);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  });

  test('without options listens to all lists that the server announces, for as long as it is told', async () => {
    const { code, stdout, stderr } = await dragoman(['listen', 'demo', '--for', '50ms']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'listening to tools, prompts, resources\n',
    });
  });
});

describe('the tour', () => {
  test('shows everything that the command can do, and what to try next', async () => {
    const { code, stdout, stderr } = await dragoman(['tour'], { env: { npm_lifecycle_event: 'start' } });
    expect(code).toBe(0);
    expect(stderr).toContain('4/4 done');
    for (const shown of [
      /dragoman-demo 1\.0\.0 at http:\/\/127\.0\.0\.1:\d+\/mcp/,
      /protocol 2026-07-28, modern era/,
      /get_weather +Weather +read-only/,
      /4 files for "venice"/,
      /it asks: When would you like a table in Rome\?\n {2}answered by the tour, as nobody is at the terminal/,
      /Booked: Rome, 2026-07-28, 3 guests, on the terrace/,
      /- \*\*Rome\*\*, Italy/,
      /resource clock:\/\/now changed/,
      /npm start -- call demo get_weather city=Rome unit=fahrenheit/,
    ]) {
      expect(stdout).toMatch(shown);
    }
  });

  test('stands in no list', async () => {
    expect((await dragoman(['--help'])).stdout).not.toContain('tour');
  });
});

import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { S_BAR } from '@clack/prompts';
import { expect, test } from 'vitest';
import type { Terminal } from '../terminal/terminal.ts';
import { type Asker, CLOSED, terminalAsker } from './asker.ts';

/** A terminal whose keys are pressed as soon as a question stands on it. */
function terminal(columns = 80) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode: () => stdin });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 24 });
  let shown = '';
  let keys: string | undefined;
  stderr.on('data', (chunk: Buffer) => {
    shown += String(chunk);
    if (keys === undefined) return;
    const pressed = keys;
    keys = undefined;
    setImmediate(() => stdin.write(pressed));
  });
  const streams = { stdin, stdout: new PassThrough(), stderr, env: {}, cwd: '/' } as unknown as Terminal;
  return { streams, shown: () => shown, press: (next: string) => (keys = next) };
}

const text = (asker: Asker) => asker.text({ message: 'Name', check: () => undefined });

test('what is typed is the answer, and no question leaves a listener behind', async () => {
  const { streams, press } = terminal();
  const { signal } = new AbortController();
  const asker = await terminalAsker(streams, signal);
  for (let i = 0; i < 12; i += 1) {
    press('Ada\r');
    expect(await text(asker)).toBe('Ada');
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(streams.stdin.listenerCount('keypress')).toBe(0);
});

test('Escape closes a question, and Ctrl-C ends the program', async () => {
  const { streams, press } = terminal();
  const asker = await terminalAsker(streams, new AbortController().signal);
  press('\u001b');
  expect(await text(asker)).toBe(CLOSED);
  press('\u0003');
  await expect(text(asker)).rejects.toMatchObject({ code: 'ABORTED' });
  press('\u0003');
  await expect(
    asker.choose({
      message: 'Which?',
      choices: [
        { value: 1, label: 'one' },
        { value: 2, label: 'two' },
      ],
    }),
  ).rejects.toMatchObject({ code: 'ABORTED' });
});

test('an interruption from elsewhere closes the question', async () => {
  const { streams } = terminal();
  const end = new AbortController();
  const asker = await terminalAsker(streams, end.signal);
  const asked = text(asker);
  end.abort();
  expect(await asked).toBe(CLOSED);
});

test('what is said fits the terminal', async () => {
  const { streams, shown } = terminal(20);
  const asker = await terminalAsker(streams, new AbortController().signal);
  asker.say('When would you like a table in Rome?');
  asker.remark('date  "2026-07-28"');
  expect(shown()).toBe(`When would you like\na table in Rome?\n\u001b[2m${S_BAR}\u001b[22m  date  "2026-07-28"\n`);
});

import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { styleOf } from '../terminal/style.ts';
import { CLOSED } from './asker.ts';
import { type Answer, context, ScriptedAsker } from './testing.ts';
import { askUrl, systemOpen } from './url-question.ts';

async function ask(url: string, ...answers: Answer[]) {
  const opened: string[] = [];
  const asker = new ScriptedAsker(...answers);
  const given = await askUrl(
    { mode: 'url', message: 'Please sign in', url },
    context,
    asker,
    styleOf(false),
    async (page) => {
      opened.push(page);
    },
  );
  return { given, opened, shown: asker.shown.join('\n') };
}

describe('a page that a server wants visited', () => {
  test('[ELIC-29] [ELIC-32] is shown whole with its host, and opened only on yes', async () => {
    const url = 'https://accounts.example.com/authorize?client=a&state=b';
    const { given, opened, shown } = await ask(url, 'yes, open it');
    expect(given).toEqual({ action: 'accept' });
    expect(opened).toEqual([url]);
    expect(shown).toContain(url);
    expect(shown).toContain('host: accounts.example.com');
  });

  test.each([
    ['no', 'no', 'decline'],
    ['cancel', 'cancel', 'cancel'],
    ['closed', CLOSED, 'cancel'],
  ] as const)('[ELIC-27] [ELIC-31] is not opened on %s', async (_, answer, action) => {
    const { given, opened } = await ask('https://example.com/', answer);
    expect({ given, opened }).toEqual({ given: { action }, opened: [] });
  });

  test.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://h/x',
    'http://example.com/',
    'not a url',
    'search-ms:query',
  ])('[T107] [Z03] %s is never opened, whatever the user says', async (url) => {
    const { given, opened, shown } = await ask(url);
    expect({ given, opened }).toEqual({ given: { action: 'cancel' }, opened: [] });
    expect(shown).toContain('Not opened:');
  });

  test('http is for this machine alone', async () => {
    expect((await ask('http://127.0.0.1:3000/x', 'yes, open it')).opened).toEqual(['http://127.0.0.1:3000/x']);
  });

  test('letters that look like others are pointed out', async () => {
    const { shown } = await ask('https://аpple.com/', 'no');
    expect(shown).toContain('host: xn--pple-43d.com');
    expect(shown).toContain('careful: this name is shown as аpple.com');
  });

  test('a user name that looks like a host is pointed out', async () => {
    const { shown } = await ask('https://bank.example@evil.example/', 'no');
    expect(shown).toContain('host: evil.example');
    expect(shown).toContain('careful: what stands before @');
  });

  test('where no browser starts the user is told', async () => {
    const asker = new ScriptedAsker('yes, open it');
    const given = await askUrl(
      { mode: 'url', message: '', url: 'https://x.example/' },
      context,
      asker,
      styleOf(false),
      () => Promise.reject(new Error('no display')),
    );
    expect(given).toEqual({ action: 'accept' });
    expect(asker.shown.at(-1)).toContain('Open the page yourself: https://x.example/');
  });

  test('[ELIC-30] is never fetched, neither before the answer nor after', async () => {
    let connections = 0;
    const server = createServer();
    server.on('connection', () => {
      connections++;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/page`;
    for (const answer of ['yes, open it', 'no', CLOSED] as const) await ask(url, answer);
    // A connection made meanwhile would have been accepted before this one.
    const own = connect(port, '127.0.0.1');
    await once(server, 'connection');
    expect(connections).toBe(1);
    own.destroy();
    server.close();
  });
});

test.runIf(process.platform === 'linux')(
  '[ELIC-33] [T107] a page is opened in a browser of its own, which no shell and no pipe connects to this program',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-browser-'));
    const told = join(folder, 'told');
    const browser = join(folder, 'browser');
    writeFileSync(
      browser,
      `#!/bin/sh\nexec 3>&1\nreadlink /proc/self/fd/0 /proc/self/fd/3 /proc/self/fd/2 >${told}.part\necho "$#:$1" >>${told}.part\nmv ${told}.part ${told}\n`,
    );
    chmodSync(browser, 0o700);
    vi.stubEnv('BROWSER', browser);
    try {
      const url = `https://x.example/?a=$(touch${'%20'}${folder}/shell)&b=;c`;
      await systemOpen(url);
      await vi.waitFor(() => expect(existsSync(told)).toBe(true), { interval: 5, timeout: 5_000 });
      expect(readFileSync(told, 'utf8').trim().split('\n')).toEqual([
        '/dev/null',
        '/dev/null',
        '/dev/null',
        `1:${url}`,
      ]);
    } finally {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
    }
  },
);

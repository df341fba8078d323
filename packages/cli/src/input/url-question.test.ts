import { describe, expect, test } from 'vitest';
import { styleOf } from '../terminal/style.ts';
import { CLOSED } from './asker.ts';
import { type Answer, context, ScriptedAsker } from './testing.ts';
import { askUrl } from './url-question.ts';

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
  test('is shown whole with its host, and opened only on yes', async () => {
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
  ] as const)('is not opened on %s', async (_, answer, action) => {
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
  ])('[Z03] %s is never opened, whatever the user says', async (url) => {
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
});

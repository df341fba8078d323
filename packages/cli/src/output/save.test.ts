import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeBase64, LARGE_TEXT, prepareDirectory, safeName, saveParts, writeNew } from './save.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'dragoman-save-'));

describe('[Z13] names of files', () => {
  test.each([
    ['../../.ssh/authorized_keys', undefined, 'authorized_keys.bin'],
    ['file:///docs/%2e%2e/etc/x.png', undefined, 'x.png'],
    ['file:///docs/..%2f..%2fpasswd', 'text/plain', 'passwd.txt'],
    ['..', 'image/png', 'image-1.png'],
    ['.bashrc', undefined, 'bashrc.bin'],
    ['C:\\Windows\\system32\\evil.dll', undefined, 'evil.dll'],
    ['con', 'text/plain', '_con.txt'],
    ['NUL.txt', undefined, '_NUL.txt'],
    ['LPT1.tar.gz', undefined, '_LPT1.tar.gz'],
    ['a<b>:c|d?*.txt', undefined, 'a_b__c_d__.txt'],
    ['a\u0000b\n\u202egnp.exe', undefined, 'a_b__gnp.exe'],
    ['trailing. . .', 'image/jpeg', 'trailing.jpg'],
    ['', 'image/png; charset=x', 'image-1.png'],
    ['café.md', undefined, 'café.md'],
    ['x'.repeat(300), 'image/gif', `${'x'.repeat(100)}.gif`],
    ['%zz', undefined, '_zz.bin'],
  ])('%j (%s) is %j', (name, type, expected) => {
    expect(safeName(name, type, 'image-1')).toBe(expected);
  });

  test('every name stays in its folder', () => {
    const dir = folder();
    for (const name of ['../x', '/etc/passwd', '..\\..\\x', '%2e%2e%2fx', './.', 'a/../../b']) {
      expect(dirname(writeNew(dir, safeName(name, undefined, 'part'), Buffer.from('x')))).toBe(dir);
    }
  });
});

describe('[Z13] files', () => {
  test('are never overwritten', () => {
    const dir = folder();
    expect(writeNew(dir, 'a.txt', Buffer.from('1'))).toBe(join(dir, 'a.txt'));
    expect(writeNew(dir, 'a.txt', Buffer.from('2'))).toBe(join(dir, 'a-2.txt'));
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('1');
  });

  test('are never written through a link, not even one that leads nowhere', () => {
    const dir = folder();
    const victim = join(folder(), 'victim');
    symlinkSync(victim, join(dir, 'a.txt'));
    expect(writeNew(dir, 'a.txt', Buffer.from('x'))).toBe(join(dir, 'a-2.txt'));
    expect(existsSync(victim)).toBe(false);
  });

  test('a folder that cannot be made is said before anything is sent', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    expect(() => prepareDirectory(join(file, 'sub'))).toThrow('--save: cannot write');
  });
});

test('[P74] [R05] images, sound, binary and large text are saved, short text is not', () => {
  const dir = folder();
  const warnings: string[] = [];
  const large = 'x'.repeat(LARGE_TEXT);
  const parts = [
    { type: 'text', text: 'short' },
    { type: 'text', text: large },
    { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/mpeg' },
    { type: 'resource', resource: { uri: 'file:///docs/logo.svg', blob: 'AAAA', mimeType: 'image/svg+xml' } },
    { uri: 'x://y/data', blob: 'AAAA' },
    { type: 'image', data: 'not base64!', mimeType: 'image/png' },
    null,
  ];
  const saved = saveParts(parts, dir, (message) => warnings.push(message));
  expect(readdirSync(dir).sort()).toEqual(['audio-4.mp3', 'data.bin', 'image-3.png', 'logo.svg', 'text-2.txt']);
  expect(saved.size).toBe(5);
  expect([...readFileSync(join(dir, 'image-3.png'))]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  expect(warnings).toEqual(['what should be Base64 is not, and was not saved: "not base64!"']);
});

test.each([
  ['', []],
  ['AAAA', [0, 0, 0]],
  ['AA==', [0]],
  ['AA', [0]],
  ['A', undefined],
  ['A-A_', undefined],
])('Base64 %j', (text, bytes) => {
  const decoded = decodeBase64(text);
  expect(decoded === undefined ? undefined : [...decoded]).toEqual(bytes);
});

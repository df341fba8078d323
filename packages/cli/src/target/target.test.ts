import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { splitWords } from './split-words.ts';
import { readTarget } from './target.ts';

const dir = mkdtempSync(join(tmpdir(), 'dragoman-target-'));
writeFileSync(join(dir, 'server.mjs'), '');
writeFileSync(join(dir, 'run'), '#!/bin/sh\n');
chmodSync(join(dir, 'run'), 0o755);

const read = (word: string, transport?: 'http' | 'stdio') => readTarget({ word }, transport, dir);

describe('what names a server', () => {
  test.each([
    ['https://mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    ['http://10.0.0.1:8080/mcp', 'http://10.0.0.1:8080/mcp'],
    ['HTTPS://Example.com', 'https://example.com/'],
    ['mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    ['mcp.example.com:8443', 'https://mcp.example.com:8443/'],
    ['intranet/mcp', 'https://intranet/mcp'],
    ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['localhost', 'http://localhost/'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000/'],
    ['[::1]:3000/mcp', 'http://[::1]:3000/mcp'],
    ['app.localhost:1/mcp', 'http://app.localhost:1/mcp'],
    ['localhost.evil.example/mcp', 'https://localhost.evil.example/mcp'],
    ['https://h.example/mcp?tenant=a#top', 'https://h.example/mcp?tenant=a'],
  ])('%s is %s', (word, url) => {
    const target = read(word);
    expect(target.kind === 'http' && target.url.href).toBe(url);
  });

  test.each([
    ['node server.js', 'node', ['server.js']],
    [`node "my server.js" --name='a b'`, 'node', ['my server.js', '--name=a b']],
    ['./server.mjs', process.execPath, [join(dir, 'server.mjs')]],
    ['server.mjs', process.execPath, [join(dir, 'server.mjs')]],
    ['./run', join(dir, 'run'), []],
  ])('%s is a command', (word, command, args) => {
    expect(read(word)).toEqual({ kind: 'stdio', command, args });
  });

  test('[P70] [22] the words after -- are taken as they are', () => {
    const command = ['C:\\Program Files\\node.exe', 'a b', '--flag', '--', "it's"];
    expect(readTarget({ command }, undefined, dir)).toEqual({
      kind: 'stdio',
      command: command[0],
      args: command.slice(1),
    });
  });

  test('demo', () => {
    expect(read('demo')).toEqual({ kind: 'demo' });
  });

  test('--transport decides where the form leaves it open', () => {
    expect(read('my-server', 'stdio')).toEqual({ kind: 'stdio', command: 'my-server', args: [] });
    expect(read('my-server', 'http')).toMatchObject({ kind: 'http', url: { href: 'https://my-server/' } });
    expect(() => read('https://x.example', 'stdio')).toThrow('--transport stdio does not fit');
    expect(() => readTarget({ command: ['x'] }, 'http', dir)).toThrow('--transport http does not fit');
  });

  test.each([
    ['github', 'there is no server called "github": SERVER is a URL, a command after --'],
    ['./missing.mjs', `there is no file ${join(dir, 'missing.mjs')}`],
    ['ftp://example.com', 'not by ftp://'],
    ['https://user:secret@example.com', 'holds a user name or password'],
    ['https://', 'is not a URL'],
    ['node "server.js', 'a " is not closed'],
  ])('%s: %s', (word, message) => {
    expect(() => read(word)).toThrow(message);
  });

  test('a password in a URL is not repeated', () => {
    expect(() => read('https://user:hunter2@example.com')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});

describe('a quoted command', () => {
  test.each([
    ['a b  c', ['a', 'b', 'c']],
    [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
    [`a '' ""`, ['a', '', '']],
    ['a\\ b', ['a b']],
    [`"a \\"b\\" $HOME \\n"`, ['a "b" $HOME \\n']],
    [`'a\\b'`, ['a\\b']],
    ['a$(b) | c', ['a$(b)', '|', 'c']],
  ])('%s', (text, words) => {
    expect(splitWords(text, false)).toEqual({ words });
  });

  test('[22] on Windows a backslash is a character like any other', () => {
    expect(splitWords('"C:\\Program Files\\x.exe" a\\b', true)).toEqual({
      words: ['C:\\Program Files\\x.exe', 'a\\b'],
    });
  });
});

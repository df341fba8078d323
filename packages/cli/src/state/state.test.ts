import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeAtomic } from './atomic-file.ts';
import { demoKey } from './demo-key.ts';
import { directoriesOf } from './directories.ts';
import { FileCache } from './file-cache.ts';
import { FileVerdicts, VERDICT_LIFE } from './verdicts.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'dragoman-state-'));

test('a file is replaced as a whole, for its owner alone, and leaves nothing else behind', () => {
  const dir = join(folder(), 'a', 'b');
  writeAtomic(join(dir, 'x.json'), 'one');
  writeAtomic(join(dir, 'x.json'), 'two');
  expect(readFileSync(join(dir, 'x.json'), 'utf8')).toBe('two');
  expect(statSync(join(dir, 'x.json')).mode & 0o777).toBe(0o600);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(readdirSync(dir)).toEqual(['x.json']);
});

test.skipIf(process.platform === 'win32')('folders follow XDG, and a relative path is ignored', () => {
  expect(directoriesOf({ HOME: '/home/ada' })).toEqual({
    state: '/home/ada/.local/state/dragoman',
    cache: '/home/ada/.cache/dragoman',
  });
  expect(directoriesOf({ HOME: '/home/ada', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: 'relative' })).toEqual({
    state: '/s/dragoman',
    cache: '/home/ada/.cache/dragoman',
  });
});

describe('verdicts', () => {
  const verdict = { era: 'modern', version: '2026-07-28', at: 1_000_000_000 } as const;

  test('outlive the process that made them', () => {
    const dir = folder();
    new FileVerdicts(dir, () => verdict.at).set('https://x.example/mcp', verdict);
    expect(new FileVerdicts(dir, () => verdict.at + 1000).get('https://x.example/mcp')).toEqual(verdict);
    expect(new FileVerdicts(dir, () => verdict.at).get('https://y.example/mcp')).toBeUndefined();
  });

  test('expire, and one from the future does not hold for ever', () => {
    const dir = folder();
    new FileVerdicts(dir, () => verdict.at).set('a', verdict);
    expect(new FileVerdicts(dir, () => verdict.at + VERDICT_LIFE - 1).get('a')).toEqual(verdict);
    expect(new FileVerdicts(dir, () => verdict.at + VERDICT_LIFE).get('a')).toBeUndefined();
    expect(new FileVerdicts(dir, () => verdict.at - 3_600_000).get('a')).toBeUndefined();
  });

  test('a name like __proto__ is a name', () => {
    const verdicts = new FileVerdicts(folder(), () => verdict.at);
    verdicts.set('__proto__', verdict);
    expect(verdicts.get('constructor')).toBeUndefined();
  });

  test('can be taken back', () => {
    const verdicts = new FileVerdicts(folder(), () => verdict.at);
    verdicts.set('a', verdict);
    verdicts.delete('a');
    expect(verdicts.get('a')).toBeUndefined();
  });

  test.each(['', '{', '[]', '{"verdicts": []}', '{"verdicts": {"a": {"era": "future"}, "b": null}}', '"x"'])(
    'a file that holds %j is no verdict',
    (text) => {
      const dir = folder();
      writeFileSync(join(dir, 'verdicts.json'), text);
      const verdicts = new FileVerdicts(dir, () => verdict.at);
      expect(verdicts.get('a')).toBeUndefined();
      verdicts.set('a', verdict);
      expect(verdicts.get('a')).toEqual(verdict);
    },
  );

  test('nothing is written for saying the same again', () => {
    const dir = folder();
    const verdicts = new FileVerdicts(dir, () => verdict.at + 1000);
    verdicts.set('a', verdict);
    const before = statSync(join(dir, 'verdicts.json')).ino;
    verdicts.set('a', { ...verdict, at: verdict.at + 1000 });
    expect(statSync(join(dir, 'verdicts.json')).ino).toBe(before);
  });
});

describe('the response cache', () => {
  const entry = { text: '{"tools":[]}', receivedAt: 1000, ttlMs: 500, scope: 'private' } as const;

  test('outlives the process', () => {
    const dir = folder();
    new FileCache(dir).set('key', entry);
    expect(new FileCache(dir).get('key')).toEqual(entry);
    expect(new FileCache(dir).get('other')).toBeUndefined();
  });

  test('forgets by the beginning of the key', () => {
    const cache = new FileCache(folder());
    for (const key of ['a 1', 'a 2', 'b 1']) cache.set(key, entry);
    cache.clear('a ');
    expect(['a 1', 'a 2', 'b 1'].map((key) => cache.get(key) !== undefined)).toEqual([false, false, true]);
    cache.clear('');
    expect(cache.get('b 1')).toBeUndefined();
  });

  test('does not keep what may not be kept, and reads no rubbish', () => {
    const dir = folder();
    const cache = new FileCache(dir);
    cache.set('a', { ...entry, ttlMs: 0 });
    expect(cache.get('a')).toBeUndefined();
    cache.set('a', entry);
    const [file] = readdirSync(join(dir, 'responses'));
    writeFileSync(join(dir, 'responses', file!), '{"key":"a","entry":{"text":7}}');
    expect(cache.get('a')).toBeUndefined();
  });
});

test('the key of the demo server is made once', () => {
  const dir = folder();
  const key = demoKey(dir);
  expect(key.secret.length).toBeGreaterThanOrEqual(32);
  expect(demoKey(dir)).toEqual(key);
  expect(demoKey(folder())).not.toEqual(key);
});

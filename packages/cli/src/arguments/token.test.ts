import { describe, expect, test } from 'vitest';
import { parseWord } from './token.ts';

describe('words of the argument list', () => {
  test.each([
    ['city=Berlin', [{ name: 'city' }], 'text', 'word', 'Berlin'],
    ['city=', [{ name: 'city' }], 'text', 'word', ''],
    ['q=a=b&c=d', [{ name: 'q' }], 'text', 'word', 'a=b&c=d'],
    ['n:=1', [{ name: 'n' }], 'json', 'word', '1'],
    ['text@notes.txt', [{ name: 'text' }], 'text', 'file', 'notes.txt'],
    ['data:@data.json', [{ name: 'data' }], 'json', 'file', 'data.json'],
    ['data:=@data.json', [{ name: 'data' }], 'json', 'file', 'data.json'],
    ['text=@-', [{ name: 'text' }], 'text', 'file', '-'],
    ['text=@notes.txt', [{ name: 'text' }], 'text', 'file', 'notes.txt'],
    ['handle=@@ada', [{ name: 'handle' }], 'text', 'word', '@ada'],
    ['mail=ada@example.com', [{ name: 'mail' }], 'text', 'word', 'ada@example.com'],
    ['a.b=1', [{ name: 'a' }, { name: 'b' }], 'text', 'word', '1'],
    ['items[0].id=1', [{ name: 'items' }, { index: 0 }, { name: 'id' }], 'text', 'word', '1'],
    ['tags[]=x', [{ name: 'tags' }, { append: true }], 'text', 'word', 'x'],
    ['m[0][1]=x', [{ name: 'm' }, { index: 0 }, { index: 1 }], 'text', 'word', 'x'],
    ['a\\.b=1', [{ name: 'a.b' }], 'text', 'word', '1'],
    ['\\@type=Person', [{ name: '@type' }], 'text', 'word', 'Person'],
    ['xml:lang=en', [{ name: 'xml:lang' }], 'text', 'word', 'en'],
    ['.hidden=1', [{ name: '.hidden' }], 'text', 'word', '1'],
    ['__proto__=1', [{ name: '__proto__' }], 'text', 'word', '1'],
    ['ключ=да', [{ name: 'ключ' }], 'text', 'word', 'да'],
    ['n=-1', [{ name: 'n' }], 'text', 'word', '-1'],
  ] as const)('%s', (word, path, form, source, text) => {
    expect(parseWord(word)).toMatchObject({ token: { path, form, source, text } });
  });

  test.each([
    ['{"a": 1}', '{"a": 1}'],
    [' {"a": 1}', '{"a": 1}'],
  ])('%s is an object', (word, object) => {
    expect(parseWord(word)).toEqual({ object });
  });

  test.each([
    ['Berlin', 'it has no value'],
    ['=x', 'the name before "=" is missing'],
    ['@file', 'the name before "@" is missing'],
    ['text@', 'the name of the file is missing'],
    ['[1]', 'an object, not an array'],
    ['a[x]=1', 'brackets hold an index'],
    ['a[=1', 'brackets hold an index'],
    ['a[0]', 'it has no value'],
  ])('%s is refused: %s', (word, problem) => {
    expect(parseWord(word)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

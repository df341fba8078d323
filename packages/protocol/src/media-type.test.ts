import { describe, expect, test } from 'vitest';
import { accepts, isUtf8, parseMediaType } from './media-type.ts';

describe('media types', () => {
  test('[H01] type and charset, whatever the case and the quotes', () => {
    expect(parseMediaType('Application/JSON; charset=UTF-8')).toEqual({
      essence: 'application/json',
      charset: 'utf-8',
    });
    expect(parseMediaType('text/event-stream;charset="utf-8"')).toEqual({
      essence: 'text/event-stream',
      charset: 'utf-8',
    });
    expect(parseMediaType('application/json')).toEqual({ essence: 'application/json' });
    expect(parseMediaType('application/json; q=1; boundary=x')).toEqual({ essence: 'application/json' });
    expect(parseMediaType('text/plain; charset=""')).toEqual({ essence: 'text/plain', charset: '' });
    for (const value of [undefined, null, '', 'json', 'a/b/c', ';']) expect(parseMediaType(value)).toBeUndefined();
  });
  test('[H01] anything but UTF-8 is told apart', () => {
    expect(isUtf8({ essence: 'a/b' }) && isUtf8({ essence: 'a/b', charset: 'us-ascii' })).toBe(true);
    expect(isUtf8({ essence: 'a/b', charset: 'iso-8859-1' })).toBe(false);
  });
  test.each([
    [undefined, true],
    ['', true],
    ['*/*', true],
    ['application/*', true],
    ['text/html, application/json;q=0.5', true],
    ['APPLICATION/JSON', true],
    ['text/html', false],
    ['application/json;q=0', false],
    ['application/json;q=0, */*', false],
    ['*/*;q=0, application/json', true],
    ['application/json;q=0, application/json', true],
    ['application/json, application/json;q=0', true],
    ['application/json;q=0, application/json;q=0.0', false],
  ])('[HTTP-09] Accept %j', (accept, taken) => {
    expect(accepts(accept, 'application/json')).toBe(taken);
  });
});

import { describe, expect, test } from 'vitest';
import { isLoopback, proxyFor } from './proxy.ts';

const none = (): void => expect.unreachable('no complaint was due');
const found = (url: string, env: Record<string, string>, given?: string): string | undefined =>
  proxyFor(new URL(url), given, env, none)?.href;

describe('[P20] the environment', () => {
  test.each([
    ['https://h/', { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://q:2' }, 'http://p:1/'],
    ['http://h/', { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://q:2' }, 'http://q:2/'],
    ['https://h/', { HTTP_PROXY: 'http://q:2' }, undefined],
    ['https://h/', { ALL_PROXY: 'socks5://p:1' }, 'socks5://p:1'],
    ['https://h/', { https_proxy: 'http://low:1', HTTPS_PROXY: 'http://up:1' }, 'http://low:1/'],
    ['https://h/', { HTTPS_PROXY: 'p:8080' }, 'http://p:8080/'],
    ['https://h/', { HTTPS_PROXY: ' ' }, undefined],
    ['https://h/', {}, undefined],
  ] as [string, Record<string, string>, string | undefined][])('for %s with %j names %s', (url, env, proxy) => {
    expect(found(url, env)).toBe(proxy);
  });

  test.each([
    'http://localhost/',
    'http://127.0.0.1:8/',
    'http://127.9.9.9/',
    'http://[::1]:8/',
    'http://a.localhost/',
  ])('is not asked for loopback: %s', (url) => {
    expect(found(url, { HTTP_PROXY: 'http://p:1', ALL_PROXY: 'http://p:1' })).toBeUndefined();
  });

  test.each([
    ['h.example', 'https://h.example/', true],
    ['example', 'https://h.example/', true],
    ['.example', 'https://h.example/', true],
    ['*.example', 'https://h.example/', true],
    ['ample', 'https://h.example/', false],
    ['H.EXAMPLE', 'https://h.example/', true],
    ['a, h.example ,b', 'https://h.example/', true],
    ['h.example:443', 'https://h.example/', true],
    ['h.example:8443', 'https://h.example/', false],
    ['h.example:8443', 'https://h.example:8443/', true],
    ['*', 'https://h.example/', true],
    ['', 'https://h.example/', false],
    ['10.0.0.1', 'https://10.0.0.1/', true],
    ['[fd00::1]', 'https://[fd00::1]/', true],
  ])('NO_PROXY=%j for %s exempts: %s', (list, url, exempt) => {
    expect(found(url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: list }) === undefined).toBe(exempt);
  });

  test.each(['ftp://p', 'http://', '://', 'http://[bad'])('[P34] %j is reported, and done without', (value) => {
    const complaints: string[] = [];
    const proxy = proxyFor(new URL('https://h/'), undefined, { HTTPS_PROXY: value }, (message) =>
      complaints.push(message),
    );
    expect(proxy).toBeUndefined();
    expect(complaints).toHaveLength(1);
  });
});

test('a proxy that is given goes before everything, loopback included', () => {
  expect(found('http://127.0.0.1/', { NO_PROXY: '*' }, 'http://p:1')).toBe('http://p:1/');
});

test('a proxy that is given and is none is an error that does not repeat it', () => {
  expect(() => found('https://h/', {}, 'ftp://user:secret@p')).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.not.stringContaining('secret') }),
  );
});

test.each(['localhost.evil.example', '127.0.0.1.evil.example', '128.0.0.1', 'h'])('%s is no loopback', (host) => {
  expect(isLoopback(host)).toBe(false);
});

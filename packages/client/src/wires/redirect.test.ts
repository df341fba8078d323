import { describe, expect, test } from 'vitest';
import { isRedirect, redirectTarget } from './redirect.ts';

const target = (from: string, status: number, location: string | undefined) =>
  redirectTarget(new URL(from), status, location);

describe('[H08] a redirection', () => {
  test.each([
    ['https://h/mcp', '/mcp/', 'https://h/mcp/'],
    ['https://h/mcp', 'v2?x=1#f', 'https://h/v2?x=1'],
    ['https://h:8443/mcp', 'https://h:8443/x', 'https://h:8443/x'],
    ['https://h/mcp', 'http://h/mcp/', 'https://h/mcp/'],
    ['https://h:8443/mcp', 'http://h:8443/mcp/', 'https://h:8443/mcp/'],
    ['https://h:8443/mcp', 'http://h/mcp/', 'https://h:8443/mcp/'],
  ])('from %s to %s goes to %s', (from, location, to) => {
    for (const status of [307, 308]) expect(String(target(from, status, location))).toBe(to);
  });

  test.each([
    ['https://h/mcp', 'https://evil/mcp'],
    ['https://h/mcp', 'http://evil/mcp'],
    ['https://h/mcp', 'http://h:8080/mcp'],
    ['http://h/mcp', 'https://h/mcp'],
    ['http://h/mcp', 'http://h:81/mcp'],
    ['https://h/mcp', '//evil/mcp'],
    ['https://h/mcp', 'javascript:alert(1)'],
    ['https://h/mcp', 'http://[bad'],
    ['https://h/mcp', undefined],
  ])('from %s to %s is refused', (from, location) => {
    expect(target(from, 308, location)).toHaveProperty('problem');
  });

  test.each([301, 302, 303])('with %i is refused, for it would lose the request', (status) => {
    expect(target('https://h/mcp', status, '/mcp/')).toEqual({ problem: expect.stringContaining('https://h/mcp/') });
  });
});

test('only what redirects is a redirection', () => {
  expect([200, 300, 301, 302, 303, 304, 305, 307, 308, 400].filter(isRedirect)).toEqual([301, 302, 303, 307, 308]);
});

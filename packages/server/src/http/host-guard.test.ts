import { expect, test } from 'vitest';
import { isLoopbackAddress, parseHost, parseOrigin } from './host.ts';
import { HostGuard } from './host-guard.ts';

const PORT = 3000;

test.each([['localhost:3000'], ['127.0.0.1:3000'], ['[::1]:3000'], ['LOCALHOST:3000'], ['127.1.2.3:3000']])(
  '[Z01] a loopback listener answers to its own names and port: %s',
  (host) => {
    expect(new HostGuard({}).check(host, undefined, PORT)).toBeUndefined();
  },
);

test.each([
  ['evil.example:3000'],
  ['localhost:9999'],
  ['localhost'],
  ['localhost.evil.example:3000'],
  ['127.0.0.1.evil.example:3000'],
  ['evil.example@localhost:3000'],
  ['localhost:3000/'],
  ['localhost:3000, evil.example'],
  ['localhost.:3000'],
  ['0.0.0.0:3000'],
  ['localhost:'],
  ['localhost:99999'],
  [''],
  [undefined],
])('[Z01] [HTTP-05] a loopback listener answers to nothing else: %s', (host) => {
  expect(new HostGuard({}).check(host, undefined, PORT)).toContain('allowedHosts');
});

test.each([80, 443])('a Host without a port means the port of its scheme: %i', (port) => {
  expect(new HostGuard({}).check('localhost', undefined, port)).toBeUndefined();
});

test.each([['http://localhost:3000'], ['http://localhost:5173'], ['https://127.0.0.1'], ['http://[::1]:8080']])(
  '[Z01] pages of this machine may call a loopback listener: %s',
  (origin) => {
    expect(new HostGuard({}).check('localhost:3000', origin, PORT)).toBeUndefined();
  },
);

test.each([
  ['https://evil.example'],
  ['null'],
  ['http://localhost.evil.example'],
  ['http://localhost:3000.evil.example'],
  ['http://localhost@evil.example'],
  ['http://evil.example#localhost'],
  ['http://localhost:3000/'],
  ['http://localhost http://evil.example'],
  ['chrome-extension://localhost'],
  ['localhost:3000'],
  [''],
])('[Z01] [HTTP-03] pages of other origins may not: %s', (origin) => {
  expect(new HostGuard({}).check('localhost:3000', origin, PORT)).toContain('allowedOrigins');
});

test('what passed once is not taken for what comes next', () => {
  const guard = new HostGuard({});
  expect(guard.check('localhost:3000', undefined, PORT)).toBeUndefined();
  expect(guard.check('evil.example', undefined, PORT)).toBeDefined();
  expect(guard.check('localhost:3000', 'https://evil.example', PORT)).toBeDefined();
  expect(guard.check('localhost:3000', undefined, 4000)).toBeDefined();
});

test('allowedHosts replaces the loopback rule, and its pages may call', () => {
  const guard = new HostGuard({ allowedHosts: ['mcp.example.com', 'other.example:8443', '[::1]:3000'] });
  expect(guard.check('MCP.example.com', undefined, PORT)).toBeUndefined();
  expect(guard.check('mcp.example.com:1', undefined, undefined)).toBeUndefined();
  expect(guard.check('other.example:8443', 'https://mcp.example.com', undefined)).toBeUndefined();
  expect(guard.check('other.example', undefined, undefined)).toBeDefined();
  expect(guard.check('localhost:3000', undefined, PORT)).toBeDefined();
  expect(guard.check('mcp.example.com', 'http://localhost:3000', PORT)).toBeDefined();
});

test('without a list, another listener takes every Host, and pages of the host that was addressed', () => {
  const guard = new HostGuard({});
  expect(guard.check('anything', undefined, undefined)).toBeUndefined();
  expect(guard.check('mcp.example.com', 'https://mcp.example.com', undefined)).toBeUndefined();
  expect(guard.check('mcp.example.com:8443', 'https://mcp.example.com', undefined)).toBeDefined();
  expect(guard.check('mcp.example.com', 'https://evil.example', undefined)).toBeDefined();
  expect(guard.check(undefined, 'https://evil.example', undefined)).toBeDefined();
});

test('allowedOrigins is the whole list: scheme, host and port count', () => {
  const guard = new HostGuard({ allowedOrigins: ['https://app.example.com', 'vscode-webview://abc'] });
  expect(guard.check('localhost:3000', 'https://APP.example.com:443', PORT)).toBeUndefined();
  expect(guard.check('localhost:3000', 'vscode-webview://abc', PORT)).toBeUndefined();
  for (const origin of ['http://app.example.com', 'https://app.example.com:8443', 'http://localhost:3000', 'null']) {
    expect(guard.check('localhost:3000', origin, PORT)).toBeDefined();
  }
});

test("'*' turns a check off, but never lets the opaque origin in", () => {
  const guard = new HostGuard({ allowedHosts: '*', allowedOrigins: '*' });
  expect(guard.check('evil.example', 'https://evil.example', PORT)).toBeUndefined();
  expect(guard.check(undefined, undefined, PORT)).toBeUndefined();
  expect(guard.check('localhost:3000', 'null', PORT)).toBeDefined();
});

test('entries that are no host or origin are refused when the endpoint is made', () => {
  expect(() => new HostGuard({ allowedHosts: ['https://example.com'] })).toThrow('without a scheme');
  expect(() => new HostGuard({ allowedOrigins: ['example.com'] })).toThrow('scheme://host');
  expect(() => new HostGuard({ allowedOrigins: ['https://example.com/path'] })).toThrow('without a path');
});

test('hosts and origins are read by their parts', () => {
  expect(parseHost('Example.COM:8080')).toEqual({ hostname: 'example.com', port: 8080 });
  expect(parseHost('[::1]')).toEqual({ hostname: '[::1]', port: undefined });
  expect(parseHost('a:b:c')).toBeUndefined();
  expect(parseOrigin('HTTPS://a.example')).toEqual({ scheme: 'https', hostname: 'a.example', port: undefined });
  expect(parseOrigin('null')).toBeUndefined();
});

test('addresses of this machine are known, IPv4 in IPv6 too', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].every(isLoopbackAddress)).toBe(true);
  expect(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1'].some(isLoopbackAddress)).toBe(false);
});

test.each(['example.com', 5, null, [5], {}])(
  'what is no list of hosts or origins is refused when the endpoint is made: %j',
  (given) => {
    for (const option of ['allowedHosts', 'allowedOrigins']) {
      expect(() => new HostGuard({ [option]: given })).toThrow(`${option} must be a list of strings`);
    }
  },
);

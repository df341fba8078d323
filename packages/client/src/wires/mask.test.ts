import { expect, test } from 'vitest';
import { fingerprint, maskCommand, maskHeader, maskUrl } from './mask.ts';

test.each([
  ['https://h/mcp', 'https://h/mcp'],
  ['https://me:pw@h:8/mcp?x=1&api_key=abc#f', 'https://***@h:8/mcp?x=1&api_key=***'],
  ['https://h/mcp?access_token=a&flag&sig=', 'https://h/mcp?access_token=***&flag&sig=***'],
])('%s is shown as %s', (url, shown) => {
  expect(maskUrl(new URL(url))).toBe(shown);
});

test.each([
  [['npx', '-y', '@scope/server'], 'npx -y @scope/server'],
  [['srv', '--api-key', 'abc', 'next'], 'srv --api-key *** next'],
  [['srv', '--token=abc', 'API_KEY=abc', '--mode=x'], 'srv --token=*** API_KEY=*** --mode=x'],
  [['srv', '--token', '--verbose', 'plain'], 'srv --token --verbose plain'],
  [['sh', '-c', "echo 'a b' $HOME"], `sh -c 'echo '\\''a b'\\'' $HOME'`],
])('the command %j is shown as %s', (words, shown) => {
  expect(maskCommand(words)).toBe(shown);
});

test('headers that carry secrets are masked, others not', () => {
  for (const name of ['Authorization', 'cookie', 'X-Api-Key', 'mcp-session-id', 'proxy-authorization']) {
    expect(maskHeader(name, 'abc')).toBe('***');
  }
  expect(maskHeader('mcp-method', 'tools/call')).toBe('tools/call');
});

test('a fingerprint differs where secrets differ, and is always as long', () => {
  const prints = ['', 'a', 'b', 'secret', 'secret '].map(fingerprint);
  expect(new Set(prints).size).toBe(5);
  for (const print of prints) expect(print).toMatch(/^#[0-9a-f]{8}$/);
});

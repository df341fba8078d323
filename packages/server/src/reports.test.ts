import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Reports } from './reports.ts';

const print = vi.spyOn(console, 'error');
beforeEach(() => {
  print.mockReset().mockImplementation(() => {});
});
afterEach(() => print.mockReset());

const failures: [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('hook');
    },
  ],
  [
    'is asynchronous and rejects',
    async () => {
      throw new Error('hook');
    },
  ],
];

test.each(failures)('a hook that %s disturbs nothing and is told', async (_, hook) => {
  const reports = new Reports(hook as () => void, hook as () => void);
  reports.error(new Error('x'));
  reports.warning('TOOL_NAME', 'x');
  await new Promise((resolve) => setImmediate(resolve));
  expect(print.mock.calls.map(([text]) => text)).toEqual(['onError itself failed:', 'onWarning itself failed:']);
});

test('by default, errors and warnings are printed with where they come from', () => {
  const reports = new Reports();
  const error = new Error('x');
  reports.error(error, 'tools/call', 'a\nb');
  reports.error(error);
  reports.warning('TOOL_NAME', 'words');
  expect(print.mock.calls).toEqual([
    ['MCP server, tools/call "a\\nb":', error],
    ['MCP server:', error],
    ['MCP server, TOOL_NAME: words'],
  ]);
});

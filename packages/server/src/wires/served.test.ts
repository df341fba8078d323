import { expect, test, vi } from 'vitest';
import { Reports } from '../reports.ts';
import { reportsOf, type Served } from './served.ts';

const served = (reports?: Reports): Served => ({
  admit: () => undefined,
  dispatch: () => Promise.resolve({}),
  reports,
});

test('a wire reports to the server, and where it has a hook of its own, to that', () => {
  const heard: string[] = [];
  const server = served(
    new Reports(
      (error, { method }) => heard.push(`server error ${String(error)} ${method}`),
      ({ code }) => heard.push(`server warning ${code}`),
    ),
  );
  const tell = (reports: Reports): void => {
    reports.error('x', 'tools/call');
    reports.warning('SLOW_READER', 'y');
  };
  tell(reportsOf(server, {}));
  tell(reportsOf(server, { onError: () => heard.push('own error') }));
  tell(reportsOf(server, { onWarning: () => heard.push('own warning') }));
  expect(heard).toEqual([
    'server error x tools/call',
    'server warning SLOW_READER',
    'own error',
    'server warning SLOW_READER',
    'server error x tools/call',
    'own warning',
  ]);
});

test('a server without hooks has its wires report to stderr', () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  reportsOf(served(), {}).error('x');
  reportsOf(served(), { onError: () => {} }).warning('SLOW_READER', 'y');
  reportsOf(served(), { onWarning: () => {} }).error('z');
  expect(printed).toHaveBeenCalledTimes(3);
  printed.mockRestore();
});

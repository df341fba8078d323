import { describe, expect, test } from 'vitest';
import { count, duration, header, headerFromEnv, pair, port, traceparent } from './values.ts';

describe('values of options', () => {
  test.each([
    [duration, '30s', 30_000],
    [duration, '500ms', 500],
    [duration, '1.5', 1500],
    [duration, '2m', 120_000],
    [duration, '1h', 3_600_000],
    [duration, '0', 0],
    [duration, 'none', 0],
    [count, '3', 3],
    [port, '0', 0],
    [port, '65535', 65_535],
    [header, 'Name:  value: x ', ['Name', 'value: x']],
    [header, 'X-Empty:', ['X-Empty', '']],
    [pair, 'A=b=c', ['A', 'b=c']],
    [pair, 'A=', ['A', '']],
    [
      traceparent,
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ],
  ])('%o takes %j', (read, text, expected) => {
    expect(read(text, '--x')).toEqual(expected);
  });

  test.each([
    [duration, '-1s'],
    [duration, '5 s'],
    [duration, '1d'],
    [duration, ''],
    [duration, '999h'],
    [count, '0'],
    [count, '1.5'],
    [count, '-1'],
    [port, '65536'],
    [port, 'http'],
    [header, 'no colon'],
    [header, ': value'],
    [header, 'A b: c'],
    [header, 'A: b\nC: d'],
    [header, 'A: €'],
    [pair, 'A'],
    [pair, '=b'],
    [traceparent, '00-00000000000000000000000000000000-b7ad6b7169203331-01'],
    [headerFromEnv, 'A'],
    [headerFromEnv, 'A=not a name'],
    [headerFromEnv, 'A=SURELY_NOT_SET'],
  ])('%o refuses %j', (read, text) => {
    expect(() => read(text, '--x')).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('--x') }),
    );
  });
});

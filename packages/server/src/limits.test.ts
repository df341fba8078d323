import { expect, test } from 'vitest';
import { delayOf, limitsOf } from './limits.ts';

const defaults = { most: 10, least: 1 };

test('what is not given has its default, also where it is given as undefined', () => {
  expect(limitsOf(defaults)).toEqual(defaults);
  expect(limitsOf(defaults, { most: undefined, least: 0 } as never)).toEqual({ most: 10, least: 0 });
  expect(limitsOf(defaults, { most: Number.POSITIVE_INFINITY }).most).toBe(Number.POSITIVE_INFINITY);
});

test.each([-1, Number.NaN, '5', null])('a limit of %s is refused by its name', (most) => {
  expect(() => limitsOf(defaults, { most } as never)).toThrow('limits.most must be a number from 0 up');
});

test('a timer waits as long as a limit of none says, not a millisecond', () => {
  expect([0, 5, 2 ** 31 - 1].map(delayOf)).toEqual([0, 5, 2 ** 31 - 1]);
  expect([2 ** 31, Number.POSITIVE_INFINITY].map(delayOf)).toEqual([2 ** 31 - 1, 2 ** 31 - 1]);
});

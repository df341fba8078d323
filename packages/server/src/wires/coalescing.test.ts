import { expect, test } from 'vitest';
import { coalescingKey, WaitingNotifications } from './coalescing.ts';

const progress = (progressToken: unknown, value = 1) => ({
  method: 'notifications/progress',
  params: { progressToken, progress: value },
});

test('progress is told apart by its token and the type of that', () => {
  expect(coalescingKey(progress(1))).toBe(coalescingKey(progress(1, 2)));
  expect(coalescingKey(progress(1))).not.toBe(coalescingKey(progress('1')));
  expect(coalescingKey(progress(''))).not.toBe(coalescingKey(progress(0)));
});

test('logs stand for themselves', () => {
  const log = () => ({ method: 'notifications/message', params: { level: 'info', data: 'same' } });
  expect(coalescingKey(log())).not.toBe(coalescingKey(log()));
});

test('what waits keeps its first place and its last word; beyond the cap only new subjects are dropped', () => {
  const waiting = new WaitingNotifications(2);
  waiting.add(progress('a', 1));
  waiting.add(progress('b', 1));
  waiting.add(progress('c', 1));
  waiting.add(progress('a', 2));
  expect(waiting.dropped).toBe(1);
  expect(waiting.take()).toEqual([progress('a', 2), progress('b', 1)]);
  expect(waiting.size).toBe(0);
  expect(waiting.take()).toEqual([]);
});

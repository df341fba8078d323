import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventStream } from './event-stream.ts';
import { KeepAlive } from './keep-alive.ts';
import { httpLimits } from './limits.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const make = (): { stream: EventStream; beats: () => number } => {
  let beats = 0;
  const stream = new EventStream({ write: () => {}, cut: () => {} }, httpLimits, undefined);
  stream.beat = () => {
    beats++;
  };
  return { stream, beats: () => beats };
};

test('[H10] one timer beats for all streams, and only while there are any', () => {
  const keepAlive = new KeepAlive(15_000);
  const [a, b] = [make(), make()];
  keepAlive.add(a.stream);
  keepAlive.add(b.stream);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(30_000);
  keepAlive.delete(a.stream);
  vi.advanceTimersByTime(15_000);
  expect([a.beats(), b.beats()]).toEqual([2, 3]);
  keepAlive.delete(b.stream);
  keepAlive.delete(b.stream);
  expect(vi.getTimerCount()).toBe(0);
  keepAlive.add(a.stream);
  vi.advanceTimersByTime(15_000);
  expect(a.beats()).toBe(3);
});

test('an interval of 0 never beats', () => {
  const keepAlive = new KeepAlive(0);
  keepAlive.add(make().stream);
  expect(vi.getTimerCount()).toBe(0);
});

import { expect, test, vi } from 'vitest';
import { type ChangeEvent, LocalBus } from './bus.ts';

test('delivers to every subscriber, in order, until each leaves', () => {
  const bus = new LocalBus();
  const seen: string[] = [];
  const leave = bus.subscribe((event) => seen.push(`a ${event.kind}`));
  bus.subscribe((event) => seen.push(`b ${event.kind}`));
  bus.publish({ kind: 'tools' });
  leave();
  leave();
  bus.publish({ kind: 'resource', uri: 'x:1' });
  expect(seen).toEqual(['a tools', 'b tools', 'b resource']);
});

test('the same function may subscribe twice and leave once', () => {
  const bus = new LocalBus();
  const hear = vi.fn((_: ChangeEvent) => {});
  const leave = bus.subscribe(hear);
  bus.subscribe(hear);
  leave();
  bus.publish({ kind: 'prompts' });
  expect(hear).toHaveBeenCalledTimes(1);
});

test('a subscriber that throws keeps the event from nobody; the publisher gets the error', () => {
  const bus = new LocalBus();
  const hear = vi.fn();
  bus.subscribe(() => {
    throw new Error('broken');
  });
  bus.subscribe(hear);
  expect(() => bus.publish({ kind: 'tools' })).toThrow('broken');
  expect(hear).toHaveBeenCalledWith({ kind: 'tools' });
});

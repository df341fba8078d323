import { beforeEach, describe, expect, test } from 'vitest';
import { Observers } from './observers.ts';
import type { WireWarning } from './wire.ts';

let observers: Observers;
beforeEach(() => {
  observers = new Observers();
});

describe('warnings', () => {
  test('are held past a listener that only traces', () => {
    const observers = new Observers();
    observers.add({ trace: () => {} });
    observers.warn('junk', 'early');
    const heard: string[] = [];
    observers.add({ warning: ({ message }) => heard.push(message) });
    expect(heard).toEqual(['early']);
  });

  test('from before the first listener are held for it', () => {
    observers.warn('junk', 'early');
    const seen: WireWarning[] = [];
    observers.add({ warning: (warning) => seen.push(warning) });
    observers.add({ warning: (warning) => seen.push(warning) });
    expect(seen).toEqual([{ kind: 'junk', message: 'early', count: 1 }]);
  });

  test('are counted by kind and told the first, tenth, hundredth time', () => {
    const seen: string[] = [];
    observers.add({ warning: ({ kind, count }) => seen.push(`${kind} ${count}`) });
    for (let count = 0; count < 20; count++) observers.warn('junk', 'x');
    observers.warn('too-long', 'x');
    expect(seen).toEqual(['junk 1', 'junk 10', 'too-long 1']);
  });

  test('reach every listener even where one throws, and none that was removed', () => {
    const seen: string[] = [];
    observers.add({
      warning() {
        throw new Error('mine');
      },
    });
    const remove = observers.add({ warning: () => seen.push('removed') });
    observers.add({ warning: () => seen.push('kept') });
    remove();
    observers.warn('junk', 'x');
    expect(seen).toEqual(['kept']);
  });
});

test('[P100] tracing is on only while somebody wants traces', () => {
  expect(observers.tracing).toBe(false);
  observers.add({ warning: () => undefined });
  expect(observers.tracing).toBe(false);
  const remove = observers.add({ trace: () => undefined });
  expect(observers.tracing).toBe(true);
  remove();
  expect(observers.tracing).toBe(false);
});

test('a receiver of traces or stderr that throws is a warning', () => {
  const seen: string[] = [];
  observers.add({
    warning: ({ kind, message }) => seen.push(`${kind}: ${message}`),
    trace() {
      throw new Error('mine');
    },
    stderr() {
      throw new Error('mine');
    },
  });
  observers.trace({ type: 'message', direction: 'sent', text: '{}' });
  expect(seen).toEqual(['receiver-failed: A receiver of messages threw: mine']);
  expect(() => observers.stderr('x')).not.toThrow();
});

import { describe, expect, test } from 'vitest';
import { isBaggage, isTracestate, parseTraceparent, traceContextOf } from './trace-context.ts';

describe('trace context', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  test('[TRACE-02] a traceparent', () => {
    expect(parseTraceparent(traceparent)).toEqual({
      version: '00',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentId: 'b7ad6b7169203331',
      sampled: true,
    });
    expect(parseTraceparent(`01${traceparent.slice(2)}-more`)?.version).toBe('01');
  });
  test.each([
    7,
    '',
    'x',
    `ff${traceparent.slice(2)}`,
    `${traceparent}-more`,
    traceparent.toUpperCase(),
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-00`,
  ])('[TRACE-05] %j reads as absent', (value) => {
    expect(parseTraceparent(value)).toBeUndefined();
    expect(traceContextOf({ traceparent: value })).toBeUndefined();
  });
  test('[TRACE-02] tracestate and baggage', () => {
    expect(['a=1', 'a=1,b=2', 'tenant@system=x'].every(isTracestate)).toBe(true);
    expect(
      ['', 'a', 'A=1', 'a=1,a=2', 'a=é', Array.from({ length: 33 }, (_, at) => `k${at}=1`).join()].some(isTracestate),
    ).toBe(false);
    expect(['a=1', 'a=1;p=2, b = 3'].every(isBaggage)).toBe(true);
    expect(['', 'a', 'a=é', `a=${'x'.repeat(9000)}`].some(isBaggage)).toBe(false);
  });
  test('[TRACE-05] malformed companions are left out', () => {
    expect(traceContextOf({ traceparent, tracestate: 'a=1', baggage: 'nonsense' })).toEqual({
      traceparent,
      tracestate: 'a=1',
    });
    expect(traceContextOf({ traceparent, baggage: 'k=v' })).toEqual({ traceparent, baggage: 'k=v' });
    expect(traceContextOf(undefined)).toBeUndefined();
  });
});

import type { Meter } from './meter.ts';

/**
 * Whether a value is nested at most so many levels deep, so that a recursive check cannot overflow. Charges the meter for
 * all member names where patterns are going to be tried on them. Allocates nothing.
 */
export function isMeasured(value: unknown, levels: number, nameDegree: number, meter: Meter): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels <= 0) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === 'object' && !isMeasured(item, levels - 1, nameDegree, meter)) return false;
    }
    return true;
  }
  for (const name in value) {
    if (nameDegree > 1) meter.read(name.length, nameDegree);
    const member = (value as { [name: string]: unknown })[name];
    if (typeof member === 'object' && !isMeasured(member, levels - 1, nameDegree, meter)) return false;
  }
  return true;
}

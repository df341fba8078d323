import { DragomanError } from '@dragoman/protocol';

/** The longest that a timer can wait: beyond 2^31 - 1 milliseconds (24.8 days) it would fire at once. */
const LONGEST_DELAY = 0x7fff_ffff;

/** Milliseconds as a timer takes them. Infinity, which as a limit is none, comes to as long as there is. */
export const delayOf = (milliseconds: number): number => Math.min(milliseconds, LONGEST_DELAY);

/**
 * Limits with their defaults filled in. What is not given, or given as undefined, has its default; a limit of Infinity is
 * none.
 *
 * @throws DragomanError INVALID_ARGUMENT for a limit that is no number from 0 up
 */
export function limitsOf<L extends { readonly [K in keyof L]: number }>(defaults: L, given: Partial<L> = {}): L {
  const limits: { [name: string]: number } = { ...defaults };
  for (const [name, value] of Object.entries(given) as [string, number | undefined][]) {
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new DragomanError('INVALID_ARGUMENT', `limits.${name} must be a number from 0 up, not ${String(value)}`);
    }
    limits[name] = value;
  }
  return limits as L;
}

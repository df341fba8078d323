import { DragomanError } from '@dragoman/protocol';

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

import { DragomanError, show } from '@dragoman/protocol';

/** @throws DragomanError `INVALID_ARGUMENT` for what is no duration in milliseconds; `Infinity` is one. */
export function checkDuration(name: string, value: number | undefined): void {
  if (value === undefined || (typeof value === 'number' && value > 0)) return;
  throw wrong(name, 'more than 0 ms; Infinity means no limit', value);
}

/** @throws DragomanError `INVALID_ARGUMENT` for what is no duration in milliseconds; 0 is one, and so is `Infinity`. */
export function checkWait(name: string, value: number | undefined): void {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return;
  throw wrong(name, '0 ms or more', value);
}

/** @throws DragomanError `INVALID_ARGUMENT` for what is no whole number from `least` on; `Infinity` is one. */
export function checkCount(name: string, value: number | undefined, least: 0 | 1): void {
  if (value === undefined || ((Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && value >= least))
    return;
  throw wrong(name, `a whole number, ${least} or more, or Infinity`, value);
}

/** @throws DragomanError `INVALID_ARGUMENT` for what is no AbortSignal, whichever platform it is of. */
export function checkSignal(value: AbortSignal): void {
  const signal: Partial<AbortSignal> = value;
  if (typeof signal.aborted === 'boolean' && typeof signal.addEventListener === 'function') return;
  throw wrong('signal', 'an AbortSignal', value);
}

const wrong = (name: string, expected: string, value: unknown): DragomanError =>
  new DragomanError('INVALID_ARGUMENT', `${name} must be ${expected}; it is ${show(value)}`);

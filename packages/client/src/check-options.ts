import { DragomanError } from '@dragoman/protocol';

/** @throws DragomanError `INVALID_ARGUMENT` for what is no duration in milliseconds; `Infinity` is one. */
export function checkDuration(name: string, value: number | undefined): void {
  if (value === undefined || value > 0) return;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `${name} must be more than 0 ms, not ${String(value)}; Infinity means no limit`,
  );
}

/** @throws DragomanError `INVALID_ARGUMENT` for what is no `maxTime`: 0 or `Infinity` for none, or milliseconds. */
export function checkMaxTime(value: number | undefined): void {
  if (value === undefined || value >= 0) return;
  throw new DragomanError('INVALID_ARGUMENT', `maxTime must be 0 (no limit) or more ms, not ${String(value)}`);
}

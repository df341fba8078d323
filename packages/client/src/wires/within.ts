import { LONGEST_TIMER } from '../clock.ts';

/** Waits for a promise, but not longer than `ms` milliseconds. Says whether it resolved in time. Never rejects. */
export function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER), false);
    const settled = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settled, settled);
  });
}

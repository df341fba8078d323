/** Where time comes from. The default is the machine's; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970, as a wall clock shows them. What is kept is dated with it. */
  now(): number;
  /** Milliseconds that only ever grow. What is measured is measured with it. */
  monotonic(): number;
  /**
   * Calls back once, after so many milliseconds or as many as the platform's timers take. Returns what `clearTimeout`
   * takes.
   */
  setTimeout(callback: () => void, milliseconds: number): unknown;
  /** Takes a timer back. One that has fired, or undefined, does no harm. */
  clearTimeout(timer: unknown): void;
}

/** The longest delay that a timer of the platform takes; a longer one would fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, milliseconds) => setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER)),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

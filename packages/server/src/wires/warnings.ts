/** Stable words for what a wire tolerated or noticed. */
export type WireWarningCode =
  /** Reachable from other machines without a list of allowed hosts: web pages may get through by DNS rebinding. */
  | 'UNSAFE_LISTENER'
  /** A reader was so slow that notifications found no room. */
  | 'SLOW_READER'
  /** A line that is no message, or a response that nobody asked for, was passed over. */
  | 'STRAY_MESSAGE';

/** Limits of an HTTP endpoint, whatever carries it. */
export interface HttpLimits {
  /** The largest request body, in bytes as they arrive. Default 4 MiB. More is refused with 413. */
  readonly maxBodyBytes: number;
  /**
   * What unfinished bodies may hold at once, all together, in bytes. Default 256 MiB. Beyond it a body of more than 16 KiB
   * is refused with 503; smaller ones do not count.
   */
  readonly maxUnfinishedBytes: number;
  /**
   * Requests that are being authenticated or answered at once, listen streams left out. Default 1,000. More are refused
   * with 503. Those whose bodies are still to come do not count: whoever sends slowly takes nobody's place.
   */
  readonly maxConcurrentRequests: number;
  /**
   * What may wait for a slow reader on one response stream, in characters. Default 2 Mi. Beyond it notifications are
   * joined to one per subject; results never wait for room.
   */
  readonly maxBufferedLength: number;
  /** Notifications that may wait beyond that, on one stream. Default 1,000. More are dropped, with a warning. */
  readonly maxWaitingNotifications: number;
  /** Milliseconds after which a request is answered with an error. Default 0: never. Listen streams are exempt. */
  readonly callTimeout: number;
  /** Milliseconds between the comments that keep quiet streams open. Default 15,000; 0 sends none. */
  readonly keepAliveInterval: number;
  /** Milliseconds after which an answer whose reader takes nothing of it is cut off. Default 120,000; 0 waits for ever. */
  readonly stallTimeout: number;
}

/** The limits that hold where none are given. */
export const httpLimits: HttpLimits = Object.freeze({
  maxBodyBytes: 4 * 1024 * 1024,
  maxUnfinishedBytes: 256 * 1024 * 1024,
  maxConcurrentRequests: 1_000,
  maxBufferedLength: 2 * 1024 * 1024,
  maxWaitingNotifications: 1_000,
  callTimeout: 0,
  keepAliveInterval: 15_000,
  stallTimeout: 120_000,
});

/** Limits of one byte stream. */
export interface StreamLimits {
  /** The longest message, in bytes. Default 4 MiB. A longer one is answered with an error and skipped. */
  readonly maxMessageBytes: number;
  /** Requests answered at once, listen streams left out. Default 1,000. More are answered with an error. */
  readonly maxConcurrentRequests: number;
  /**
   * What may wait for a slow peer, in characters. Default 2 Mi. Beyond it notifications are joined to one per subject;
   * answers never wait for room.
   */
  readonly maxBufferedLength: number;
  /** Notifications of one request that may wait beyond that. Default 1,000. More are dropped, with a warning. */
  readonly maxWaitingNotifications: number;
  /** Milliseconds after which a request is answered with an error. Default 0: never. Listen streams are exempt. */
  readonly callTimeout: number;
}

/** The limits that hold where none are given. */
export const streamLimits: StreamLimits = Object.freeze({
  maxMessageBytes: 4 * 1024 * 1024,
  maxConcurrentRequests: 1_000,
  maxBufferedLength: 2 * 1024 * 1024,
  maxWaitingNotifications: 1_000,
  callTimeout: 0,
});

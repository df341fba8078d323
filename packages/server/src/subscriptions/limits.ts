/** Limits of `subscriptions/listen`. */
export interface SubscriptionLimits {
  /** Listen streams open at once, all callers together. Default 10,000. */
  readonly maxStreams: number;
  /**
   * Listen streams open at once for one principal. Default 100. Callers without one (no authentication) share
   * `maxStreams` alone.
   */
  readonly maxStreamsPerPrincipal: number;
  /** Resource URIs that one listen stream may name. Default 1,000. */
  readonly maxUrisPerStream: number;
}

/** The limits that hold where none are given. */
export const subscriptionLimits: SubscriptionLimits = Object.freeze({
  maxStreams: 10_000,
  maxStreamsPerPrincipal: 100,
  maxUrisPerStream: 1_000,
});

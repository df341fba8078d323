import type { NotificationMeta, ProgressToken } from './base.ts';

/** How far something is. */
export interface Progress {
  /** Grows with every notification, even where `total` is not known. In the unit of `total`. */
  progress: number;
  /** What `progress` will be in the end, where that is known. */
  total?: number | undefined;
  /** For people (since 2025-03-26). */
  message?: string | undefined;
}

/** Parameters of `notifications/progress`. */
export interface ProgressNotificationParams extends Progress {
  _meta?: NotificationMeta;
  /** The one that the request asked with. */
  progressToken: ProgressToken;
}

/** How far a request is that asked for it (basic/patterns/progress). */
export interface ProgressNotification {
  readonly method: 'notifications/progress';
  readonly params: ProgressNotificationParams;
}

import type { NotificationMeta, RequestId } from './base.ts';

/** Parameters of `notifications/cancelled`. */
export interface CancelledNotificationParams {
  _meta?: NotificationMeta;
  /** A request that this sender made; from a server on stdio, the listen request that it ends. */
  requestId: RequestId;
  /** For logs or people. */
  reason?: string | undefined;
}

/** The result will not be used (basic/patterns/cancellation). On stdio; over HTTP the closed stream says so. */
export interface CancelledNotification {
  readonly method: 'notifications/cancelled';
  readonly params: CancelledNotificationParams;
}

import type { NotificationMeta } from './base.ts';

/** Severities, the least first (RFC 5424 §6.2.1). @deprecated with Logging, since 2026-07-28; still served. */
export const loggingLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** The severity of a log message (server/utilities/logging). */
export type LoggingLevel = (typeof loggingLevels)[number];

/** Parameters of `notifications/message`. */
export interface LoggingMessageNotificationParams {
  _meta?: NotificationMeta;
  level: LoggingLevel;
  /** Which logger it comes from. */
  logger?: string | undefined;
  /** Any JSON value: a string, or an object with details. */
  data: unknown;
}

/** A log message. Sent only while a request that asked for a level is being answered. @deprecated since 2026-07-28. */
export interface LoggingMessageNotification {
  readonly method: 'notifications/message';
  readonly params: LoggingMessageNotificationParams;
}

import type { NotificationParams } from './messages/base.ts';
import type { CancelledNotificationParams } from './messages/cancellation.ts';
import type {
  ElicitationCompleteNotification,
  InitializedNotification,
  LegacyTaskStatusNotification,
  RootsListChangedNotification,
} from './messages/legacy.ts';
import type { LoggingMessageNotificationParams } from './messages/logging.ts';
import type { ProgressNotificationParams } from './messages/progress.ts';
import type { ResourceUpdatedNotificationParams } from './messages/resources.ts';
import type { SubscriptionFilter, SubscriptionsAcknowledgedNotificationParams } from './messages/subscriptions.ts';
import { TASKS_EXTENSION, type TaskStatusNotificationParams } from './messages/tasks.ts';
import { revisions as always, legacyRevisions, MODERN, modernRevisions, type Revision } from './revisions.ts';

type ParamsIn<N extends { readonly params?: unknown }> = NonNullable<N['params']>;

/** Parameters of every notification. */
export interface Notifications {
  'notifications/cancelled': CancelledNotificationParams;
  'notifications/progress': ProgressNotificationParams;
  'notifications/message': LoggingMessageNotificationParams;
  'notifications/subscriptions/acknowledged': SubscriptionsAcknowledgedNotificationParams;
  'notifications/tools/list_changed': NotificationParams;
  'notifications/prompts/list_changed': NotificationParams;
  'notifications/resources/list_changed': NotificationParams;
  'notifications/resources/updated': ResourceUpdatedNotificationParams;
  'notifications/tasks': TaskStatusNotificationParams;

  'notifications/initialized': ParamsIn<InitializedNotification>;
  'notifications/roots/list_changed': ParamsIn<RootsListChangedNotification>;
  'notifications/elicitation/complete': ParamsIn<ElicitationCompleteNotification>;
  'notifications/tasks/status': ParamsIn<LegacyTaskStatusNotification>;
}

/** A notification that the table knows. */
export type NotificationName = keyof Notifications;

/** What a notification carries. */
export type NotificationParamsOf<N extends NotificationName> = Notifications[N];

/** All there is to know of a notification besides its type. */
export interface NotificationRow {
  readonly kind: 'notification';
  readonly method: NotificationName;
  /** In 2026-07-28 where that has it. Up to 2025-11-25 progress goes both ways. */
  readonly direction: 'client-to-server' | 'server-to-client' | 'both';
  /** Revisions that have it, newest first. */
  readonly revisions: readonly Revision[];
  readonly modern: boolean;
  /**
   * What it belongs to in 2026-07-28: the `request` being answered, a listen stream (`subscription`), or neither
   * (`connection`). Up to 2025-11-25 what belongs to a subscription here comes unasked on the connection.
   */
  readonly scope: 'request' | 'subscription' | 'connection';
  /** The member of a listen request's filter that asks for it. */
  readonly filter?: keyof SubscriptionFilter;
  /** The parameter whose value must be in the filter's array. */
  readonly filterParam?: 'uri' | 'taskId';
  /** The extension that it belongs to in 2026-07-28. */
  readonly extension?: string;
}

const only2025November = Object.freeze<Revision[]>(['2025-11-25']);

type Facts = Partial<Omit<NotificationRow, 'kind' | 'method' | 'modern'>>;

function row(method: NotificationName, facts: Facts): [string, NotificationRow] {
  const revisions = facts.revisions ?? always;
  const full: NotificationRow = {
    direction: 'server-to-client',
    scope: 'connection',
    ...facts,
    kind: 'notification',
    method,
    revisions,
    modern: revisions.includes(MODERN),
  };
  return [method, Object.freeze(full)];
}

/** The notifications of all revisions, by name. */
export const notifications: ReadonlyMap<string, NotificationRow> = new Map([
  row('notifications/cancelled', { direction: 'both' }),
  row('notifications/progress', { scope: 'request' }),
  row('notifications/message', { scope: 'request' }),
  row('notifications/subscriptions/acknowledged', { revisions: modernRevisions, scope: 'subscription' }),
  row('notifications/tools/list_changed', { scope: 'subscription', filter: 'toolsListChanged' }),
  row('notifications/prompts/list_changed', { scope: 'subscription', filter: 'promptsListChanged' }),
  row('notifications/resources/list_changed', { scope: 'subscription', filter: 'resourcesListChanged' }),
  row('notifications/resources/updated', {
    scope: 'subscription',
    filter: 'resourceSubscriptions',
    filterParam: 'uri',
  }),
  row('notifications/tasks', {
    revisions: modernRevisions,
    extension: TASKS_EXTENSION,
    scope: 'subscription',
    filter: 'taskIds',
    filterParam: 'taskId',
  }),

  row('notifications/initialized', { revisions: legacyRevisions, direction: 'client-to-server' }),
  row('notifications/roots/list_changed', { revisions: legacyRevisions, direction: 'client-to-server' }),
  row('notifications/elicitation/complete', { revisions: only2025November }),
  row('notifications/tasks/status', { revisions: only2025November, direction: 'both' }),
]);

/** The row of a notification; undefined for a name that no revision knows. */
export function notificationRow(name: string): NotificationRow | undefined {
  return notifications.get(name);
}

/** Whether 2026-07-28 has a notification, in its core or in an extension of the table. */
export function isModernNotification(name: string): name is NotificationName {
  return notifications.get(name)?.modern === true;
}

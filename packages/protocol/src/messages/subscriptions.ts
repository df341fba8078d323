import type { Request, Result } from '../exchange.ts';
import type { NotificationMeta, RequestId, RequestMeta, ResultMeta } from './base.ts';

/** Which notifications are wanted. What is not asked for is never sent (basic/patterns/subscriptions). */
export interface SubscriptionFilter {
  toolsListChanged?: boolean | undefined;
  promptsListChanged?: boolean | undefined;
  resourcesListChanged?: boolean | undefined;
  /** URIs whose changes are wanted. */
  resourceSubscriptions?: string[] | undefined;
  /** Tasks whose status is wanted (Tasks extension). */
  taskIds?: string[] | undefined;
}

/** Parameters of `subscriptions/listen`. */
export interface SubscriptionsListenRequestParams {
  _meta?: RequestMeta;
  notifications: SubscriptionFilter;
}

/** Opens a stream of notifications that belong to no request. Ends by cancellation, or by the server with a result. */
export type SubscriptionsListenRequest = Request<'subscriptions/listen', SubscriptionsListenRequestParams>;

/** `_meta` of a listen request's result. */
export interface SubscriptionsListenResultMeta extends ResultMeta {
  /** The listen request's JSON-RPC id. Mandatory on the wire, which fills it in. */
  'io.modelcontextprotocol/subscriptionId'?: RequestId | undefined;
}

/** The server ended the stream in good order. A stream that just breaks off has no result. */
export interface SubscriptionsListenResult extends Result {
  resultType?: 'complete';
  _meta?: SubscriptionsListenResultMeta;
}

/** Parameters of `notifications/subscriptions/acknowledged`. */
export interface SubscriptionsAcknowledgedNotificationParams {
  _meta?: NotificationMeta;
  /** The part of what was asked for that the server will send. */
  notifications: SubscriptionFilter;
}

/** The first message of a listen stream: what the server agreed to. */
export interface SubscriptionsAcknowledgedNotification {
  readonly method: 'notifications/subscriptions/acknowledged';
  readonly params: SubscriptionsAcknowledgedNotificationParams;
}

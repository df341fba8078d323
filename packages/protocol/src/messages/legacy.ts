import type { Notification, Request, Result } from '../exchange.ts';
import type { Implementation, JsonObject, MetaObject, PaginatedResult, RequestMeta } from './base.ts';
import type { ClientCapabilities, ServerCapabilities } from './capabilities.ts';
import type { LoggingLevel } from './logging.ts';
import type { TaskStatus } from './tasks.ts';
import type { Tool } from './tools.ts';

/** Parameters of `initialize`, with which a connection of 2025-11-25 and earlier opens. */
export interface InitializeRequestParams {
  _meta?: RequestMeta;
  /** The newest revision the client speaks. */
  protocolVersion: string;
  capabilities: ClientCapabilities;
  clientInfo: Implementation;
}

/** Opens a connection. Up to 2025-11-25. */
export type InitializeRequest = Request<'initialize', InitializeRequestParams>;

/** The server's side of the handshake. */
export interface InitializeResult extends Result {
  /** The revision to speak from now on. The client leaves if it cannot. */
  protocolVersion: string;
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
  instructions?: string | undefined;
}

/** The client is done with the handshake. Up to 2025-11-25. */
export type InitializedNotification = Notification<'notifications/initialized', { _meta?: MetaObject }>;

/** The client's roots changed. Up to 2025-11-25. */
export type RootsListChangedNotification = Notification<'notifications/roots/list_changed', { _meta?: MetaObject }>;

/** Parameters of a request that has none of its own, such as `ping`. */
export interface EmptyRequestParams {
  _meta?: RequestMeta;
}

/** Parameters of `logging/setLevel`, which holds for the connection. Up to 2025-11-25. */
export interface SetLevelRequestParams {
  _meta?: RequestMeta;
  level: LoggingLevel;
}

/** Parameters of `resources/subscribe`. Up to 2025-11-25. */
export interface SubscribeRequestParams {
  _meta?: RequestMeta;
  uri: string;
}

/** Parameters of `resources/unsubscribe`. Up to 2025-11-25. */
export interface UnsubscribeRequestParams {
  _meta?: RequestMeta;
  uri: string;
}

/** The interaction of a URL-mode elicitation is over. 2025-11-25 only. */
export interface ElicitationCompleteNotification {
  readonly method: 'notifications/elicitation/complete';
  readonly params: { _meta?: MetaObject; elicitationId: string };
}

/** A tool of 2025-11-25. */
export interface LegacyTool extends Tool {
  /** Whether the tool may, must or must not be called as a task. Default `forbidden`. */
  execution?: { taskSupport?: 'forbidden' | 'optional' | 'required' | undefined } | undefined;
}

/** A task of the experiment in 2025-11-25. */
export interface LegacyTask {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string | undefined;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastUpdatedAt: string;
  /** Milliseconds from creation for which it is kept; null for no limit. */
  ttl: number | null;
  /** Milliseconds to wait between two polls. */
  pollInterval?: number | undefined;
}

/** Asks, as `params.task`, that a request go on as a task. 2025-11-25 only. */
export interface TaskMetadata {
  /** Milliseconds for which to keep it. */
  ttl?: number | undefined;
}

/** The answer to a request that goes on as a task. 2025-11-25 only. */
export interface LegacyCreateTaskResult extends Result {
  task: LegacyTask;
}

/** Parameters of `tasks/result`, which answers what the task's request would have been answered. 2025-11-25 only. */
export interface GetTaskPayloadRequestParams {
  _meta?: RequestMeta;
  taskId: string;
}

/** A page of the tasks. 2025-11-25 only. */
export interface ListTasksResult extends PaginatedResult {
  tasks: LegacyTask[];
}

/** Capabilities of the experiment with tasks in 2025-11-25, in both directions. */
export interface LegacyTasksCapability {
  list?: JsonObject | undefined;
  cancel?: JsonObject | undefined;
  /** By category and method, such as `tools.call`. */
  requests?: { [category: string]: { [method: string]: JsonObject } } | undefined;
}

/** A task's status changed. 2025-11-25 only. */
export interface LegacyTaskStatusNotification {
  readonly method: 'notifications/tasks/status';
  readonly params: LegacyTask & { _meta?: MetaObject };
}

import type { ErrorObject } from '../errors.ts';
import type { Request, Result } from '../exchange.ts';
import type { EmptyResult, JsonObject, NotificationMeta, RequestMeta, ResultMeta } from './base.ts';
import type { InputRequests, InputResponses } from './input.ts';

/** Identifier of the Tasks extension in `extensions` of the capabilities. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** How a task stands. `completed`, `failed` and `cancelled` are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** What is known of a task whatever its status (Tasks extension, "Tasks"). */
export interface Task {
  /** Unguessable; as good as a key to the task. */
  taskId: string;
  status: TaskStatus;
  /** For people. */
  statusMessage?: string | undefined;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastUpdatedAt: string;
  /** Milliseconds from `createdAt` for which the task is kept; null for no limit. May change. */
  ttlMs: number | null;
  /** Milliseconds to wait between two `tasks/get`. May change. */
  pollIntervalMs?: number | undefined;
}

/** Under way. */
export interface WorkingTask extends Task {
  status: 'working';
}

/** Waits for the client, which answers with `tasks/update`. */
export interface InputRequiredTask extends Task {
  status: 'input_required';
  /** All that is still unanswered. A key is never used twice in a task's life. */
  inputRequests: InputRequests;
}

/** Done; also where the tool says `isError`. */
export interface CompletedTask extends Task {
  status: 'completed';
  /** What the request would have been answered with, such as a `CallToolResult`. */
  result: JsonObject;
}

/** Ended in a JSON-RPC error. */
export interface FailedTask extends Task {
  status: 'failed';
  error: ErrorObject;
}

/** Given up on request. */
export interface CancelledTask extends Task {
  status: 'cancelled';
}

/** A task with what its status brings along. */
export type DetailedTask = WorkingTask | InputRequiredTask | CompletedTask | FailedTask | CancelledTask;

/** The answer to a `tools/call` that goes on as a task. Only to a client that declared the extension in that request. */
export interface CreateTaskResult extends Result, Task {
  resultType: 'task';
  _meta?: ResultMeta;
}

/** Parameters of `tasks/get`. */
export interface GetTaskRequestParams {
  _meta?: RequestMeta;
  taskId: string;
}

/** Asks how a task stands. An unknown or expired one is -32602. */
export type GetTaskRequest = Request<'tasks/get', GetTaskRequestParams>;

/** How a task stands. */
export type GetTaskResult = DetailedTask & EmptyResult;

/** Parameters of `tasks/update`. */
export interface UpdateTaskRequestParams {
  _meta?: RequestMeta;
  taskId: string;
  /** Some or all of what was asked; unknown and answered keys are passed over. */
  inputResponses: InputResponses;
}

/** Answers a task's questions. */
export type UpdateTaskRequest = Request<'tasks/update', UpdateTaskRequestParams>;

/** Received; the status may change later. */
export type UpdateTaskResult = EmptyResult;

/** Parameters of `tasks/cancel`. */
export interface CancelTaskRequestParams {
  _meta?: RequestMeta;
  taskId: string;
}

/** Asks a task to give up. Cooperative: it may still end otherwise. */
export type CancelTaskRequest = Request<'tasks/cancel', CancelTaskRequestParams>;

/** Received; also for a task that has already ended. */
export type CancelTaskResult = EmptyResult;

/** Parameters of `notifications/tasks`. */
export type TaskStatusNotificationParams = DetailedTask & { _meta?: NotificationMeta };

/** A task's status changed. Only on a listen stream that named it in `taskIds`. */
export interface TaskStatusNotification {
  readonly method: 'notifications/tasks';
  readonly params: TaskStatusNotificationParams;
}

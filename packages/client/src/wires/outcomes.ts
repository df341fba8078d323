import {
  DragomanError,
  type ExchangeIO,
  type JsonRpcErrorResponse,
  McpError,
  MetaKey,
  type Notification,
  type RequestId,
  type Result,
} from '@dragoman/protocol';
import type { Observers } from './observers.ts';

/** The method whose answer is a stream of notifications (basic/patterns/subscriptions). */
export const LISTEN = 'subscriptions/listen';

/** The error that a peer answered with. */
export function peerError(message: JsonRpcErrorResponse, httpStatus?: number): McpError {
  const { code, message: text, data } = message.error;
  return new McpError(code, text, { data, httpStatus });
}

/** Why a signal aborted, as an error of ours: the reason itself where it is one, such as a deadline's. */
export function abortError(signal: AbortSignal): DragomanError | McpError {
  const reason: unknown = signal.reason;
  if (reason instanceof DragomanError || reason instanceof McpError) return reason;
  return new DragomanError('ABORTED', 'The call was aborted by its signal', { cause: reason });
}

/** What calls get that were pending when `close()` was called, and those that come after. */
export const closedHere = (target: string): DragomanError =>
  new DragomanError('CONNECTION_CLOSED', `The connection to ${target} was closed by this side; connect again`);

/** What a call gets whose request is not JSON. */
export const unserialisable = (method: string, cause: unknown): DragomanError =>
  new DragomanError(
    'INVALID_ARGUMENT',
    `The parameters of ${method} cannot be written as JSON: ${(cause as Error).message}`,
    {
      cause,
    },
  );

/** Hands a notification to its call. Whatever the receiver does, the wire goes on. */
export function deliver(io: ExchangeIO, notification: Notification, observers: Observers): void {
  try {
    io.notify(notification);
  } catch (error) {
    observers.receiverFailed(error);
  }
}

/** The result of a listen request that the server ended by `notifications/cancelled` alone. */
export const gracefulEnd = (id: RequestId): Result => ({
  resultType: 'complete',
  _meta: { [MetaKey.subscriptionId]: id },
});

/** The first `code` in an error, its causes, and the errors that it gathers: wrappers must not hide ECONNREFUSED. */
export function systemCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 8) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const deeper = systemCode(cause, depth + 1);
  // A library's own word for "the socket broke" says less than the system's.
  if (deeper !== undefined) return deeper;
  if (typeof code === 'string') return code;
  if (!Array.isArray(errors)) return undefined;
  for (const each of errors) {
    const found = systemCode(each, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Why a connection could not be made or broke, for people. */
export function whyBroken(cause: Error): string {
  switch (systemCode(cause)) {
    case 'ENOENT':
      return 'there is no such socket (ENOENT). Is the server running?';
    case 'ECONNREFUSED':
      return 'nobody listens there (ECONNREFUSED). Is the server running?';
    case 'EACCES':
      return 'permission denied (EACCES)';
    default:
      return cause.message;
  }
}

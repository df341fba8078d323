import {
  DragomanError,
  ErrorCode,
  McpError,
  MetaKey,
  type RequestId,
  type Result,
  serializeError,
  serializeResult,
} from '@dragoman/protocol';

/** The method whose answer is a stream of its own. */
export const LISTEN = 'subscriptions/listen';

/** The result of a listen stream that the server ends in good order. */
export const endedResult: Result = Object.freeze({ resultType: 'complete' });

/** One line of JSON for the result of a listen request, tagged with its id (basic/patterns/subscriptions, "Graceful Closure"). */
export const serializeListenResult = (id: RequestId, result: Result): string =>
  serializeResult(id, { ...result, _meta: { ...result._meta, [MetaKey.subscriptionId]: id } });

/** One line of JSON for an error, whatever is in its `data`: what cannot be written as JSON is left out. */
export function errorLine(id: RequestId | undefined, error: McpError): string {
  try {
    return serializeError(id, error);
  } catch {
    return serializeError(id, new McpError(error.code, error.message));
  }
}

/** The error of a call that took longer than it may. */
export const timedOut = (milliseconds: number): McpError =>
  new McpError(ErrorCode.InternalError, `No answer within ${milliseconds} ms`, { data: { limit: 'callTimeout' } });

/** Whether something was thrown because its caller gave up, and so is nobody's error. */
export const isAbort = (reason: unknown): boolean =>
  (reason instanceof DragomanError && (reason.code === 'ABORTED' || reason.code === 'TIMEOUT')) ||
  (reason instanceof Error && reason.name === 'AbortError');

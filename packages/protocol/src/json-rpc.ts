import { ErrorCode, type ErrorObject, McpError } from './errors.ts';
import type { Notification, Request, Result } from './exchange.ts';
import { show } from './json-schema/pointer.ts';
import type { RequestId } from './messages/base.ts';
import { MetaKey } from './meta.ts';

/** A request as it stands on the wire. `params` is mandatory in 2026-07-28, which is checked later: it is not JSON-RPC's rule. */
export interface JsonRpcRequest {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: { [member: string]: unknown };
}

/** A notification as it stands on the wire: a message with a method and without an id. */
export interface JsonRpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: { [member: string]: unknown };
}

/** A successful answer as it stands on the wire. */
export interface JsonRpcResponse {
  jsonrpc: '2.0';
  id: RequestId;
  result: Result;
}

/** A failed answer as it stands on the wire. The id is missing where the request's could not be read. */
export interface JsonRpcErrorResponse {
  jsonrpc: '2.0';
  id?: RequestId | null;
  error: ErrorObject;
}

/** One JSON-RPC message. */
export type Message = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse | JsonRpcErrorResponse;

/** What is not a message: the error that answers it, and the request's id where one could be read. */
export interface Malformed {
  readonly malformed: true;
  readonly error: McpError;
  readonly id?: RequestId;
}

/**
 * Reads one message. Never throws.
 *
 * Text that is not JSON gives -32700; JSON that is not one JSON-RPC 2.0 message, batches included, gives -32600
 * (basic, "Messages"; JSON-RPC 2.0 §4-5).
 */
export function parseMessage(text: string): Message | Malformed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return {
      malformed: true,
      error: new McpError(ErrorCode.ParseError, `Parse error: ${(cause as Error).message}`, { cause }),
    };
  }
  return checkMessage(value);
}

/** Like {@link parseMessage}, for a value that was parsed already. Unknown members are kept: the value itself is returned. */
export function checkMessage(value: unknown): Message | Malformed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const what = Array.isArray(value) ? 'a batch' : value === null ? 'null' : `a ${typeof value}`;
    return refuse(undefined, `expected one JSON-RPC message object, got ${what}`);
  }
  const message = value as { [member: string]: unknown };
  // null for a member that may be missing is absence.
  if (message.params === null) delete message.params;
  if (message.error === null) delete message.error;
  const id = message.id;
  const readable = isRequestId(id) ? id : undefined;
  if (message.jsonrpc !== '2.0') {
    return refuse(readable, `"jsonrpc" must be "2.0", got ${show(message.jsonrpc)}`);
  }
  if (message.method !== undefined) {
    if (typeof message.method !== 'string')
      return refuse(readable, `"method" must be a string, got ${show(message.method)}`);
    if (message.params !== undefined && !isObject(message.params)) {
      return refuse(readable, `"params" must be an object, got ${show(message.params)}`);
    }
    if ('id' in message && readable === undefined) {
      return refuse(undefined, `"id" must be a string or an integer within ±(2^53-1), got ${show(id)}`);
    }
    return value as JsonRpcRequest | JsonRpcNotification;
  }
  if (message.error !== undefined) {
    const error = message.error;
    if (!isObject(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') {
      return refuse(readable, '"error" must have an integer "code" and a string "message"');
    }
    if (message.result !== undefined) return refuse(readable, 'a response has either "result" or "error", not both');
    // null is what JSON-RPC 2.0 writes for an id that could not be read; older peers do.
    if (id !== undefined && id !== null && readable === undefined) {
      return refuse(undefined, `"id" must be a string or an integer, got ${show(id)}`);
    }
    return value as JsonRpcErrorResponse;
  }
  if (message.result !== undefined) {
    if (readable === undefined) return refuse(undefined, `"id" must be a string or an integer, got ${show(id)}`);
    if (!isObject(message.result)) return refuse(readable, `"result" must be an object, got ${show(message.result)}`);
    return value as JsonRpcResponse;
  }
  return refuse(readable, 'a message needs "method", "result" or "error"');
}

/** Whether a parse failed. */
export const isMalformed = (message: Message | Malformed): message is Malformed =>
  'malformed' in message && !('jsonrpc' in message);

/** A message with a method and an id. Presence decides, so that 0 and "" are ids (JSON-RPC 2.0 §4.1). */
export const isRequest = (message: Message): message is JsonRpcRequest => 'method' in message && 'id' in message;

/** A message with a method and without an id. */
export const isNotification = (message: Message): message is JsonRpcNotification =>
  'method' in message && !('id' in message);

/** A successful answer. */
export const isResponse = (message: Message): message is JsonRpcResponse =>
  'result' in message && !('method' in message);

/** A failed answer. */
export const isErrorResponse = (message: Message): message is JsonRpcErrorResponse =>
  'error' in message && !('method' in message);

/** A string, or an integer that a JavaScript number holds exactly (basic, "Requests"). */
export const isRequestId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

const OPENING_BRACE = 0x7b;

const texts = new WeakMap<object, string>();

/**
 * Remembers the JSON of a result that is sent many times, such as a page of a list, and freezes the result: what was
 * remembered must stay true.
 */
export function preserialized<R extends Result>(result: R, text = JSON.stringify(result)): Readonly<R> {
  texts.set(result, text);
  return Object.freeze(result);
}

/**
 * The JSON of a result, remembered where {@link preserialized} made it.
 *
 * @throws TypeError where it is no JSON object: whoever reads it could make nothing of the message
 */
export function resultText(result: Result): string {
  const known = texts.get(result);
  if (known !== undefined) return known;
  const text: string | undefined = JSON.stringify(result);
  if (text?.charCodeAt(0) === OPENING_BRACE) return text;
  throw new TypeError(`A result must be a JSON object, not ${show(result)}`);
}

/** One line of JSON for a request. */
export function serializeRequest(id: RequestId, request: Request): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"method":${JSON.stringify(request.method)},"params":${JSON.stringify(request.params)}}`;
}

/** One line of JSON for a notification. */
export function serializeNotification(notification: Notification): string {
  const head = `{"jsonrpc":"2.0","method":${JSON.stringify(notification.method)}`;
  return notification.params === undefined ? `${head}}` : `${head},"params":${JSON.stringify(notification.params)}}`;
}

/** One line of JSON for a result. */
export const serializeResult = (id: RequestId, result: Result): string =>
  `{"jsonrpc":"2.0","id":${idText(id)},"result":${resultText(result)}}`;

/** One line of JSON for an error; the id is left out where the request's could not be read, never null (basic, "Error Responses"). */
export const serializeError = (id: RequestId | undefined, error: McpError): string =>
  id === undefined
    ? `{"jsonrpc":"2.0","error":${JSON.stringify(error.toObject())}}`
    : `{"jsonrpc":"2.0","id":${idText(id)},"error":${JSON.stringify(error.toObject())}}`;

/** An id as JSON. */
export const idText = (id: RequestId): string => (typeof id === 'number' ? String(id) : JSON.stringify(id));

const halves = new WeakMap<Notification, { head: string; tail: string }>();

/**
 * One line of JSON for a notification on a listen stream, tagged with the stream's subscription id
 * (basic/patterns/subscriptions, "Receiving Notifications"). A notification object is serialised once, however many
 * streams it goes to; only the id differs.
 *
 * @param id the id as JSON, see {@link idText}
 */
export function serializeSubscribed(notification: Notification, id: string): string {
  let parts = halves.get(notification);
  if (parts === undefined) {
    const { _meta, ...members } = notification.params ?? {};
    const rest = JSON.stringify(members);
    const meta = isObject(_meta) ? JSON.stringify({ ..._meta, [MetaKey.subscriptionId]: undefined }) : '{}';
    parts = {
      head: `{"jsonrpc":"2.0","method":${JSON.stringify(notification.method)},"params":{${inner(rest)}"_meta":{${inner(meta)}${JSON.stringify(MetaKey.subscriptionId)}:`,
      tail: '}}}',
    };
    halves.set(notification, parts);
  }
  return parts.head + id + parts.tail;
}

/** What stands between the braces of an object's JSON, with a comma behind it where there is anything. */
function inner(json: string): string {
  return json.length === 2 ? '' : `${json.slice(1, -1)},`;
}

const isObject = (value: unknown): value is { [member: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function refuse(id: RequestId | undefined, reason: string): Malformed {
  const error = new McpError(ErrorCode.InvalidRequest, `Invalid request: ${reason}`);
  return id === undefined ? { malformed: true, error } : { malformed: true, error, id };
}

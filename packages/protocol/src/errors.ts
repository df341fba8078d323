import type { ClientCapabilities } from './messages/capabilities.ts';

/** Error codes of 2026-07-28 (basic, "Error Codes") and those that older peers still send. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  HeaderMismatch: -32020,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
  /** Older servers' "resource not found". Read, never sent (basic, "Error Codes"). */
  LegacyResourceNotFound: -32002,
  /** 2025-11-25's "URL elicitation required". Read, never sent. */
  LegacyUrlElicitationRequired: -32042,
} as const;

const names = new Map<number, string>([
  [-32700, 'PARSE_ERROR'],
  [-32600, 'INVALID_REQUEST'],
  [-32601, 'METHOD_NOT_FOUND'],
  [-32602, 'INVALID_PARAMS'],
  [-32603, 'INTERNAL_ERROR'],
  [-32020, 'HEADER_MISMATCH'],
  [-32021, 'MISSING_REQUIRED_CLIENT_CAPABILITY'],
  [-32022, 'UNSUPPORTED_PROTOCOL_VERSION'],
  [-32002, 'RESOURCE_NOT_FOUND'],
  [-32042, 'URL_ELICITATION_REQUIRED'],
]);

/** The protocol's name of a code, such as `HEADER_MISMATCH`; undefined for codes the protocol does not define. */
export function errorName(code: number): string | undefined {
  return names.get(code);
}

/** The JSON-RPC error object (JSON-RPC 2.0 §5.1). */
export interface ErrorObject {
  /** An {@link ErrorCode}, or one of an application's own. */
  code: number;
  /** One sentence, for people. */
  message: string;
  /** Any JSON value, by which a program can tell more. */
  data?: unknown;
}

/** Details that stay on this side of the wire. */
export interface McpErrorOptions {
  /** Any JSON value; crosses the wire. */
  data?: unknown;
  /** What it came of; never crosses the wire. */
  cause?: unknown;
  /** HTTP status that goes with the error where it is not the code's own (see {@link httpStatusOf}). */
  httpStatus?: number | undefined;
}

/** An error that crosses the wire: thrown by an exchange, sent as a JSON-RPC error, and thrown again on the other side. */
export class McpError extends Error {
  /** Always `McpError`. */
  override readonly name = 'McpError';
  /** An {@link ErrorCode}, or one of an application's own. */
  readonly code: number;
  /** Any JSON value, by which a program can tell more. */
  readonly data?: unknown;
  /** HTTP status it is to be sent with, or came with. Not part of the JSON-RPC error. */
  readonly httpStatus?: number | undefined;

  /** Makes one. `message` and `data` cross the wire: nothing in them may be secret. */
  constructor(code: number, message: string, options?: McpErrorOptions) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options?.data !== undefined) this.data = options.data;
    if (options?.httpStatus !== undefined) this.httpStatus = options.httpStatus;
  }

  /**
   * Normalises whatever was thrown. What is not an McpError, or one that cannot be written on the wire (basic, "Error
   * Responses": an integer code and a message), becomes an InternalError whose message does not carry the original's
   * text: that may hold what the peer must not see, and stays in `cause`.
   */
  static from(reason: unknown): McpError {
    if (isWritable(reason)) return reason;
    return new McpError(ErrorCode.InternalError, 'Internal error', { cause: reason });
  }

  /** The error as it is written on the wire. */
  toObject(): ErrorObject {
    return this.data === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, data: this.data };
  }
}

/** Never throws itself, whatever was thrown: members may be getters, and anything may be a proxy. */
function isWritable(reason: unknown): reason is McpError {
  try {
    return reason instanceof McpError && Number.isInteger(reason.code) && typeof reason.message === 'string';
  } catch {
    return false;
  }
}

/**
 * HTTP status that an error is sent with: its own where that is 200 or one of failure; else 400 for the errors of parsing,
 * shape, headers, version and client capability, 404 for an unknown method, and 200 (streamable-http, "Server
 * Validation"; the status of other errors is convention).
 */
export function httpStatusOf(error: McpError): number {
  const { httpStatus } = error;
  if (httpStatus !== undefined && isFinalStatus(httpStatus)) return httpStatus;
  switch (error.code) {
    case ErrorCode.ParseError:
    case ErrorCode.InvalidRequest:
    case ErrorCode.HeaderMismatch:
    case ErrorCode.MissingRequiredClientCapability:
    case ErrorCode.UnsupportedProtocolVersion:
      return 400;
    case ErrorCode.MethodNotFound:
      return 404;
    default:
      return 200;
  }
}

/**
 * Whether a status can stand over a JSON-RPC error: not one without a body, nor one that is only on the way to another,
 * nor 401 and 407, which ask for credentials and must come with a challenge (RFC 9110 §15.5.2, §15.5.8). An error that
 * came from another server may bring such a one along.
 */
const isFinalStatus = (status: number): boolean =>
  status === 200 || (Number.isInteger(status) && status >= 400 && status <= 599 && status !== 401 && status !== 407);

/** -32602. `data` names the offending value where there is one. */
export const invalidParams = (message: string, data?: unknown): McpError =>
  new McpError(ErrorCode.InvalidParams, message, { data });

/** -32601 for a method that is unknown or gated by a capability that the server does not have. */
export const methodNotFound = (method: string): McpError =>
  new McpError(ErrorCode.MethodNotFound, `Method not found: ${method}`);

/** -32020. */
export const headerMismatch = (message: string): McpError => new McpError(ErrorCode.HeaderMismatch, message);

/** -32021 with the capabilities that the client would have to declare. */
export const missingCapability = (message: string, requiredCapabilities: ClientCapabilities): McpError =>
  new McpError(ErrorCode.MissingRequiredClientCapability, message, { data: { requiredCapabilities } });

/** -32022 with what the server supports and what was asked for. */
export const unsupportedVersion = (requested: string, supported: readonly string[]): McpError =>
  new McpError(
    ErrorCode.UnsupportedProtocolVersion,
    `Unsupported protocol version ${JSON.stringify(requested)}; supported: ${supported.join(', ')}`,
    { data: { supported: [...supported], requested } },
  );

/** Stable words for what goes wrong on this side of the wire. */
export type DragomanErrorCode =
  /** An option or argument of ours is wrong. */
  | 'INVALID_ARGUMENT'
  /** The peer could not be reached or started. */
  | 'CONNECTION_FAILED'
  /** The peer went away, or the connection was closed, while something was pending. */
  | 'CONNECTION_CLOSED'
  /** No answer in time. */
  | 'TIMEOUT'
  /** The caller's signal aborted. */
  | 'ABORTED'
  /** What came back is not what the protocol allows. */
  | 'PROTOCOL_VIOLATION'
  /** The server speaks only revisions from before 2026-07-28. */
  | 'LEGACY_SERVER'
  /** No revision in common. */
  | 'VERSION_MISMATCH'
  /** HTTP 401 or 403 without a way to authorize. */
  | 'UNAUTHORIZED'
  /** An HTTP answer that is neither a result nor a JSON-RPC error. */
  | 'HTTP_ERROR'
  /** The server asks for input that no handler gives. */
  | 'INPUT_REQUIRED'
  /** Too many input rounds. */
  | 'INPUT_LOOP'
  /** A result breaks the tool's own outputSchema (strict mode). */
  | 'OUTPUT_MISMATCH'
  /** A kept result was wanted and nothing else, and there is none that is fresh. */
  | 'NOT_CACHED'
  /** A policy on this side forbids it, such as calling a destructive tool without having said so. */
  | 'REFUSED'
  /** A limit of ours was exceeded. */
  | 'LIMIT_EXCEEDED'
  /** A JSON Schema cannot be used: malformed, unsupported dialect, external reference, too large. */
  | 'INVALID_SCHEMA';

/** An error that does not cross the wire. `code` is stable; `message` says what was wrong, with which value, and what to do. */
export class DragomanError extends Error {
  /** Always `DragomanError`. */
  override readonly name = 'DragomanError';
  /** What sort of thing went wrong; stable. */
  readonly code: DragomanErrorCode;
  /** What a program may want to look at: an HTTP status, a stderr tail, the paths of a mismatch. */
  readonly details?: { readonly [name: string]: unknown };

  /** Makes one; `message` says what was wrong, with which value, and what to do. */
  constructor(
    code: DragomanErrorCode,
    message: string,
    options?: { cause?: unknown; details?: { readonly [name: string]: unknown } },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options?.details !== undefined) this.details = options.details;
  }

  /** Normalises whatever was thrown; an error that is already one of the two kinds is returned as it is. */
  static from(reason: unknown, code: DragomanErrorCode = 'CONNECTION_FAILED'): DragomanError | McpError {
    if (reason instanceof DragomanError || reason instanceof McpError) return reason;
    return new DragomanError(code, messageOf(reason), { cause: reason });
  }
}

/** What a thrown value says, for whoever has to show it. Objects without a prototype and their like say nothing. */
function messageOf(reason: unknown): string {
  try {
    return reason instanceof Error ? reason.message : String(reason);
  } catch {
    return 'something without a text was thrown';
  }
}

import type { JsonObject, RequestMeta } from './messages/base.ts';

/** Parameters of a request: members by name, always with `_meta` on the wire of 2026-07-28 (basic, "Requests"). */
export interface RequestParams {
  /** Metadata: who asks, in which revision, and what it can be asked (basic, "`_meta`"). */
  _meta?: RequestMeta;
  [member: string]: unknown;
}

/** What is asked. The JSON-RPC id is the wire's business and never part of it. */
export interface Request<M extends string = string, P = RequestParams> {
  /** Such as `tools/call`. */
  readonly method: M;
  /** What it takes; `_meta` with it, once it is on its way. */
  readonly params: P;
}

/** A message that wants no answer. */
export interface Notification<M extends string = string, P = { [member: string]: unknown }> {
  /** Such as `notifications/progress`. */
  readonly method: M;
  /** What it tells. */
  readonly params?: P;
}

/** An answer. Open: members that are not known are kept as they came (schema, `Result`). */
export interface Result {
  /** `complete`, `input_required`, or an extension's own word. Absence reads as `complete` (basic, "resultType"). */
  resultType?: string;
  /** Metadata (basic, "`_meta`"). */
  _meta?: JsonObject;
  [member: string]: unknown;
}

/** Who asks, as far as the wire could find out. Decided by the wire's authentication, never by what a request says of itself. */
export interface AuthInfo {
  /** Stable identity of the caller: what private state is bound to. */
  readonly principal: string;
  /** The access token as presented, where there was one. */
  readonly token?: string;
  /** The OAuth client (RFC 6749 §2.2). */
  readonly clientId?: string;
  /** What was granted (RFC 6749 §3.3). */
  readonly scopes?: readonly string[];
  /** Unix time in seconds. */
  readonly expiresAt?: number;
  /** What the authenticator wants handlers to see besides. */
  readonly extra?: { readonly [name: string]: unknown };
}

/** The surroundings of one request while it is being answered. */
export interface ExchangeIO {
  /** Aborts when the other side gave up. */
  readonly signal: AbortSignal;
  /** Hands over a notification that belongs to this request: progress, a log line, a change on a listen stream. */
  notify(notification: Notification): void;
  /** Who asks, where the wire knows. */
  readonly auth?: AuthInfo | undefined;
}

/**
 * Answers one request: any number of related notifications, then one result, or a thrown {@link McpError}.
 *
 * Everything that answers MCP requests is one: a server, a client's wire, a recorded session. Everything that stands in
 * between (cache, input rounds, tracing, policy) wraps one in another.
 */
export type Exchange = (request: Request, io: ExchangeIO) => Promise<Result>;

/** Wraps one exchange in another. */
export type Middleware = (exchange: Exchange) => Exchange;

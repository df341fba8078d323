import type { Result } from '../exchange.ts';
import type { ClientCapabilities } from './capabilities.ts';
import type { LoggingLevel } from './logging.ts';

/*
 * Optional members accept `undefined` as well as absence, so that a computed value can be passed on as it is:
 * serialisation drops it.
 */

/** Any JSON value (RFC 8259). */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object whose members are not looked at. */
export interface JsonObject {
  [member: string]: unknown;
}

/** The id of a JSON-RPC request: a string or an integer. `0` and `""` are legal, and `1` and `"1"` differ (basic, "Requests"). */
export type RequestId = string | number;

/** What joins progress notifications to their request. Chosen by the requester, unique among its active requests (basic/patterns/progress). */
export type ProgressToken = string | number;

/** A place in a paged list. Opaque: only the server that made it can read it (server/utilities/pagination). */
export type Cursor = string;

/** Who speaks, or who is spoken to, in a conversation with a model. */
export type Role = 'user' | 'assistant';

/**
 * How a result is to be read: `complete`, `input_required`, or a word of an extension that both sides declared. An
 * unknown word makes the answer invalid (basic, "resultType").
 */
export type ResultType = string;

/** Free metadata. Keys are an optional reverse-DNS prefix with a slash, and a name (basic, "_meta"). */
export type MetaObject = JsonObject;

/** W3C trace context that may ride in any `_meta`, in the formats of the HTTP headers of the same names (basic, "_meta"). */
export interface TraceMeta {
  /** W3C Trace Context, `00-<trace id>-<parent id>-<flags>`. */
  traceparent?: string | undefined;
  /** W3C Trace Context, vendor state. */
  tracestate?: string | undefined;
  /** W3C Baggage. */
  baggage?: string | undefined;
}

/**
 * `_meta` of a request (schema, `RequestMetaObject`). On the wire of 2026-07-28 `protocolVersion` and
 * `clientCapabilities` are mandatory; here they are optional because whoever makes a call leaves them to the client.
 */
export interface RequestMeta extends JsonObject, TraceMeta {
  /** The revision this request is written in. Over HTTP equal to the `MCP-Protocol-Version` header. */
  'io.modelcontextprotocol/protocolVersion'?: string | undefined;
  /** What the client can do for this very request. `{}` means nothing beyond the core; never inferred from earlier requests. */
  'io.modelcontextprotocol/clientCapabilities'?: ClientCapabilities | undefined;
  /** The client software. Self-reported: for display and logs, never for decisions. */
  'io.modelcontextprotocol/clientInfo'?: Implementation | undefined;
  /** Asks for log messages of at least this severity; without it the server sends none. @deprecated with Logging, since 2026-07-28. */
  'io.modelcontextprotocol/logLevel'?: LoggingLevel | undefined;
  /** Asks for progress notifications under this token. The server may send none. */
  progressToken?: ProgressToken | undefined;
}

/** `_meta` of a notification (schema, `NotificationMetaObject`). */
export interface NotificationMeta extends JsonObject, TraceMeta {
  /** The JSON-RPC id of the `subscriptions/listen` request on whose stream this came. Absent elsewhere. */
  'io.modelcontextprotocol/subscriptionId'?: RequestId | undefined;
}

/** `_meta` of a result (schema, `ResultMetaObject`). */
export interface ResultMeta extends JsonObject, TraceMeta {
  /** The server software. Self-reported: for display and logs, never for decisions. */
  'io.modelcontextprotocol/serverInfo'?: Implementation | undefined;
}

/** Parameters of a notification that has none of its own. */
export interface NotificationParams {
  _meta?: NotificationMeta;
}

/** A result with nothing in it but its frame (schema, `EmptyResult`). */
export interface EmptyResult extends Result {
  resultType?: 'complete';
  _meta?: ResultMeta;
}

/** A name for programs and a title for people. */
export interface BaseMetadata {
  /** Identifies the thing to programs; shown only where there is no title. */
  name: string;
  /** For people. Defaults to `name`. */
  title?: string | undefined;
}

/** An image that stands for something in a user interface (basic, "Icons"). */
export interface Icon {
  /** An `http`, `https` or `data:` URI. An untrusted one: fetch without credentials, from the same origin or an allowed one. */
  src: string;
  /** Overrides a missing or vague media type, such as `image/png`. */
  mimeType?: string | undefined;
  /** `WxH` in pixels, or `any` for scalable formats. Defaults to any size. */
  sizes?: string[] | undefined;
  /** The background the icon is made for. Defaults to either. */
  theme?: 'light' | 'dark' | undefined;
}

/** Something that can carry icons. Readers support at least PNG and JPEG, and should support SVG and WebP. */
export interface Icons {
  icons?: Icon[] | undefined;
}

/** A piece of software that speaks MCP. */
export interface Implementation extends BaseMetadata, Icons {
  version: string;
  /** What it does, for people. */
  description?: string | undefined;
  websiteUrl?: string | undefined;
}

/** Hints on how something may be used or shown (server/resources, "Annotations"). */
export interface Annotations {
  /** For whom it is meant. */
  audience?: Role[] | undefined;
  /** From 0, wholly optional, to 1, effectively required. */
  priority?: number | undefined;
  /** ISO 8601 date and time of the last change. */
  lastModified?: string | undefined;
}

/** Parameters of a request for a page of a list (server/utilities/pagination). */
export interface PaginatedRequestParams {
  _meta?: RequestMeta;
  /** Where to go on: a `nextCursor` as it came. Absent for the first page. */
  cursor?: Cursor | undefined;
}

/** A page of a list. */
export interface PaginatedResult extends Result {
  _meta?: ResultMeta;
  /** Where the next page begins. Absent on the last; an empty string is a cursor like any other. */
  nextCursor?: Cursor | undefined;
}

/** Who may share a cached result: anyone, or only the same authorization context (server/utilities/caching). */
export type CacheScope = 'public' | 'private';

/** A result that says how long it may be kept (server/utilities/caching). Mandatory on the wire; the server fills it in. */
export interface CacheableResult extends Result {
  _meta?: ResultMeta;
  /** Milliseconds for which it counts as fresh, from its receipt. Absent reads as 0: stale at once. */
  ttlMs?: number | undefined;
  /** Absent reads as `private`. */
  cacheScope?: CacheScope | undefined;
}

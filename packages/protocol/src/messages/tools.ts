import type { Notification, Request, Result } from '../exchange.ts';
import type {
  BaseMetadata,
  CacheableResult,
  Icons,
  JsonObject,
  MetaObject,
  NotificationParams,
  PaginatedRequestParams,
  PaginatedResult,
  ResultMeta,
} from './base.ts';
import type { ContentBlock } from './content.ts';
import type { InputResponseRequestParams } from './input.ts';

/**
 * JSON Schema of a tool's arguments: always an object at the root, any keyword besides. The dialect is 2020-12 where
 * `$schema` does not say otherwise. A property may carry `x-mcp-header` (basic/transports/streamable-http).
 */
export interface ToolInputSchema {
  type: 'object';
  $schema?: string | undefined;
  [keyword: string]: unknown;
}

/** JSON Schema of a tool's `structuredContent`, of any type (up to 2025-11-25: an object). Dialect as for arguments. */
export interface ToolOutputSchema {
  $schema?: string | undefined;
  [keyword: string]: unknown;
}

/** What a tool says of its own behaviour. Hints: no decision may rest on those of a server that is not trusted. */
export interface ToolAnnotations {
  /** For people; after `Tool.title` and before `name`. */
  title?: string | undefined;
  /** Changes nothing. Default false. */
  readOnlyHint?: boolean | undefined;
  /** May destroy, not only add. Means something only where not read-only. Default true. */
  destructiveHint?: boolean | undefined;
  /** The same call again changes nothing more. Means something only where not read-only. Default false. */
  idempotentHint?: boolean | undefined;
  /** Deals with an open world, such as the web. Default true. */
  openWorldHint?: boolean | undefined;
}

/** A tool that can be called (server/tools). */
export interface Tool extends BaseMetadata, Icons {
  /** What it does, for a model as much as for people. */
  description?: string | undefined;
  inputSchema: ToolInputSchema;
  outputSchema?: ToolOutputSchema | undefined;
  annotations?: ToolAnnotations | undefined;
  _meta?: MetaObject | undefined;
}

/** Asks for a page of the tools. */
export type ListToolsRequest = Request<'tools/list', PaginatedRequestParams>;

/** A page of the tools. */
export interface ListToolsResult extends PaginatedResult, CacheableResult {
  resultType?: 'complete';
  _meta?: ResultMeta;
  tools: Tool[];
}

/** Parameters of `tools/call`. */
export interface CallToolRequestParams extends InputResponseRequestParams {
  name: string;
  /** As the tool's `inputSchema` wants them. Absent reads as `{}`. */
  arguments?: JsonObject | undefined;
}

/** Calls a tool. */
export type CallToolRequest = Request<'tools/call', CallToolRequestParams>;

/** What a tool came to. Failures of the tool are told here with `isError`, so that a model sees them; only failures to call it are errors. */
export interface CallToolResult extends Result {
  resultType?: 'complete';
  _meta?: ResultMeta;
  content: ContentBlock[];
  /** Any JSON value, as the tool's `outputSchema` says (up to 2025-11-25: an object). */
  structuredContent?: unknown;
  /** Default false. */
  isError?: boolean | undefined;
}

/** The list of tools changed. Only on a listen stream that asked for `toolsListChanged`. */
export type ToolListChangedNotification = Notification<'notifications/tools/list_changed', NotificationParams>;

export { DragomanError, ErrorCode, McpError } from '@dragoman/protocol';
export type { Changes } from './changes.ts';
export type { Completer, Completers, CompletionContext, Completions } from './completion.ts';
export type { Askable, ClientView, Context } from './context.ts';
export type { Authenticate, AuthRefusal, RequestHead } from './http/authenticate.ts';
export type { CorsOptions } from './http/cors.ts';
export type { HttpEndpointOptions } from './http/endpoint.ts';
export type { HostGuardOptions } from './http/host-guard.ts';
export { type HttpLimits, httpLimits } from './http/limits.ts';
export { InputDeclinedError, type InputRequired, inputRequired } from './input/input-required.ts';
export type { StateKey, StateOptions } from './input/seal.ts';
export type { ServerOptions } from './options.ts';
export { type RateLimitOptions, rateLimit } from './rate-limit.ts';
export type { Handle } from './registry/handle.ts';
export type { CacheHint } from './registry/listing.ts';
export type {
  PromptArguments,
  PromptArgumentsOf,
  PromptChanges,
  PromptDefinition,
  PromptHandle,
  PromptHandler,
  PromptOutput,
} from './registry/prompt.ts';
export type {
  ResourceChanges,
  ResourceDefinition,
  ResourceHandle,
  ResourceHandler,
  ResourceOutput,
  ResourcePiece,
} from './registry/resource.ts';
export type {
  ResourceTemplateChanges,
  ResourceTemplateDefinition,
  ResourceTemplateHandle,
  ResourceTemplateHandler,
} from './registry/resource-template.ts';
export type {
  ArgumentsOf,
  ToolAnswer,
  ToolChanges,
  ToolDefinition,
  ToolHandle,
  ToolHandler,
  ToolOutput,
} from './registry/tool.ts';
export type { ErrorHook, ErrorInfo, Warning, WarningCode, WarningHook } from './reports.ts';
export type { AnySchema } from './schema/check.ts';
export { Server } from './server.ts';
export { type Bus, type ChangeEvent, LocalBus } from './subscriptions/bus.ts';
export { type SubscriptionLimits, subscriptionLimits } from './subscriptions/limits.ts';
export type { TemplateVariables, VariablesOf } from './uri-template.ts';
export { type FetchHandler, toFetchHandler } from './wires/fetch.ts';
export { type HttpServeOptions, type HttpServing, serveHttp } from './wires/http.ts';
export type { ByteSink } from './wires/line-writer.ts';
export { type NodeHandler, toNodeHandler } from './wires/node.ts';
export type { ReportOptions, Served } from './wires/served.ts';
export { type StdioOptions, serveStdio } from './wires/stdio.ts';
export { guardStdout, type StdioProcess } from './wires/stdout-guard.ts';
export { type StreamOptions, type StreamServing, serveStream } from './wires/stream.ts';
export type { ByteSource } from './wires/stream-connection.ts';
export { type StreamLimits, streamLimits } from './wires/stream-limits.ts';

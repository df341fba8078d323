export type { Changes } from './changes.ts';
export type { Completer, Completers, CompletionContext, Completions } from './completion.ts';
export type { Askable, ClientView, Context } from './context.ts';
export { InputDeclinedError, type InputRequired, inputRequired } from './input/input-required.ts';
export type { StateKey, StateOptions } from './input/seal.ts';
export type { ServerOptions } from './options.ts';
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
export type { TemplateVariables, VariablesOf } from './uri-template.ts';

export type { ParamsCheck } from './check-params.ts';
export * from './errors.ts';
export * from './exchange.ts';
export * from './framing.ts';
export * from './headers/mirror.ts';
export * from './headers/names.ts';
export * from './headers/value.ts';
export * from './headers/x-mcp-header.ts';
export * from './json-rpc.ts';
export { type SchemaDialect, schemaDialects } from './json-schema/dialect.ts';
export { checkSchema } from './json-schema/guard.ts';
export { show } from './json-schema/pointer.ts';
export {
  type CompileOptions,
  defaultSchemaLimits,
  type JsonSchema,
  type SchemaCheck,
  type SchemaEngine,
  type SchemaIssue,
  type SchemaLimits,
} from './json-schema/port.ts';
export { dereference, resolveRef } from './json-schema/resolve-ref.ts';
export * from './json-schema/standard.ts';
export type { JsonSchemaValue } from './json-schema/value.ts';
export * from './media-type.ts';
export * from './messages/index.ts';
export * from './meta.ts';
export * from './methods.ts';
export * from './notifications.ts';
export { Pieces } from './pieces.ts';
export * from './revisions.ts';
export * from './sse.ts';
export * from './trace-context.ts';

import {
  type CallToolResult,
  type ClientCapabilities,
  type ContentBlock,
  compileHeaderIndex,
  DragomanError,
  type HeaderIndex,
  type Icon,
  type InputRequiredResult,
  type MetaObject,
  type Tool,
  type ToolAnnotations,
  type ToolInputSchema,
} from '@dragoman/protocol';
import type { Context } from '../context.ts';
import type { InputRequired } from '../input/input-required.ts';
import {
  type AnySchema,
  type InputOf,
  noArguments,
  type OutputOf,
  type ValueCheck,
  valueCheck,
} from '../schema/check.ts';
import type { EngineSource } from '../schema/engine.ts';
import type { Handle } from './handle.ts';
import type { Listed } from './listing.ts';
import { makeRow } from './row.ts';

/** How a tool is described to clients and models (server/tools, "Tool"). */
export interface ToolDefinition<
  In extends AnySchema | undefined = undefined,
  Out extends AnySchema | undefined = undefined,
> {
  /** For people. */
  readonly title?: string | undefined;
  /** What it does, for a model as much as for people. */
  readonly description?: string | undefined;
  /**
   * Schema of the arguments: an object at its root. A property of type string, integer or boolean may carry
   * `x-mcp-header` (basic/transports/streamable-http, "Custom Headers"). Without it the tool takes no arguments.
   */
  readonly input?: In;
  /** Schema of the structured output, of any type. Handlers must then return `structured`. */
  readonly output?: Out;
  /**
   * What may be expected of it, such as `readOnlyHint` (server/tools, "Tool"). Hints: a client trusts them as far as it
   * trusts the server.
   */
  readonly annotations?: ToolAnnotations | undefined;
  /** Pictures for it, in several sizes or themes. */
  readonly icons?: readonly Icon[] | undefined;
  /** `_meta` of the tool. */
  readonly meta?: MetaObject | undefined;
  /** What a client has to declare for the tool to be called at all; without it the call is answered with -32021. */
  readonly requires?: ClientCapabilities | undefined;
}

/** What a tool's handler may return. */
export type ToolOutput<Structured = unknown> =
  /** One text block. */
  | string
  | ContentBlock
  | readonly ContentBlock[]
  | ToolAnswer<Structured>
  | CallToolResult
  /** Questions by hand; see `inputRequired`. */
  | InputRequired
  | InputRequiredResult
  /** No content. */
  | undefined
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement has this type
  | void;

/** A tool's result in short. Where there is structured output and no content, a text block with its JSON is added. */
export interface ToolAnswer<Structured = unknown> {
  /** Content of one text block; with `content`, the first. */
  readonly text?: string | undefined;
  /** What a model is shown. */
  readonly content?: readonly ContentBlock[] | undefined;
  /** Any JSON value: `structuredContent` by its short name. */
  readonly structured?: Structured;
  /** Any JSON value. */
  readonly structuredContent?: Structured;
  /** The tool failed; a model is shown the content. Default false. */
  readonly isError?: boolean | undefined;
  /** `_meta` of the result. */
  readonly _meta?: MetaObject | undefined;
}

/**
 * Carries out a tool. What it throws becomes a result with `isError` and the error's message, so that a model can react;
 * an `McpError` it throws is sent as that.
 */
export type ToolHandler<In extends AnySchema | undefined = undefined, Out extends AnySchema | undefined = undefined> = (
  args: ArgumentsOf<In>,
  ctx: Context,
) => ToolOutput<StructuredOf<Out>> | Promise<ToolOutput<StructuredOf<Out>>>;

/** What a handler is given for a definition's `input`. */
export type ArgumentsOf<In> = In extends AnySchema ? OutputOf<In> : { readonly [name: string]: never };

type StructuredOf<Out> = Out extends AnySchema ? InputOf<Out> : unknown;

/** What can be changed of a tool. */
export type ToolChanges = Partial<ToolDefinition<AnySchema | undefined, AnySchema | undefined>> & {
  /** Takes the arguments as the schema makes them, which may change along with it. */
  readonly handler?: ((args: never, ctx: Context) => ToolOutput | Promise<ToolOutput>) | undefined;
};

/** A registered tool. */
export type ToolHandle = Handle<ToolChanges>;

/** A tool made ready to be listed and called. Never changed: an update puts another in its place. */
export interface ToolEntry extends Listed {
  readonly row: Tool;
  readonly definition: ToolDefinition<AnySchema | undefined, AnySchema | undefined>;
  readonly input: ValueCheck;
  readonly output: ValueCheck | undefined;
  readonly headers: HeaderIndex;
  readonly requires: ClientCapabilities | undefined;
  readonly handler: (args: unknown, ctx: Context) => unknown;
}

/** @throws DragomanError `INVALID_SCHEMA` or `INVALID_ARGUMENT`, naming the tool and the member. */
export function compileTool(
  key: string,
  place: number,
  definition: ToolEntry['definition'],
  handler: ToolEntry['handler'],
  engines: EngineSource,
): ToolEntry {
  const what = `Tool ${JSON.stringify(key)}`;
  const input =
    definition.input === undefined
      ? noArguments
      : valueCheck(definition.input, `${what}: its input schema`, 'input', engines);
  if (input.schema.type !== 'object') {
    throw new DragomanError(
      'INVALID_SCHEMA',
      `${what}: its input schema must have "type": "object" at its root, got ${JSON.stringify(input.schema.type) ?? 'none'}; wrap the arguments in an object`,
    );
  }
  const annotations = compileHeaderIndex(input.schema);
  if ('problem' in annotations) throw new DragomanError('INVALID_SCHEMA', `${what}: ${annotations.problem}`);
  const output =
    definition.output === undefined
      ? undefined
      : valueCheck(definition.output, `${what}: its output schema`, 'output', engines);
  const row = makeRow<Tool>(what, {
    name: key,
    title: definition.title,
    description: definition.description,
    inputSchema: input.schema as ToolInputSchema,
    outputSchema: output?.schema,
    annotations: definition.annotations,
    icons: definition.icons as Icon[] | undefined,
    _meta: definition.meta,
  });
  return {
    key,
    place,
    enabled: true,
    row,
    definition,
    input,
    output,
    headers: annotations.index,
    requires: definition.requires,
    handler,
  };
}

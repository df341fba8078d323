import type { Request } from '../exchange.ts';
import type { JsonObject, MetaObject, Role } from './base.ts';
import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.ts';
import type { Tool } from './tools.ts';

/** A model wants a tool called. */
export interface ToolUseContent {
  type: 'tool_use';
  /** What the tool's result refers to. */
  id: string;
  name: string;
  /** As the tool's `inputSchema` wants them. */
  input: JsonObject;
  /** Kept when sent on, for the model's caches. */
  _meta?: MetaObject | undefined;
}

/** What a tool that a model wanted came to. A user message holds either these alone or none. */
export interface ToolResultContent {
  type: 'tool_result';
  /** The `id` of the {@link ToolUseContent} it answers. */
  toolUseId: string;
  content: ContentBlock[];
  /** Any JSON value. */
  structuredContent?: unknown;
  /** Default false. */
  isError?: boolean | undefined;
  /** Kept when sent on, for the model's caches. */
  _meta?: MetaObject | undefined;
}

/** A piece of a conversation with a model. */
export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

/** A message to or from a model. */
export interface SamplingMessage {
  role: Role;
  /** One piece, or several (since 2025-11-25). */
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: MetaObject | undefined;
}

/** A hint at a model. */
export interface ModelHint {
  /** Part of a model's name, such as `sonnet`. A client may map it to another provider's model of the same kind. */
  name?: string | undefined;
}

/** What matters in the choice of a model. Advice only. */
export interface ModelPreferences {
  /** In order: the first that matches counts, before the numbers. */
  hints?: ModelHint[] | undefined;
  /** From 0, does not matter, to 1, matters most. */
  costPriority?: number | undefined;
  /** From 0, does not matter, to 1, matters most. */
  speedPriority?: number | undefined;
  /** From 0, does not matter, to 1, matters most. */
  intelligencePriority?: number | undefined;
}

/** Whether the model is to use tools: as it likes (`auto`, the default), at least one (`required`), or none. */
export interface ToolChoice {
  mode?: 'auto' | 'required' | 'none' | undefined;
}

/** Parameters of `sampling/createMessage`. */
export interface CreateMessageRequestParams {
  messages: SamplingMessage[];
  modelPreferences?: ModelPreferences | undefined;
  /** The client may change or drop it. */
  systemPrompt?: string | undefined;
  /**
   * Context of MCP servers to add. Default `none`. The other two want the client's `sampling.context`.
   * @deprecated since 2025-11-25, other than `none`.
   */
  includeContext?: 'none' | 'thisServer' | 'allServers' | undefined;
  temperature?: number | undefined;
  /** Tokens to sample at most. */
  maxTokens: number;
  stopSequences?: string[] | undefined;
  /** For the model's provider. */
  metadata?: JsonObject | undefined;
  /** Tools the model may use. Wants the client's `sampling.tools`. */
  tools?: Tool[] | undefined;
  /** Wants the client's `sampling.tools`. */
  toolChoice?: ToolChoice | undefined;
}

/** Asks the client for a message of a model, with the user's consent (client/sampling). @deprecated since 2026-07-28; still served. */
export type CreateMessageRequest = Request<'sampling/createMessage', CreateMessageRequestParams>;

/** The model's message. */
export interface CreateMessageResult extends SamplingMessage {
  /** The model that made it. */
  model: string;
  /** Why it ended: `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a provider's own word. */
  stopReason?: string | undefined;
}

import type { Notification, Request, Result } from '../exchange.ts';
import type {
  BaseMetadata,
  CacheableResult,
  Icons,
  MetaObject,
  NotificationParams,
  PaginatedRequestParams,
  PaginatedResult,
  ResultMeta,
  Role,
} from './base.ts';
import type { ContentBlock } from './content.ts';
import type { InputResponseRequestParams } from './input.ts';

/** An argument that a prompt takes. */
export interface PromptArgument extends BaseMetadata {
  description?: string | undefined;
  /** Default false. */
  required?: boolean | undefined;
}

/** A prompt, or a template of one, that a server offers to users (server/prompts). */
export interface Prompt extends BaseMetadata, Icons {
  description?: string | undefined;
  arguments?: PromptArgument[] | undefined;
  _meta?: MetaObject | undefined;
}

/** A message of a prompt. */
export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

/** Asks for a page of the prompts. */
export type ListPromptsRequest = Request<'prompts/list', PaginatedRequestParams>;

/** A page of the prompts. */
export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  resultType?: 'complete';
  _meta?: ResultMeta;
  prompts: Prompt[];
}

/** Parameters of `prompts/get`. */
export interface GetPromptRequestParams extends InputResponseRequestParams {
  name: string;
  /** Strings only. */
  arguments?: { [name: string]: string } | undefined;
}

/** Gets a prompt with its arguments filled in. */
export type GetPromptRequest = Request<'prompts/get', GetPromptRequestParams>;

/** A prompt with its arguments filled in. */
export interface GetPromptResult extends Result {
  resultType?: 'complete';
  _meta?: ResultMeta;
  description?: string | undefined;
  messages: PromptMessage[];
}

/** The list of prompts changed. Only on a listen stream that asked for `promptsListChanged`. */
export type PromptListChangedNotification = Notification<'notifications/prompts/list_changed', NotificationParams>;

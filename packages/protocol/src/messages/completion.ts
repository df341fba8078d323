import type { Request, Result } from '../exchange.ts';
import type { BaseMetadata, RequestMeta, ResultMeta } from './base.ts';

/** Names a prompt. */
export interface PromptReference extends BaseMetadata {
  type: 'ref/prompt';
}

/** Names a resource or a template of them. */
export interface ResourceTemplateReference {
  type: 'ref/resource';
  /** A URI, or a URI template as it was listed. */
  uri: string;
}

/** Parameters of `completion/complete`. */
export interface CompleteRequestParams {
  _meta?: RequestMeta;
  /** Whose argument it is. */
  ref: PromptReference | ResourceTemplateReference;
  /** The argument, with what is typed so far. */
  argument: { name: string; value: string };
  /** `arguments`: those already settled (since 2025-06-18). */
  context?: { arguments?: { [name: string]: string } | undefined } | undefined;
}

/** Asks how an argument may go on (server/utilities/completion). */
export type CompleteRequest = Request<'completion/complete', CompleteRequestParams>;

/** How an argument may go on. Not cacheable. */
export interface CompleteResult extends Result {
  resultType?: 'complete';
  _meta?: ResultMeta;
  completion: {
    /** At most 100, the likeliest first. */
    values: string[];
    /** How many there are in all; may be more than are sent. */
    total?: number | undefined;
    /** Whether there are more than are sent, even where `total` is not known. */
    hasMore?: boolean | undefined;
  };
}

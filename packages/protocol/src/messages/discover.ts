import type { Request } from '../exchange.ts';
import type { CacheableResult, RequestMeta } from './base.ts';
import type { ServerCapabilities } from './capabilities.ts';

/** Parameters of `server/discover`, which has none of its own. */
export interface DiscoverRequestParams {
  _meta?: RequestMeta;
}

/** Asks what a server speaks and offers. Every server answers it; no client has to ask (server/discover). */
export type DiscoverRequest = Request<'server/discover', DiscoverRequestParams>;

/** What a server speaks and offers. Who it is stands in `_meta`, as in every result. */
export interface DiscoverResult extends CacheableResult {
  resultType?: 'complete';
  /** Revisions the server accepts in a request's `_meta`. */
  supportedVersions: string[];
  capabilities: ServerCapabilities;
  /** Guidance for a model on how to use this server, beyond what the tools' descriptions say. */
  instructions?: string | undefined;
}

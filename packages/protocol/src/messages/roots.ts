import type { MetaObject } from './base.ts';

/** A place that the server may work on (client/roots). @deprecated since 2026-07-28; still served. */
export interface Root {
  /** Begins with `file://`. */
  uri: string;
  /** For people. */
  name?: string | undefined;
  _meta?: MetaObject | undefined;
}

/** Parameters of `roots/list`, which has none of its own. */
export interface ListRootsRequestParams {
  _meta?: MetaObject | undefined;
}

/** Asks the client for its roots; `params` may be absent. @deprecated since 2026-07-28; still served. */
export interface ListRootsRequest {
  readonly method: 'roots/list';
  readonly params?: ListRootsRequestParams | undefined;
}

/** The client's roots. */
export interface ListRootsResult {
  roots: Root[];
}

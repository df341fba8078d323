import type { JsonObject } from './base.ts';

/**
 * What a client can do for a server. Declared with every request; a server may not go beyond it, and answers -32021 where
 * it would have to (basic, "_meta"). Open: others may be added.
 */
export interface ClientCapabilities {
  /** Non-standard capabilities by name. */
  experimental?: { [name: string]: JsonObject } | undefined;
  /** Extensions by identifier, each with its settings; `{}` means supported without settings. */
  extensions?: { [identifier: string]: JsonObject } | undefined;
  /** The user can be asked. `{}` means form mode only (client/elicitation). */
  elicitation?: { form?: JsonObject | undefined; url?: JsonObject | undefined } | undefined;
  /**
   * A model can be sampled. `tools`: with tools; `context`: with `includeContext` other than `none`.
   * @deprecated since 2026-07-28.
   */
  sampling?: { context?: JsonObject | undefined; tools?: JsonObject | undefined } | undefined;
  /** Roots can be listed. `listChanged` exists up to 2025-11-25. @deprecated since 2026-07-28. */
  roots?: { listChanged?: boolean | undefined } | undefined;
}

/** What a server offers. Advertised by `server/discover`. Open: others may be added. */
export interface ServerCapabilities {
  /** Non-standard capabilities by name. */
  experimental?: { [name: string]: JsonObject } | undefined;
  /** Extensions by identifier, each with its settings; `{}` means supported without settings. */
  extensions?: { [identifier: string]: JsonObject } | undefined;
  /** Argument completion. */
  completions?: JsonObject | undefined;
  /** Log messages. @deprecated since 2026-07-28. */
  logging?: JsonObject | undefined;
  /** Prompts; `listChanged`: changes of the list can be subscribed to. */
  prompts?: { listChanged?: boolean | undefined } | undefined;
  /** Resources; `subscribe`: changes of single ones can be subscribed to, `listChanged`: those of the list. */
  resources?: { subscribe?: boolean | undefined; listChanged?: boolean | undefined } | undefined;
  /** Tools; `listChanged`: changes of the list can be subscribed to. */
  tools?: { listChanged?: boolean | undefined } | undefined;
}

import type { CloseReason, WireTrace, WireWarningKind } from './wires/wire.ts';

/** What a warning of a client is about: what its wire tolerated, and what was tolerated above it. */
export type WarningKind =
  | WireWarningKind
  /** An item of a list cannot be used and was left out; its neighbours stay. */
  | 'invalid-item'
  /** An item of a list breaks the schema and was kept. */
  | 'lenient-item'
  /** A tool was left out because its `x-mcp-header` annotations break a rule (basic/transports/streamable-http, "Schema Extension"). */
  | 'tool-header'
  /** Two items of a list bear one name; the first was kept. */
  | 'duplicate-item'
  /** A walk over a list's pages ended early: a cursor came twice or is no string, or there are too many pages. */
  | 'pages'
  /** A result has no `resultType`; it was read as `complete`. */
  | 'result-type'
  /** A tool's result has no `content`; it was read as empty. */
  | 'missing-content'
  /** Structured output breaks the tool's `outputSchema`. */
  | 'output-mismatch'
  /** A tool's `outputSchema` cannot be used, so its output was not checked. */
  | 'output-schema'
  /** A form or URL that the server asks for cannot be shown; it was answered with `cancel`. */
  | 'elicitation'
  /** A server that was known to be modern answered in a way that made asking again necessary. */
  | 'era'
  /** Something about a subscription: fewer types than asked for, a drop, events that were dropped. */
  | 'subscription'
  /** The store of kept results failed; the call went on without it. */
  | 'cache-store'
  /** The store of verdicts failed; the connection went on without it. */
  | 'verdict-store'
  /** A function that was given to the client threw. */
  | 'callback-failed';

/** Something that was tolerated and that a person may want to know. Never a failure of the call. */
export interface Warning {
  /** What sort of thing it is about; stable. */
  readonly kind: WarningKind;
  /** What happened, with the value. */
  readonly message: string;
  /** What a program may want to look at: names, paths, reasons. */
  readonly details?: { readonly [name: string]: unknown } | undefined;
}

/** One thing that passed over the wire, with secrets masked and the time it passed. */
export type TraceEvent = WireTrace & {
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** What `Client.on` listens to. */
export interface ClientEvents {
  /** Something was tolerated. */
  warning: Warning;
  /** A message or HTTP exchange passed over the wire. Costs nothing while nobody listens. */
  trace: TraceEvent;
  /** A server process wrote to stderr; never a sign of failure by itself. */
  stderr: string;
  /** The connection ended. */
  close: CloseReason;
}

/** A set of functions that are told of something. */
export class Listeners<E> {
  /** Another array with every change: whoever is being told may change who is told next. */
  #listeners: readonly ((event: E) => void)[] = [];
  readonly #failed: (cause: unknown) => void;

  /** @param failed told what a listener threw, which stops neither the others nor whoever tells them */
  constructor(failed: (cause: unknown) => void) {
    this.#failed = failed;
  }

  get size(): number {
    return this.#listeners.length;
  }

  /** Adds a listener; returns what removes it. Adding a function twice tells it twice. */
  add(listener: (event: E) => void): () => void {
    const own = (event: E): void => listener(event);
    this.#listeners = [...this.#listeners, own];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== own);
    };
  }

  tell(event: E): void {
    for (const listener of this.#listeners) {
      attempt(() => listener(event), this.#failed);
    }
  }
}

/** Calls a function of the user's, which may throw, or be async and reject: either is told, and neither is anyone else's trouble. */
export function attempt(call: () => unknown, failed: (cause: unknown) => void): void {
  try {
    const returned = call();
    if (returned instanceof Promise) returned.catch(failed);
  } catch (cause) {
    failed(cause);
  }
}

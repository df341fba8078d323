import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  Implementation,
  Root,
} from '@dragoman/protocol';

/** What a handler may want to know besides the question itself. */
export interface InputContext {
  /** The server's own name for the question. */
  readonly key: string;
  /** The method of the call that the question belongs to, such as `tools/call`. */
  readonly method: string;
  /** What that call names: a tool, a prompt or a URI. */
  readonly name: string | undefined;
  /** The round of questions, from 1. */
  readonly round: number;
  /** Who asks: where the client is connected to. To be shown to the user (client/elicitation, "User Interaction Model"). */
  readonly server: string;
  /** Who the server says it is. A label only: it says so itself. */
  readonly serverInfo: Implementation | undefined;
  /** Aborts when the call was given up, ran out of time, or another question of the round failed. */
  readonly signal: AbortSignal;
}

/**
 * Shows a form to the user and returns what they did. An accepted form without `content` stands for one that was
 * accepted as it was shown: the schema's defaults are sent.
 */
export type ElicitFormHandler = (
  params: ElicitRequestFormParams,
  context: InputContext,
) => ElicitResult | Promise<ElicitResult>;

/**
 * Shows a URL to the user and returns what they did. `accept` is consent to open it in a browser that neither the client
 * nor a model can look into, not the end of what happens there. Never fetch it (client/elicitation, "Safe URL Handling").
 */
export type ElicitUrlHandler = (
  params: ElicitRequestURLParams,
  context: InputContext,
) => ElicitResult | Promise<ElicitResult>;

/** Samples a model, with the user's consent. @deprecated with sampling, since 2026-07-28; still served. */
export type SampleHandler = (
  params: CreateMessageRequestParams,
  context: InputContext,
) => CreateMessageResult | Promise<CreateMessageResult>;

/** The roots, each a `file://` URI, or what finds them. @deprecated with roots, since 2026-07-28; still served. */
export type RootsHandler = readonly Root[] | ((context: InputContext) => readonly Root[] | Promise<readonly Root[]>);

/**
 * Who answers when a server asks for input in the middle of a call (basic/patterns/mrtr). A handler that is given is
 * declared to servers as a capability, one that is not is not. A handler that throws ends the call with what it threw; to
 * say no to the server and go on, return `{ action: 'decline' }`. One that has no answer now throws a DragomanError
 * `INPUT_REQUIRED`; the error that the call ends with then holds the continuation in its details.
 *
 * The questions of one round are asked at once, except that the two kinds of elicitation take turns in the order of the
 * server's keys: there is one user. Rounds of different calls do not wait for each other.
 */
export interface InputHandlers {
  /** Declares `elicitation.form`. */
  elicitForm?: ElicitFormHandler | undefined;
  /** Declares `elicitation.url`. */
  elicitUrl?: ElicitUrlHandler | undefined;
  /** Declares `sampling`. For sampling with tools add `capabilities: { sampling: { tools: {} } }`, for `includeContext` likewise `context`. */
  sample?: SampleHandler | undefined;
  /** Declares `roots`. */
  roots?: RootsHandler | undefined;
}

/** The capabilities that a client declares: what its handlers can answer, and what it names besides. */
export function declaredCapabilities(
  handlers: InputHandlers | undefined,
  more: ClientCapabilities | undefined,
): ClientCapabilities {
  const declared: ClientCapabilities = { ...more };
  if (handlers?.elicitForm !== undefined || handlers?.elicitUrl !== undefined) {
    declared.elicitation = {
      ...(handlers.elicitForm === undefined ? undefined : { form: {} }),
      ...(handlers.elicitUrl === undefined ? undefined : { url: {} }),
      ...more?.elicitation,
    };
  }
  if (handlers?.sample !== undefined) declared.sampling = { ...more?.sampling };
  if (handlers?.roots !== undefined) declared.roots = { ...more?.roots };
  return declared;
}

import { isThenable } from './thenable.ts';
import type { WireWarningCode } from './wires/warnings.ts';

/** Stable words for what the server tolerated or noticed. */
export type WarningCode =
  /** A tool's name is outside the recommended form: 1 to 128 of `A-Z a-z 0-9 _ - .` (server/tools, "Tool Names"). */
  | 'TOOL_NAME'
  /** A pattern of a schema takes exponential time on texts that a client can send. */
  | 'SLOW_PATTERN'
  /** A handler reported progress that did not grow; it was not sent (basic/patterns/progress). */
  | 'PROGRESS_ORDER'
  /** `requestState` is sealed with a key that only this process has. */
  | 'EPHEMERAL_STATE_KEY'
  /** A handler asked something else under a key that was answered already; it is asked again. */
  | 'QUESTION_CHANGED'
  /** A form asks for what looks like a secret; those belong on a page (client/elicitation, "User Interaction Model"). */
  | 'SECRET_FIELD'
  /** A tool wants what looks like a secret repeated in a header, which everybody on the way reads (server/tools, "x-mcp-header"). */
  | 'SECRET_HEADER'
  /** A user is sent to a page over plain http, and not on this machine (client/elicitation, "Safe URL Handling"). */
  | 'INSECURE_URL'
  /** A handler threw an error code that only older revisions know; its modern equivalent was sent. */
  | 'LEGACY_ERROR_CODE'
  /** A handler threw an error code that the protocol keeps for itself (basic, "Error Codes"); -32603 was sent. */
  | 'RESERVED_ERROR_CODE'
  | WireWarningCode;

/** Something that was tolerated, for the people who run the server. */
export interface Warning {
  /** What it is about; stable. */
  readonly code: WarningCode;
  /** What it is and what to do, for people. */
  readonly message: string;
}

/** Where an error came up. */
export interface ErrorInfo {
  /** The method that was being answered; undefined for what belongs to no request. */
  readonly method?: string | undefined;
  /** The tool, prompt, resource or template it concerns. */
  readonly subject?: string | undefined;
}

/** Hears of every error that a handler threw, and of faults of this side that the client is told nothing about. */
export type ErrorHook = (error: unknown, info: ErrorInfo) => void;

/** Hears of what was tolerated. */
export type WarningHook = (warning: Warning) => void;

/** The two hooks. A hook that throws disturbs nothing: what it threw goes to the console. */
export class Reports {
  readonly #onError: ErrorHook;
  readonly #onWarning: WarningHook;

  constructor(onError: ErrorHook = printError, onWarning: WarningHook = printWarning) {
    this.#onError = onError;
    this.#onWarning = onWarning;
  }

  error(error: unknown, method?: string, subject?: string): void {
    tell('onError', () => this.#onError(error, { method, subject }));
  }

  warning(code: WarningCode, message: string): void {
    tell('onWarning', () => this.#onWarning({ code, message }));
  }
}

/** A hook may be asynchronous, whatever its type says: then it may also be rejected, with nobody to handle that. */
function tell(name: string, hook: () => unknown): void {
  const failed = (failure: unknown): void => console.error(`${name} itself failed:`, failure);
  try {
    const returned = hook();
    if (isThenable(returned)) returned.then(undefined, failed);
  } catch (failure) {
    failed(failure);
  }
}

function printError(error: unknown, { method, subject }: ErrorInfo): void {
  const where = [method, subject === undefined ? undefined : JSON.stringify(subject)].filter(Boolean).join(' ');
  console.error(where === '' ? 'MCP server:' : `MCP server, ${where}:`, error);
}

function printWarning({ code, message }: Warning): void {
  console.error(`MCP server, ${code}: ${message}`);
}

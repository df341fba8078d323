import type { DragomanError, Exchange, ExchangeIO, McpError } from '@dragoman/protocol';

/** Why a wire is closed. */
export interface CloseReason {
  /** `local`: `close()` was called. `peer`: the other side went away. */
  readonly by: 'local' | 'peer';
  /** What happened, where it was not a plain end: `CONNECTION_CLOSED` with exit code, signal and stderr tail for a process. */
  readonly error?: DragomanError | undefined;
}

/** What a warning of a wire is about. */
export type WireWarningKind =
  /** The server sent a request, which no server may in 2026-07-28. It is not answered (basic/transports, "Messages"). */
  | 'server-request'
  /** An answer whose id this wire never used, or an error without an id that fits no call. */
  | 'unmatched-answer'
  /** A second answer to a call that is settled. */
  | 'duplicate-answer'
  /** A notification that belongs to no pending request. */
  | 'unmatched-notification'
  /** A message after the answer on the same HTTP stream. */
  | 'late-message'
  /** Bytes where a message should be: a log line on stdout, an SSE event that is not JSON, bytes that are not UTF-8. */
  | 'junk'
  /** JSON that is not a JSON-RPC message. */
  | 'malformed-message'
  /** A line, event or body longer than `maxMessageBytes`; it was skipped. */
  | 'too-long'
  /** An HTTP answer whose `Content-Type` is missing; it was read as JSON. */
  | 'content-type'
  /** The server sent `notifications/cancelled` for something that is not a subscription. */
  | 'server-cancelled'
  /** A header that the user set belongs to the protocol; the user's value was not sent. */
  | 'header-ignored'
  /** A proxy variable cannot be read; the connection is made without it. */
  | 'proxy-ignored'
  /** Certificates are not checked, because the user asked for that. */
  | 'insecure'
  /** The server process ended by itself and is started again. */
  | 'restart'
  /** A receiver of notifications threw. */
  | 'receiver-failed';

/** Something that the wire tolerated and that a person may want to know. Never a reason to disconnect. */
export interface WireWarning {
  /** What sort of thing it is about; stable. */
  readonly kind: WireWarningKind;
  /** What happened, with the value; control characters escaped. */
  readonly message: string;
  /** How often this kind was met on this wire so far. A kind is reported the first, tenth, hundredth … time. */
  readonly count: number;
}

/** One thing that passed over a wire, for tracing. Header values that are secrets are masked; message texts are as they are. */
export type WireTrace =
  | { readonly type: 'message'; readonly direction: 'sent' | 'received'; readonly text: string }
  | {
      readonly type: 'http-request';
      /** Numbers the HTTP exchanges of this wire. */
      readonly exchange: number;
      readonly method: 'POST';
      readonly url: string;
      readonly headers: readonly (readonly [name: string, value: string])[];
    }
  | {
      readonly type: 'http-response';
      readonly exchange: number;
      readonly status: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
    }
  | { readonly type: 'http-end'; readonly exchange: number; readonly error?: Error | undefined };

/** Listens to a wire. What is left out costs nothing. */
export interface WireObserver {
  /** Something was tolerated that should not have been sent, or an option had no effect. */
  warning?(warning: WireWarning): void;
  /** Every message and every HTTP head, with secrets masked. */
  trace?(event: WireTrace): void;
  /** Text that a server process wrote to stderr, as it comes (basic/transports/stdio: never a sign of failure by itself). */
  stderr?(text: string): void;
}

/** A pending call of a wire, as whoever made it sees it. */
export interface Cancellable {
  /** Rejects the call with the error and cancels it at the server. Nothing where it is settled. */
  cancel(error: DragomanError | McpError): void;
}

/**
 * What a wire is called with by someone who bounds calls by himself. Listening to a fresh AbortSignal costs more than all
 * the rest of a call's bookkeeping; whoever has `onCancel` is handed the call instead, and `signal` is never looked at.
 */
export interface WireIO extends ExchangeIO {
  /** Called once, before anything is sent. */
  onCancel?(call: Cancellable): void;
}

/**
 * Carries an exchange to another place: to an HTTP endpoint, a child process, a byte stream, or another object of this
 * process.
 *
 * The exchange rejects with an McpError that came from the peer, or with a DragomanError for everything local:
 * `ABORTED` (or the signal's own reason, where that is a DragomanError) when `io.signal` aborted, which also cancels the
 * call at the server; `CONNECTION_FAILED`, `CONNECTION_CLOSED`, `UNAUTHORIZED`, `HTTP_ERROR`, `PROTOCOL_VIOLATION`,
 * `LIMIT_EXCEEDED`, `INVALID_ARGUMENT`. A listen request that ends by either sign of a graceful end resolves.
 */
export interface Wire {
  /** What carries the messages. */
  readonly kind: 'http' | 'stdio' | 'stream' | 'memory';
  /** What it leads to, for people. Secrets are masked. */
  readonly target: string;
  /**
   * Key under which what is known about the server is kept: origin, path and query for HTTP, the command line for stdio.
   * Holds no secret as it is, but differs where secrets differ.
   */
  readonly identity: string;
  /** Carries a request to the server, and its answer back. */
  readonly exchange: Exchange;
  /** Resolves when the wire is of no use any more. Never rejects. An HTTP wire is closed only by this side. */
  readonly closed: Promise<CloseReason>;
  /** Rejects what is pending with `CONNECTION_CLOSED` and frees everything. Idempotent; never rejects; always returns. */
  close(): Promise<void>;
  /** Adds a listener and returns what removes it. */
  observe?(observer: WireObserver): () => void;
}

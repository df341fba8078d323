import type { ExchangeIO, HeaderLookup, McpError, Notification, Request, Result } from '@dragoman/protocol';
import { type ErrorHook, Reports, type WarningHook } from '../reports.ts';

/** What a wire needs of a server. A `Server` is one. */
export interface Served {
  /**
   * Checks a request before it is dispatched: version, `_meta`, headers, method, capabilities, parameters.
   *
   * @param headers only from wires that mirror the body in headers
   * @returns the error that answers the request, or undefined
   */
  admit(request: Request, headers?: HeaderLookup): McpError | undefined;
  /** Answers a request that was admitted. */
  dispatch(request: Request, io: ExchangeIO): Promise<Result>;
  /** Takes a notification other than a cancellation. Unknown ones are ignored. */
  receive?(notification: Notification): void;
  /** Where the wires report, unless they are told otherwise. */
  readonly reports?: Reports | undefined;
}

/** What a wire tells the people who run it. */
export interface ReportOptions {
  /** Hears of errors that the peer is told nothing about. Default: the server's own hook, else stderr. */
  readonly onError?: ErrorHook | undefined;
  /** Hears of what was tolerated, dropped, or is set up unsafely. Default: the server's own hook, else stderr. */
  readonly onWarning?: WarningHook | undefined;
}

/** The hooks of a wire. */
export function reportsOf(served: Served, options: ReportOptions): Reports {
  const { onError, onWarning } = options;
  if (onError === undefined && onWarning === undefined) return served.reports ?? new Reports();
  return new Reports(
    onError ?? ((error, info) => (served.reports ?? new Reports()).error(error, info.method, info.subject)),
    onWarning ?? ((warning) => (served.reports ?? new Reports()).warning(warning.code, warning.message)),
  );
}

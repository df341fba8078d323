import {
  type DiscoverResult,
  DragomanError,
  ErrorCode,
  type Exchange,
  isLegacy,
  McpError,
  MODERN,
  type Result,
  show,
} from '@dragoman/protocol';
import type { ClientIO } from './io.ts';
import { chooseVersion, supportedVersions } from './layers/stamp.ts';
import type { Wire } from './wires/wire.ts';

/** What a server said of its era. */
export type Era =
  | { readonly era: 'modern'; readonly version: string; readonly discovered?: DiscoverResult | undefined }
  | { readonly era: 'legacy'; readonly seen: string; readonly cause: unknown };

/**
 * Makes an exchange of 2026-07-28 out of a wire to an older server: opens with `initialize`, or over HTTP with whatever
 * older transport the server has. Called once, after the probe; what was seen may help it choose.
 */
export type LegacyAdapter = (
  wire: Wire,
  evidence: { readonly seen: string; readonly cause: unknown },
) => Exchange | Promise<Exchange>;

/**
 * Asks a server what it is, with the one request that an older server cannot mistake for work (basic/transports,
 * "Backward Compatibility"). Costs one request; two where the server wants another version first.
 *
 * Only two things are evidence: an answer that belongs to 2026-07-28, or an answer that does not. A network that fails, a
 * server that breaks, or one that wants a login first has said nothing, and its error is thrown as it is.
 */
export async function probe(exchange: Exchange, io: ClientIO, wire: Wire): Promise<Era> {
  let result: Result;
  try {
    result = await exchange({ method: 'server/discover', params: {} }, io);
  } catch (reason) {
    return judgeError(reason, wire);
  }
  return judgeResult(result, wire);
}

function judgeResult(result: Result, wire: Wire): Era {
  const supported = Array.isArray(result.supportedVersions)
    ? result.supportedVersions.filter((version) => typeof version === 'string')
    : [];
  const version = chooseVersion(supported);
  if (version !== undefined) return { era: 'modern', version, discovered: result as DiscoverResult };
  // An exchange of this process is of this revision, whatever it makes of the question.
  if (wire.kind === 'memory') return { era: 'modern', version: MODERN };
  if (supported.length === 0) {
    return { era: 'legacy', seen: 'it answered server/discover with a result that lists no versions', cause: result };
  }
  return judgeVersions(supported, undefined);
}

function judgeError(reason: unknown, wire: Wire): Era {
  if (reason instanceof DragomanError) {
    // The stamp layer found no version in common.
    if (reason.code === 'VERSION_MISMATCH') return judgeVersions(supportedVersions(reason.cause) ?? [], reason);
    if (!isLegacyError(reason, wire)) throw reason;
    return { era: 'legacy', seen: `it answered server/discover with ${describe(reason)}`, cause: reason };
  }
  if (!(reason instanceof McpError)) throw reason;
  // A server that repeats its refusal of the version it listed has no other to offer.
  if (supportedVersions(reason) !== undefined || reason.code === ErrorCode.HeaderMismatch) throw reason;
  if (isModernError(reason, wire) || wire.kind === 'memory') return { era: 'modern', version: MODERN };
  if (wire.kind === 'http' && !isSuccess(reason.httpStatus) && !isRefusal(reason.httpStatus)) throw reason;
  return { era: 'legacy', seen: `it answered server/discover with ${describe(reason)}`, cause: reason };
}

/** No version in common: a matter for the handshake where an older one is listed, and else for whoever runs the two. */
function judgeVersions(supported: readonly string[], reason: DragomanError | undefined): Era {
  if (supported.some(isLegacy)) {
    return { era: 'legacy', seen: `it speaks only ${supported.join(', ')}`, cause: reason };
  }
  throw (
    reason ??
    new DragomanError(
      'VERSION_MISMATCH',
      `The server speaks only ${supported.join(', ')}; this client speaks ${MODERN}. Update whichever of the two is older`,
      { details: { supported } },
    )
  );
}

/**
 * Whether an error is one that only a server of 2026-07-28 answers with: its own three codes, -32022 only with a list of
 * versions that can be used, or over HTTP the status 404 together with -32601 (streamable-http, "Backward Compatibility").
 */
function isModernError(error: McpError, wire: Pick<Wire, 'kind'>): boolean {
  switch (error.code) {
    case ErrorCode.HeaderMismatch:
    case ErrorCode.MissingRequiredClientCapability:
      return true;
    case ErrorCode.UnsupportedProtocolVersion:
      return supportedVersions(error) !== undefined;
    case ErrorCode.MethodNotFound:
      return wire.kind === 'http' && error.httpStatus === 404;
    default:
      return false;
  }
}

/**
 * Whether a local error is evidence of an older server: over HTTP a 4xx that is not about credentials or load, over a
 * process or stream silence. A process that dies is just as likely to be the wrong command.
 */
function isLegacyError(error: DragomanError, wire: Wire): boolean {
  if (wire.kind === 'http') return error.code === 'HTTP_ERROR' && isRefusal(error.details?.status);
  return error.code === 'TIMEOUT' && wire.kind !== 'memory';
}

/** A status that says something about what was asked; not about credentials (401, 403, 407), time or load (408, 425, 429). */
function isRefusal(status: unknown): boolean {
  if (typeof status !== 'number' || status < 400 || status >= 500) return false;
  return status !== 401 && status !== 403 && status !== 407 && status !== 408 && status !== 425 && status !== 429;
}

const isSuccess = (status: number | undefined): boolean => status === undefined || (status >= 200 && status < 300);

function describe(error: McpError | DragomanError): string {
  if (error instanceof DragomanError) {
    const status = error.details?.status;
    return error.code === 'TIMEOUT' ? 'silence' : `HTTP ${String(status)} and no JSON-RPC error of this revision`;
  }
  const status = error.httpStatus === undefined ? '' : ` (HTTP ${error.httpStatus})`;
  return `error ${error.code} ${show(error.message)}${status}`;
}

/** What connecting to an older server fails with while nothing here speaks to one. */
export function legacyServerError(
  wire: Wire,
  evidence: { readonly seen: string; readonly cause: unknown },
): DragomanError {
  // A page, a proxy or another service at a wrong address looks just like a very old server.
  const stranger = evidence.cause instanceof DragomanError && evidence.cause.code === 'HTTP_ERROR';
  const remedy = stranger
    ? 'Check that this is the address of an MCP endpoint; if it is, update the server'
    : 'Update the server';
  return new DragomanError(
    'LEGACY_SERVER',
    `${wire.target} does not speak MCP ${MODERN}: ${evidence.seen}. ${remedy}, or connect with a client of its own revision; if it does speak ${MODERN}, connect with era: 'modern'`,
    { cause: evidence.cause, details: { seen: evidence.seen } },
  );
}

/**
 * Whether the outcome of a call throws doubt on what was known of the server: what only an older one answers, or what
 * both might. An answer to doubt is to ask again, never to fall back (basic/versioning, "Backward Compatibility").
 */
export function raisesDoubt(reason: unknown, wire: Pick<Wire, 'kind'>): boolean {
  if (wire.kind === 'memory') return false;
  if (reason instanceof DragomanError) {
    return wire.kind === 'http' && reason.code === 'HTTP_ERROR' && isRefusal(reason.details?.status);
  }
  if (!(reason instanceof McpError) || isModernError(reason, wire)) return false;
  if (wire.kind !== 'http') return true;
  if (!isSuccess(reason.httpStatus)) return isRefusal(reason.httpStatus);
  return reason.code === ErrorCode.InvalidRequest || reason.code === ErrorCode.MethodNotFound;
}

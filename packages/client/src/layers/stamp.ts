import {
  type ClientCapabilities,
  DragomanError,
  ErrorCode,
  type Exchange,
  type Implementation,
  type LoggingLevel,
  McpError,
  MetaKey,
  modernRevisions,
  type Request,
  type RequestMeta,
  type RequestParams,
} from '@dragoman/protocol';
import type { ClientIO } from '../io.ts';

/** What stands in every request's `_meta`. `version` changes when a server wants another one. */
export interface StampState {
  version: string;
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** Default of `CallOptions.timeout`: where it is finite, progress is asked for, since progress starts the wait anew. */
  readonly timeout: number;
  readonly logLevel: LoggingLevel | undefined;
  /** Told when the server made the client choose another version. */
  readonly onVersion: (version: string) => void;
}

/**
 * Puts into every request what makes it answerable by itself: version, client, capabilities, log level and a progress
 * token that no other request of this client bears (basic, "`_meta`"). Where the server refuses the version, chooses one
 * that both speak and sends once more (basic/versioning, "Protocol Version Negotiation").
 */
export function stamp(next: Exchange, state: StampState): Exchange {
  let token = 0;

  const stamped = (request: Request, io: ClientIO): Request => {
    const options = io.options;
    const level = options?.logLevel ?? (options?.onLog === undefined ? state.logLevel : (state.logLevel ?? 'info'));
    const meta: RequestMeta = {
      'io.modelcontextprotocol/protocolVersion': state.version,
      'io.modelcontextprotocol/clientInfo': state.clientInfo,
      'io.modelcontextprotocol/clientCapabilities': state.capabilities,
    };
    if (level !== undefined) meta[MetaKey.logLevel] = level;
    if (wantsProgress(request, io, state.timeout)) meta.progressToken = ++token;
    const own = request.params._meta;
    if (own !== undefined) Object.assign(meta, own);
    const params: RequestParams = { ...request.params, _meta: meta };
    return { method: request.method, params };
  };

  return async (request, io: ClientIO) => {
    const first = stamped(request, io);
    try {
      return await next(first, io);
    } catch (reason) {
      const supported = supportedVersions(reason);
      // A version that the caller put in by hand is the caller's to change.
      if (supported === undefined || request.params._meta?.[MetaKey.protocolVersion] !== undefined) throw reason;
      const version = chooseVersion(supported);
      if (version === undefined) throw versionMismatch(state.version, supported, reason as McpError);
      if (version !== state.version) {
        state.version = version;
        state.onVersion(version);
      }
      return next(stamped(request, io), io);
    }
  };
}

/** A listen request has no progress (basic/patterns/subscriptions); any other is asked for it where progress moves its deadline or somebody wants to know. */
function wantsProgress(request: Request, io: ClientIO, timeout: number): boolean {
  if (request.method === 'subscriptions/listen') return false;
  const options = io.options;
  return options?.onProgress !== undefined || (options?.timeout ?? timeout) !== Number.POSITIVE_INFINITY;
}

/** The versions that a -32022 lists; undefined for any other error and where the list cannot be used. */
export function supportedVersions(reason: unknown): readonly string[] | undefined {
  if (!(reason instanceof McpError) || reason.code !== ErrorCode.UnsupportedProtocolVersion) return undefined;
  const data = reason.data as { supported?: unknown } | null | undefined;
  const supported = typeof data === 'object' && data !== null ? data.supported : undefined;
  if (!Array.isArray(supported)) return undefined;
  const versions = supported.filter((version) => typeof version === 'string');
  return versions.length === 0 ? undefined : versions;
}

/** The newest version that both sides speak with per-request metadata; older ones want a handshake and are passed over. */
export function chooseVersion(supported: readonly string[]): string | undefined {
  return modernRevisions.find((version) => supported.includes(version));
}

function versionMismatch(asked: string, supported: readonly string[], cause: McpError): DragomanError {
  return new DragomanError(
    'VERSION_MISMATCH',
    `The server refuses protocol version ${asked} and offers ${supported.join(', ')}; this client speaks ${modernRevisions.join(', ')} with per-request metadata`,
    { cause, details: { supported, spoken: modernRevisions } },
  );
}

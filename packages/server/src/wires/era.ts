import {
  headerMismatch,
  isLegacy,
  type JsonRpcRequest,
  type McpError,
  MetaKey,
  modernRevisions,
  unsupportedVersion,
} from '@dragoman/protocol';

/** Whether a request says in its `_meta` which revision it is written in: the mark of the modern era. */
export function isClaimed(request: JsonRpcRequest): boolean {
  const meta = request.params?._meta;
  return typeof meta === 'object' && meta !== null && Object.hasOwn(meta, MetaKey.protocolVersion);
}

/** Whether a `MCP-Protocol-Version` header speaks for the modern era: it names no revision that opens with `initialize`. */
export const isModernHeader = (version: string): boolean => !isLegacy(version);

/**
 * What answers a request of an older revision where none is served. It names the versions that are, because the peer has
 * no other way to learn them (basic/versioning, "Backward Compatibility").
 *
 * @param version the `MCP-Protocol-Version` header, where there is one
 */
export function legacyRefusal(request: JsonRpcRequest, version: string | undefined): McpError {
  const offered = request.method === 'initialize' ? request.params?.protocolVersion : undefined;
  const requested = typeof offered === 'string' ? offered : version;
  if (requested !== undefined) return unsupportedVersion(requested, modernRevisions);
  if (request.method === 'initialize') return unsupportedVersion('none', modernRevisions);
  return headerMismatch(
    `MCP-Protocol-Version is missing, and so is ${MetaKey.protocolVersion} in _meta; supported: ${modernRevisions.join(', ')}`,
  );
}

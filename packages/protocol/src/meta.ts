/** The `_meta` keys that the protocol defines (basic, "`_meta`"). */
export const MetaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  progressToken: 'progressToken',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  baggage: 'baggage',
} as const;

const label = /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const name = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** Whether a key follows the grammar of `_meta` keys: an optional dotted prefix ending in `/`, then a name (basic, "`_meta`"). */
export function isMetaKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return name.test(key);
  const rest = key.slice(slash + 1);
  return (
    key
      .slice(0, slash)
      .split('.')
      .every((part) => label.test(part)) &&
    (rest === '' || name.test(rest))
  );
}

/**
 * Whether a key belongs to the protocol: its prefix's second label is `modelcontextprotocol` or `mcp`, or it is one of
 * the bare keys that the protocol defines (basic, "`_meta`").
 */
export function isReservedMetaKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return key === 'progressToken' || key === 'traceparent' || key === 'tracestate' || key === 'baggage';
  const second = key.slice(0, slash).split('.')[1];
  return second === 'modelcontextprotocol' || second === 'mcp';
}

/** Whether an identifier may name an extension: the grammar of `_meta` keys with a mandatory prefix and a name (basic/versioning, "Extension Negotiation"). */
export function isExtensionId(id: string): boolean {
  const slash = id.indexOf('/');
  return slash > 0 && slash < id.length - 1 && isMetaKey(id);
}

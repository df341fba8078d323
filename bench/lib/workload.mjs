// The one definition of the work. Every adapter maps these onto its own API.
export const PROTOCOL = '2026-07-28';
export const LEGACY_PROTOCOL = '2025-11-25';

export const ECHO_DESC = 'Return the given text unchanged';
export const SUM_DESC = 'Add two numbers and return a structured result';

/** Text of exactly `bytes` ASCII characters with some characters JSON must escape (1 in 64 is a quote). */
const cache = new Map();
export function bigText(bytes) {
  let t = cache.get(bytes);
  if (!t) {
    const unit = 'The quick brown fox jumps over the lazy dog and says "hi" again. ';
    t = unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
    cache.set(bytes, t);
  }
  return t;
}

/** JSON Schema shapes used for the 1,000-tool catalogue (three properties each). */
export function catalogueSchema(i) {
  return {
    type: 'object',
    properties: {
      query: { type: 'string', description: `Search text for catalogue ${i}` },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Page size' },
      verbose: { type: 'boolean', description: 'Include every field' },
    },
    required: ['query'],
    additionalProperties: false,
  };
}
export const catalogueDesc = (i) =>
  `Catalogue tool number ${i}: searches one imaginary data source and returns the matching rows as text.`;

let nextId = 1;
export function modernMeta(extra) {
  return {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...extra,
  };
}

/** Build a JSON-RPC request object in the wire dialect the adapter declares. */
export function rpc(wire, method, params = {}, metaExtra) {
  const p = { ...params };
  if (wire === 'modern') p._meta = modernMeta(metaExtra);
  else if (metaExtra) p._meta = metaExtra;
  return { jsonrpc: '2.0', id: nextId++, method, params: p };
}

export const calls = {
  echo: (wire) => rpc(wire, 'tools/call', { name: 'echo', arguments: { text: 'hello world' } }),
  sum: (wire) => rpc(wire, 'tools/call', { name: 'sum', arguments: { a: 2, b: 40 } }),
  list: (wire) => rpc(wire, 'tools/list', {}),
  discover: (wire) => rpc(wire, 'server/discover', {}),
  big: (wire, bytes) => rpc(wire, 'tools/call', { name: 'big', arguments: { bytes } }),
  progress: (wire, count) =>
    rpc(wire, 'tools/call', { name: 'progress', arguments: { count } }, { progressToken: 'p1' }),
  listen: () => rpc('modern', 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
};

export function httpHeaders(wire, req, session) {
  const h = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  if (wire === 'modern') {
    h['mcp-protocol-version'] = PROTOCOL;
    h['mcp-method'] = req.method;
    const name = req.params?.name ?? req.params?.uri;
    if (name !== undefined) h['mcp-name'] = name;
  } else {
    h['mcp-protocol-version'] = wire === 'legacy-2025-06-18' ? '2025-06-18' : LEGACY_PROTOCOL;
    if (session) h['mcp-session-id'] = session;
  }
  return h;
}

export function legacyInitialize(version = LEGACY_PROTOCOL) {
  return rpc('legacy', 'initialize', {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  });
}
export const legacyInitialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

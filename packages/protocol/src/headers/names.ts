/** Headers that mirror a part of a request, as they are sent (basic/transports/streamable-http, "Standard Request Headers"). */
export const MirrorHeader = {
  protocolVersion: 'MCP-Protocol-Version',
  method: 'Mcp-Method',
  name: 'Mcp-Name',
  /** What stands before the name that a tool's schema gives. */
  param: 'Mcp-Param-',
} as const;

type Keys = { readonly [N in keyof typeof MirrorHeader]: Lowercase<(typeof MirrorHeader)[N]> };

/** The same in lower case, as they are looked up. */
export const MirrorHeaderKey: Keys = {
  protocolVersion: 'mcp-protocol-version',
  method: 'mcp-method',
  name: 'mcp-name',
  param: 'mcp-param-',
};

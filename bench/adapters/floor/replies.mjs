// The constant replies of the floor server: what a correct answer weighs, with no protocol engine behind it.
import { bigText, catalogueDesc, catalogueSchema, ECHO_DESC, SUM_DESC } from '../../lib/workload.mjs';

const SERVER = { name: 'bench', version: '1.0.0' };
const meta = { _meta: { 'io.modelcontextprotocol/serverInfo': SERVER } };
const caps = { tools: { listChanged: true } };

export const DISCOVER = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: caps,
  ttlMs: 0,
  cacheScope: 'private',
  ...meta,
};
export const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: caps, serverInfo: SERVER };
export const ECHO = { resultType: 'complete', content: [{ type: 'text', text: 'hello world' }], ...meta };
export const SUM = {
  resultType: 'complete',
  content: [{ type: 'text', text: '{"sum":42}' }],
  structuredContent: { sum: 42 },
  ...meta,
};
const tool = (name, description, inputSchema, outputSchema) => ({
  name,
  description,
  inputSchema,
  ...(outputSchema && { outputSchema }),
});
const num = { type: 'number' };
export const listOf = (n) => ({
  resultType: 'complete',
  tools: [
    tool('echo', ECHO_DESC, { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }),
    tool(
      'sum',
      SUM_DESC,
      { type: 'object', properties: { a: num, b: num }, required: ['a', 'b'] },
      { type: 'object', properties: { sum: num }, required: ['sum'] },
    ),
    ...Array.from({ length: n }, (_, i) => tool(`tool_${i}`, catalogueDesc(i), catalogueSchema(i))),
  ],
  ttlMs: 0,
  cacheScope: 'private',
  ...meta,
});
export const resultFor = (list) => (msg) => {
  switch (msg.method) {
    case 'tools/call':
      switch (msg.params.name) {
        case 'echo':
          return ECHO;
        case 'sum':
          return SUM;
        case 'big':
          return {
            resultType: 'complete',
            content: [{ type: 'text', text: bigText(msg.params.arguments.bytes) }],
            ...meta,
          };
        default:
          return ECHO;
      }
    case 'tools/list':
      return list;
    case 'server/discover':
      return DISCOVER;
    case 'initialize':
      return INITIALIZE;
    default:
      return {};
  }
};

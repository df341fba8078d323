import {
  type ClientCapabilities,
  checkParamHeaders,
  checkStandardHeaders,
  checkVersionHeader,
  ErrorCode,
  type HeaderIndex,
  type HeaderLookup,
  headerMismatch,
  loggingLevels,
  McpError,
  MetaKey,
  methodNotFound,
  methodRow,
  missingCapability,
  type Request,
  type ServerCapabilities,
  unsupportedVersion,
} from '@dragoman/protocol';
import { advertises, missingCapabilities } from './capabilities.ts';

/** What the validation has to know of a tool. */
export interface AdmittedTool {
  readonly headers: HeaderIndex;
  readonly requires?: ClientCapabilities | undefined;
}

/** What the validation has to know of a server. */
export interface Admission {
  readonly versions: readonly string[];
  readonly capabilities: ServerCapabilities;
  /** The tool of a name, where there is an enabled one. */
  tool(name: string): AdmittedTool | undefined;
}

/**
 * The checks between a well-formed JSON-RPC request and its handler, in the order in which the earliest failure answers
 * (basic, "`_meta`"; basic/versioning; streamable-http, "Server Validation"). Returns the error that answers the request,
 * or undefined, having allocated nothing.
 *
 * @param header looks the HTTP headers up by lower-case name; absent on transports without headers
 */
export function validate(server: Admission, request: Request, header?: HeaderLookup): McpError | undefined {
  const { method, params } = request;
  // The type promises params, which a wire can only pass on as they came.
  const meta: unknown = (params as Request['params'] | undefined)?._meta;

  // The header must repeat the version of the body, before anyone asks whether the version is any good.
  if (header !== undefined) {
    const wrong = checkVersionHeader(request, header);
    if (wrong !== undefined) return headerMismatch(wrong);
  }

  // Mandatory `_meta`.
  if (!isObject(meta))
    return refused(`params._meta must be an object with ${MetaKey.protocolVersion} and ${MetaKey.clientCapabilities}`);
  const version = meta[MetaKey.protocolVersion];
  if (typeof version !== 'string')
    return refused(`params._meta[${JSON.stringify(MetaKey.protocolVersion)}] must be a string`);
  const declared = meta[MetaKey.clientCapabilities];
  if (!isObject(declared))
    return refused(`params._meta[${JSON.stringify(MetaKey.clientCapabilities)}] must be an object`);

  if (!server.versions.includes(version)) return unsupportedVersion(version, server.versions);

  if (header !== undefined) {
    const wrong = checkStandardHeaders(request, header);
    if (wrong !== undefined) return headerMismatch(wrong);
  }

  const row = methodRow(method);
  if (row === undefined || !row.modern || row.extension !== undefined) return methodNotFound(method);
  if (row.capability !== undefined && !advertises(server.capabilities, row.capability)) return methodNotFound(method);

  if (method === 'tools/call' && typeof params.name === 'string') {
    const tool = server.tool(params.name);
    if (tool?.requires !== undefined) {
      const missing = missingCapabilities(tool.requires, declared);
      if (missing !== undefined)
        return missingCapability(`Tool ${JSON.stringify(params.name)} needs a client capability`, missing);
    }
    if (header !== undefined && tool !== undefined && tool.headers.length > 0) {
      const wrong = checkParamHeaders(request, header, tool.headers);
      if (wrong !== undefined) return headerMismatch(wrong);
    }
  }

  const wrong = row.check?.(params);
  if (wrong !== undefined) return refused(wrong);

  const level = meta[MetaKey.logLevel];
  if (level !== undefined && level !== null && !(loggingLevels as readonly unknown[]).includes(level)) {
    return refused(`params._meta[${JSON.stringify(MetaKey.logLevel)}] must be one of ${loggingLevels.join(', ')}`);
  }
  return undefined;
}

const isObject = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** -32602 for a request whose own shape is wrong, which over HTTP is the client's error by status too. */
const refused = (reason: string): McpError =>
  new McpError(ErrorCode.InvalidParams, `Invalid params: ${reason}`, { httpStatus: 400 });

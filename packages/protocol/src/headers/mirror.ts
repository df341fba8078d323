import { DragomanError } from '../errors.ts';
import type { Request } from '../exchange.ts';
import { MetaKey } from '../meta.ts';
import { methodRow } from '../methods.ts';
import { MirrorHeader, MirrorHeaderKey } from './names.ts';
import { decodeHeaderValue, encodeHeaderValue } from './value.ts';
import type { HeaderIndex, HeaderParam } from './x-mcp-header.ts';

/** Looks a header up by its lower-case name. */
export type HeaderLookup = (name: string) => string | undefined;

/**
 * Every header that mirrors a part of a request, as it is sent: `MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name` and the
 * `Mcp-Param-*` of the tool's schema, where that is known (streamable-http, "Request Metadata"). A client's wire calls
 * it for every send, so that a header can never disagree with the body.
 *
 * @throws DragomanError `INVALID_ARGUMENT` for an integer beyond ±(2^53 − 1), which a header must not carry
 */
export function mirroredHeaders(request: Request, index?: HeaderIndex): [name: string, value: string][] {
  const headers: [string, string][] = [];
  const version = request.params._meta?.[MetaKey.protocolVersion];
  if (typeof version === 'string') headers.push([MirrorHeader.protocolVersion, encodeHeaderValue(version)]);
  headers.push([MirrorHeader.method, encodeHeaderValue(request.method)]);
  const name = mirroredName(request);
  if (name !== undefined) headers.push([MirrorHeader.name, encodeHeaderValue(name)]);
  if (index !== undefined) {
    for (const param of index) {
      const value = mirroredValue(request.params.arguments, param);
      if (value === undefined) continue;
      if (isUnsafe(value)) throw new DragomanError('INVALID_ARGUMENT', unsafe(param, value));
      headers.push([param.header, encodeHeaderValue(value)]);
    }
  }
  return headers;
}

/** The parameter that a method mirrors in `Mcp-Name`, where it has one and it is text. */
export function mirroredName(request: Request): string | undefined {
  const member = methodRow(request.method)?.nameParam;
  if (member === undefined) return undefined;
  const value = request.params[member];
  return typeof value === 'string' ? value : undefined;
}

/**
 * The value of an annotated argument: undefined where it is absent, null, or of a kind that no header carries (which the
 * tool's own schema refuses). Only own properties count: an argument may be called `__proto__`.
 */
function mirroredValue(args: unknown, param: HeaderParam): string | number | boolean | undefined {
  let value = args;
  for (const name of param.path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as { [member: string]: unknown })[name];
  }
  return typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
    ? value
    : undefined;
}

/**
 * Holds `MCP-Protocol-Version` against the body. Returns what is wrong, or undefined. Where the body names no version
 * that is a question of `_meta`, not of the header.
 */
export function checkVersionHeader(request: Request, header: HeaderLookup): string | undefined {
  const version = request.params?._meta?.[MetaKey.protocolVersion];
  if (typeof version !== 'string') return undefined;
  return compare(MirrorHeader.protocolVersion, header(MirrorHeaderKey.protocolVersion), version);
}

/** Holds `Mcp-Method` and `Mcp-Name` against the body. Returns what is wrong, or undefined. */
export function checkStandardHeaders(request: Request, header: HeaderLookup): string | undefined {
  const wrong = compare(MirrorHeader.method, header(MirrorHeaderKey.method), request.method);
  if (wrong !== undefined) return wrong;
  const name = mirroredName(request);
  // A name that is missing from the body or no text is a question of the params' shape.
  return name === undefined ? undefined : compare(MirrorHeader.name, header(MirrorHeaderKey.name), name);
}

/** Holds `Mcp-Param-*` against the arguments of a `tools/call`. Returns what is wrong, or undefined. */
export function checkParamHeaders(request: Request, header: HeaderLookup, index: HeaderIndex): string | undefined {
  for (const param of index) {
    const raw = header(param.key);
    const value = mirroredValue(request.params.arguments, param);
    if (value === undefined) {
      if (raw === undefined || isUnmirrorable(request.params.arguments, param)) continue;
      return `${param.header} is sent, but the argument ${param.path.join('.')} is absent or null`;
    }
    if (isUnsafe(value)) return unsafe(param, value);
    const wrong =
      typeof value === 'number' && raw !== undefined
        ? compareNumber(param.header, raw, value)
        : compare(param.header, raw, String(value));
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Whether a number is an integer that a double does not hold exactly (server/tools, "x-mcp-header"). */
const isUnsafe = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

const unsafe = (param: HeaderParam, value: unknown): string =>
  `The argument ${param.path.join('.')} is ${value}, but ${param.header} carries integers from -(2^53 - 1) to 2^53 - 1 only`;

/** Whether the argument is there but of a kind that no header carries: an error of the tool's input, reported as that. */
function isUnmirrorable(args: unknown, param: HeaderParam): boolean {
  let value = args;
  for (const name of param.path) {
    if (typeof value !== 'object' || value === null) return true;
    if (!Object.hasOwn(value, name)) return false;
    value = (value as { [member: string]: unknown })[name];
  }
  return typeof value === 'object' && value !== null;
}

function compare(name: string, raw: string | undefined, expected: string): string | undefined {
  if (raw === undefined) return `${name} is missing; the body says ${quote(expected)}`;
  // What needs no decoding is compared as it is.
  if (raw === expected && isPlain(raw)) return undefined;
  const value = decodeHeaderValue(raw);
  if (value === undefined) return `${name} holds characters or an encoding that a header must not carry`;
  return value === expected ? undefined : `${name} is ${quote(value)}, but the body says ${quote(expected)}`;
}

const decimal = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Integers are compared as numbers: `42.0` equals `42` (streamable-http, "Server Validation"). */
function compareNumber(name: string, raw: string, expected: number): string | undefined {
  const value = decodeHeaderValue(raw);
  if (value === undefined) return `${name} holds characters or an encoding that a header must not carry`;
  return decimal.test(value) && Number(value) === expected
    ? undefined
    : `${name} is ${quote(value)}, but the body says ${expected}`;
}

/** Letters, digits and the few signs of method, tool and version names: text that is its own encoding. */
function isPlain(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code < 0x21 || code > 0x7e || code === 0x3d) return false;
  }
  return true;
}

const quote = (value: string): string => JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);

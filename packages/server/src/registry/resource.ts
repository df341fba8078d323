import {
  type Annotations,
  type BlobResourceContents,
  ErrorCode,
  type Icon,
  type InputRequiredResult,
  type JsonObject,
  McpError,
  type MetaObject,
  type ReadResourceResult,
  type Resource,
  type TextResourceContents,
} from '@dragoman/protocol';
import { toBase64 } from '../base64.ts';
import { isBase64 } from '../content.ts';
import type { Context } from '../context.ts';
import type { InputRequired } from '../input/input-required.ts';
import type { Handle } from './handle.ts';
import { type CacheHint, checkCacheHint, type Listed } from './listing.ts';
import { checkName, checkUri } from './names.ts';
import { makeRow } from './row.ts';

/** How a resource is described to clients (server/resources, "Resource"). */
export interface ResourceDefinition {
  /** For programs. */
  readonly name: string;
  /** For people. */
  readonly title?: string | undefined;
  /** What it is, for a model as much as for people. */
  readonly description?: string | undefined;
  /** What it is, such as `text/markdown`. */
  readonly mimeType?: string | undefined;
  /** Bytes of the raw content. */
  readonly size?: number | undefined;
  /** For whom it is, and how much it matters (server/resources, "Annotations"). */
  readonly annotations?: Annotations | undefined;
  /** Pictures for it, in several sizes or themes. */
  readonly icons?: readonly Icon[] | undefined;
  /** `_meta` of the resource. */
  readonly meta?: MetaObject | undefined;
  /** How long what was read may be kept. Default: not at all, by nobody else. */
  readonly cache?: CacheHint | undefined;
}

/** One item of what was read. */
export interface ResourcePiece {
  /** Default: the URI that was read. */
  readonly uri?: string | undefined;
  /** Default: the resource's own. */
  readonly mimeType?: string | undefined;
  /** Text; either this or `blob`. */
  readonly text?: string | undefined;
  /** Bytes, or bytes in Base64 already. */
  readonly blob?: Uint8Array | string | undefined;
  /** `_meta` of the item. */
  readonly _meta?: MetaObject | undefined;
}

/** What the handler of a resource may return. */
export type ResourceOutput =
  /** Text. */
  | string
  /** Bytes. */
  | Uint8Array
  | ResourcePiece
  | readonly ResourcePiece[]
  /** With `ttlMs` or `cacheScope` of this very content. */
  | (CacheableContents & { readonly contents: readonly ResourcePiece[] })
  | ReadResourceResult
  | InputRequired
  | InputRequiredResult
  /** There is no such resource. */
  | null
  | undefined;

interface CacheableContents {
  readonly ttlMs?: number | undefined;
  readonly cacheScope?: 'public' | 'private' | undefined;
}

/** Reads a resource. What it throws becomes -32603, except an `McpError`, which is sent as it is. */
export type ResourceHandler = (uri: string, ctx: Context) => ResourceOutput | Promise<ResourceOutput>;

/** What can be changed of a resource. */
export type ResourceChanges = Partial<ResourceDefinition> & { readonly handler?: ResourceHandler | undefined };

/** A registered resource. */
export interface ResourceHandle extends Handle<ResourceChanges> {
  /** Tells listeners that the contents changed. */
  changed(): void;
}

/** What is read in the same way, whether it was registered by its URI or by a template. */
export interface Readable {
  readonly mimeType: string | undefined;
  readonly cache: CacheHint | undefined;
}

/** A resource made ready to be listed and read. Never changed: an update puts another in its place. */
export interface ResourceEntry extends Listed, Readable {
  readonly row: Resource;
  readonly definition: ResourceDefinition;
  readonly handler: (uri: string, ctx: Context) => unknown;
}

/** @throws DragomanError `INVALID_ARGUMENT`, naming the resource and the member. */
export function compileResource(
  key: string,
  place: number,
  definition: ResourceDefinition,
  handler: ResourceEntry['handler'],
): ResourceEntry {
  const what = `Resource ${JSON.stringify(key)}`;
  const { name, title, description, mimeType, size, annotations, icons, meta, cache } = definition;
  checkUri(key);
  checkName(what, name);
  checkCacheHint(what, cache);
  const row = makeRow<Resource>(what, {
    uri: key,
    name,
    title,
    description,
    mimeType,
    size,
    annotations,
    icons: icons as Icon[] | undefined,
    _meta: meta,
  });
  return { key, place, enabled: true, row, definition, mimeType, cache, handler };
}

/**
 * What was read, from what a handler returned; undefined where that says there is no such resource.
 *
 * @throws McpError -32603 for what is no content
 */
export function readResult(returned: unknown, uri: string, from: Readable): ReadResourceResult | undefined {
  if (returned === undefined || returned === null) return undefined;
  const result: ReadResourceResult = {
    resultType: 'complete',
    contents: [],
    ttlMs: from.cache?.ttlMs ?? 0,
    cacheScope: from.cache?.scope ?? 'private',
  };
  if (typeof returned === 'object' && Array.isArray((returned as JsonObject).contents)) {
    const { contents, resultType, ...others } = returned as ReadResourceResult;
    for (const [name, value] of Object.entries(others)) if (value !== undefined && value !== null) result[name] = value;
    checkHints(uri, result);
    result.contents = contents.map((piece) => contentsOf(piece, uri, from));
  } else {
    const pieces: readonly unknown[] = Array.isArray(returned) ? returned : [returned];
    result.contents = pieces.map((piece) => contentsOf(piece, uri, from));
  }
  return result;
}

/** What the handler said of this very content (server/utilities/caching, "Cacheable Results"). */
function checkHints(uri: string, { ttlMs, cacheScope }: ReadResourceResult): void {
  try {
    checkCacheHint(`Resource ${JSON.stringify(uri)}, its result`, { ttlMs, scope: cacheScope });
  } catch (cause) {
    throw new McpError(ErrorCode.InternalError, 'Internal error', { cause });
  }
}

function contentsOf(piece: unknown, uri: string, from: Readable): TextResourceContents | BlobResourceContents {
  if (typeof piece === 'string') return named(uri, from.mimeType, { text: piece });
  if (piece instanceof Uint8Array) return named(uri, from.mimeType, { blob: toBase64(piece) });
  if (typeof piece !== 'object' || piece === null) throw noContents(uri, String(piece));
  const { uri: own, mimeType, text, blob, ...others } = piece as ResourcePiece & JsonObject;
  if ((own ?? undefined) !== undefined && typeof own !== 'string')
    throw noContents(uri, 'an item whose uri is no string');
  if (typeof text === 'string') return { ...named(own ?? uri, mimeType ?? from.mimeType, { text }), ...others };
  if (isBase64(blob)) return { ...named(own ?? uri, mimeType ?? from.mimeType, { blob }), ...others };
  if (blob instanceof Uint8Array)
    return { ...named(own ?? uri, mimeType ?? from.mimeType, { blob: toBase64(blob) }), ...others };
  if (typeof blob === 'string') throw noContents(uri, 'an item whose blob is no Base64');
  throw noContents(uri, `an object with the members ${Object.keys(piece).join(', ') || 'none'}`);
}

function named<C extends object>(
  uri: string,
  mimeType: string | undefined,
  content: C,
): { uri: string; mimeType?: string } & C {
  return mimeType === undefined ? { uri, ...content } : { uri, mimeType, ...content };
}

function noContents(uri: string, what: string): McpError {
  const cause = new Error(
    `Resource ${JSON.stringify(uri)} returned ${what}; return a string, bytes, or items with text or blob`,
  );
  return new McpError(ErrorCode.InternalError, 'Internal error', { cause });
}

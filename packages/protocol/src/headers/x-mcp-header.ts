import { show } from '../json-schema/pointer.ts';
import { MirrorHeader } from './names.ts';

/** One argument that a tool wants mirrored in a header. */
export interface HeaderParam {
  /** The header's name as it is sent, such as `Mcp-Param-Region`. */
  readonly header: string;
  /** The same in lower case, as it is looked up. */
  readonly key: string;
  /** Property names from the root of the arguments. */
  readonly path: readonly string[];
  /** The type that the schema gives the parameter. */
  readonly type: 'string' | 'integer' | 'boolean';
}

/** What a tool's input schema says about headers, in the order of the schema. */
export type HeaderIndex = readonly HeaderParam[];

/** The index of a tool that mirrors nothing. */
export const noHeaders: HeaderIndex = Object.freeze([]);

/** The most schema nodes that are looked at: a schema beyond is refused rather than half read. */
const MAX_NODES = 100_000;
/** The deepest argument that is mirrored. */
const MAX_DEPTH = 64;

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const singles = new Set([
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);

interface Node {
  readonly schema: { readonly [keyword: string]: unknown };
  /** Where it is a property: of which node, and by which name. A whole path is put together only where one is needed. */
  readonly above: Node | undefined;
  readonly name: string;
  /** Properties from the root to here; -1 once anything but `properties` was passed. */
  readonly depth: number;
}

/**
 * Reads the `x-mcp-header` annotations of an input schema (server/tools, "x-mcp-header"; streamable-http, "Schema
 * Extension"). An annotation that breaks a rule anywhere, `$defs` and compositions included, spoils the whole tool: the
 * problem says which and why.
 */
export function compileHeaderIndex(
  inputSchema: unknown,
): { readonly index: HeaderIndex } | { readonly problem: string } {
  if (!isObject(inputSchema)) return { index: noHeaders };
  const found: HeaderParam[] = [];
  const names = new Set<string>();
  const seen = new Set<object>();
  const queue: Node[] = [{ schema: inputSchema, above: undefined, name: '', depth: 0 }];
  for (let at = 0; at < queue.length; at++) {
    if (at >= MAX_NODES) return { problem: `its input schema has more than ${MAX_NODES} parts` };
    const node = queue[at] as Node;
    const { schema } = node;
    if (Object.hasOwn(schema, 'x-mcp-header')) {
      const param = readAnnotation(node);
      if (typeof param === 'string') return { problem: param };
      if (names.has(param.key)) return { problem: `two arguments are mirrored in the same header ${param.header}` };
      names.add(param.key);
      found.push(param);
    }
    if (seen.has(schema)) continue;
    seen.add(schema);
    for (const [keyword, value] of Object.entries(schema)) {
      if (!isObject(value) && !Array.isArray(value)) continue;
      if (Array.isArray(value)) {
        if (lists.has(keyword)) for (const item of value) if (isObject(item)) queue.push(offPath(item));
      } else if (maps.has(keyword)) {
        const onPath = keyword === 'properties' && node.depth >= 0;
        for (const [name, item] of Object.entries(value)) {
          if (!isObject(item)) continue;
          queue.push(onPath ? { schema: item, above: node, name, depth: node.depth + 1 } : offPath(item));
        }
      } else if (singles.has(keyword)) {
        queue.push(offPath(value));
      }
    }
  }
  return { index: found.length === 0 ? noHeaders : Object.freeze(found) };
}

const offPath = (schema: Node['schema']): Node => ({ schema, above: undefined, name: '', depth: -1 });

function pathOf(node: Node): string[] {
  const path: string[] = [];
  for (let at = node; at.above !== undefined; at = at.above) path.push(at.name);
  return path.reverse();
}

function readAnnotation(node: Node): HeaderParam | string {
  const { schema, depth } = node;
  const name = schema['x-mcp-header'];
  if (typeof name !== 'string') return `x-mcp-header must be a string, got ${show(name)}`;
  if (name === '') return 'x-mcp-header must not be empty';
  if (!token.test(name))
    return `x-mcp-header ${show(name)} is not a header token (letters, digits and !#$%&'*+-.^_\`|~)`;
  if (depth <= 0) {
    return `x-mcp-header ${show(name)} stands where it cannot be mirrored: only properties reached from the root through "properties" alone can`;
  }
  if (depth > MAX_DEPTH) return `x-mcp-header ${show(name)} stands more than ${MAX_DEPTH} levels deep`;
  const path = pathOf(node);
  const type = schema.type;
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    return `x-mcp-header ${show(name)} is on "${path.join('.')}" of type ${type === undefined ? 'unknown' : show(type)}; only string, integer and boolean can be mirrored`;
  }
  const header = `${MirrorHeader.param}${name}`;
  return { header, key: header.toLowerCase(), path, type };
}

const isObject = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import { DragomanError } from '../errors.ts';
import type { JsonObject } from '../messages/base.ts';
import { dialectOfUri, type SchemaDialect } from './dialect.ts';
import { eachSubschema, keywordsOf } from './keywords.ts';
import { escapeToken, ownMember, pointerTokens } from './pointer.ts';
import { defaultSchemaLimits, type JsonSchema } from './port.ts';

/** A schema with an identifier of its own: the document, or what a nested `$id` begins (core §4.3.5). */
export interface SchemaResource {
  /** Absolute, without fragment. */
  readonly uri: string;
  readonly root: JsonObject;
  readonly anchors: Map<string, JsonObject>;
  readonly dynamicAnchors: Map<string, JsonObject>;
  /** `$recursiveAnchor: true` stands at its root (2019-09 core §8.2.4.2.2). */
  readonly recursive: boolean;
}

/** Where a schema object stands. */
export interface SchemaPlace {
  readonly resource: SchemaResource;
  readonly dialect: SchemaDialect;
  readonly pointer: string;
}

/** What references in one document can lead to. Looks at the document and nowhere else: nothing is ever fetched. */
export interface SchemaIndex {
  readonly root: JsonSchema;
  readonly places: Map<JsonObject, SchemaPlace>;
  readonly resources: Map<string, SchemaResource>;
  /** Further documents by their URI, given by the user; each is read when something first refers to it. */
  readonly load?: ((uri: string, dialect: SchemaDialect) => JsonObject | DragomanError | undefined) | undefined;
}

/** Base of a document without `$id`: hierarchical, so that relative identifiers inside it resolve (RFC 3986 §5.1.4). */
const DOCUMENT = 'schema:///';

/** Indexes a document. Parts that are malformed are passed over: finding fault is not this function's business. */
export function indexSchema(root: JsonSchema, load?: SchemaIndex['load']): SchemaIndex {
  const index: SchemaIndex = { root, places: new Map(), resources: new Map(), load };
  if (isSchemaObject(root)) addDocument(index, DOCUMENT, root, '2020-12');
  return index;
}

function addDocument(index: SchemaIndex, uri: string, root: JsonObject, dialect: SchemaDialect): void {
  addPlaces(index, root, { resource: addResource(index, uri, root), dialect, pointer: '' }, 0);
}

/** Whether this is a schema with keywords, not a boolean or something else. */
export function isSchemaObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function addResource(index: SchemaIndex, uri: string, root: JsonObject): SchemaResource {
  const resource: SchemaResource = {
    uri,
    root,
    anchors: new Map(),
    dynamicAnchors: new Map(),
    recursive: ownMember(root, '$recursiveAnchor') === true,
  };
  // The first to bear an identifier keeps it: a later one must not be able to take its place.
  if (!index.resources.has(uri)) index.resources.set(uri, resource);
  return resource;
}

/** Adds a schema and the schemas in it. `above` is where it stands as far as what surrounds it can say. */
function addPlaces(index: SchemaIndex, schema: JsonObject, above: SchemaPlace, depth: number): void {
  if (index.places.has(schema) || depth > defaultSchemaLimits.maxDepth) return;
  const dialect = dialectOfUri(ownMember(schema, '$schema')) ?? above.dialect;
  const place: SchemaPlace = { resource: ownResource(index, schema, above, dialect), dialect, pointer: above.pointer };
  index.places.set(schema, place);
  addAnchors(schema, place);
  const rules = keywordsOf(dialect);
  for (const keyword of Object.keys(schema)) {
    if (isOverridden(schema, keyword, dialect)) continue;
    const rule = rules.get(keyword);
    if (rule === undefined) continue;
    eachSubschema(rule.shape, schema[keyword], (subschema, token) => {
      if (!isSchemaObject(subschema)) return undefined;
      const tail = token === undefined ? '' : `/${escapeToken(token)}`;
      addPlaces(index, subschema, { ...place, pointer: `${place.pointer}/${escapeToken(keyword)}${tail}` }, depth + 1);
      return undefined;
    });
  }
}

/** Beside a `$ref`, draft-07 ignores everything; what stands in `definitions` can still be referred to (draft-07 core §8.3). */
export function isOverridden(schema: JsonObject, keyword: string, dialect: SchemaDialect): boolean {
  return dialect === 'draft-07' && keyword !== '$ref' && keyword !== 'definitions' && Object.hasOwn(schema, '$ref');
}

function ownResource(
  index: SchemaIndex,
  schema: JsonObject,
  above: SchemaPlace,
  dialect: SchemaDialect,
): SchemaResource {
  const id = ownMember(schema, '$id');
  if (typeof id !== 'string' || isOverridden(schema, '$id', dialect)) return above.resource;
  const target = resolveUri(id, above.resource.uri);
  // In draft-07 an identifier that is only a fragment is an anchor (draft-07 core §8.2.3).
  if (target === undefined || id.startsWith('#')) return above.resource;
  const { uri } = target;
  // The document may be referred to by its own identifier as well as by where it was found.
  return addResource(index, uri, schema);
}

function addAnchors(schema: JsonObject, { resource, dialect }: SchemaPlace): void {
  const add = (anchors: Map<string, JsonObject>, name: unknown) => {
    if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, schema);
  };
  if (dialect === 'draft-07') {
    const id = ownMember(schema, '$id');
    const hash = typeof id === 'string' && !isOverridden(schema, '$id', dialect) ? id.indexOf('#') : -1;
    if (typeof id === 'string' && hash >= 0 && hash + 1 < id.length) add(resource.anchors, id.slice(hash + 1));
    return;
  }
  add(resource.anchors, ownMember(schema, '$anchor'));
  if (dialect === '2020-12') add(resource.dynamicAnchors, ownMember(schema, '$dynamicAnchor'));
}

/** Resolves a URI reference. undefined if it cannot be, as a relative path against a URN. */
function resolveUri(reference: string, base: string): { uri: string; fragment: string } | undefined {
  const hash = reference.indexOf('#');
  const path = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  if (path === '') return { uri: base, fragment };
  // A base like a URN has no path that a relative reference could replace.
  return URL.canParse(path, base) ? { uri: new URL(path, base).href, fragment } : undefined;
}

/** What a reference leads to: a schema of the document; or why it leads nowhere. */
export type Found =
  | {
      readonly schema: JsonSchema;
      readonly resource: SchemaResource;
      readonly anchor?: string;
      /** Nobody knew before that a schema stands there: it is below an unknown keyword. */
      readonly late?: boolean;
    }
  | { readonly missing: 'external' | 'dangling' | DragomanError };

/** Follows one reference that stands at `place`. */
export function findReference(index: SchemaIndex, place: SchemaPlace, reference: string): Found {
  const target = resolveUri(reference, place.resource.uri);
  if (target === undefined) return { missing: 'external' };
  const resource = target.uri === place.resource.uri ? place.resource : findResource(index, target.uri, place.dialect);
  if (resource === undefined) return { missing: 'external' };
  if (resource instanceof DragomanError) return { missing: resource };
  const fragment = decodeFragment(target.fragment);
  if (fragment === undefined) return { missing: 'dangling' };
  if (fragment === '') return { schema: resource.root, resource };
  if (fragment.startsWith('/')) return findPointer(index, resource, fragment);
  const schema = resource.anchors.get(fragment) ?? resource.dynamicAnchors.get(fragment);
  return schema === undefined ? { missing: 'dangling' } : { schema, resource, anchor: fragment };
}

function findResource(
  index: SchemaIndex,
  uri: string,
  dialect: SchemaDialect,
): SchemaResource | DragomanError | undefined {
  const known = index.resources.get(uri);
  // A document that has an identifier of its own keeps its anchors there.
  if (known !== undefined) return index.places.get(known.root)?.resource ?? known;
  const document = index.load?.(uri, dialect);
  if (document === undefined || document instanceof DragomanError) return document;
  addDocument(index, uri, document, dialect);
  return index.places.get(document)?.resource;
}

function decodeFragment(fragment: string): string | undefined {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A stray percent sign names nothing.
    return undefined;
  }
}

/** Follows a pointer. What it passes may be anything; where it arrives becomes a place, even below an unknown keyword. */
function findPointer(index: SchemaIndex, resource: SchemaResource, pointer: string): Found {
  let at: unknown = resource.root;
  let above = index.places.get(resource.root);
  let below = '';
  for (const token of pointerTokens(pointer) ?? []) {
    at = ownMember(at, token);
    below += `/${escapeToken(token)}`;
    const place = isSchemaObject(at) ? index.places.get(at) : undefined;
    if (place === undefined) continue;
    above = place;
    below = '';
  }
  if (typeof at === 'boolean') return { schema: at, resource: above?.resource ?? resource };
  if (!isSchemaObject(at) || above === undefined) return { missing: 'dangling' };
  const late = below !== '';
  if (late) addPlaces(index, at, { ...above, pointer: above.pointer + below }, 0);
  return { schema: at, resource: index.places.get(at)?.resource ?? resource, late };
}

import { DragomanError } from '../errors.ts';
import type { JsonObject } from '../messages/base.ts';
import { type SchemaFault, schemaError } from './copy.ts';
import { checkHops, countPaths } from './graph-bounds.ts';
import { eachSubschema, keywordsOf } from './keywords.ts';
import { show } from './pointer.ts';
import type { CompleteLimits } from './port.ts';
import {
  type Found,
  findReference,
  isOverridden,
  isSchemaObject,
  type SchemaIndex,
  type SchemaPlace,
  type SchemaResource,
} from './references.ts';

/** What dynamic references lead to: for each dynamic anchor, the outermost schema that a check came through (core §8.2.3.2). */
type DynamicScope = ReadonlyMap<string, JsonObject>;

/** A schema as it is applied: in which dynamic scope, with its references resolved. */
export interface SchemaNode {
  readonly schema: JsonObject;
  readonly place: SchemaPlace;
  readonly scope: DynamicScope;
  /** Targets of `$ref`, `$dynamicRef` and `$recursiveRef`, in the order they stand. */
  readonly references: readonly (SchemaNode | boolean)[];
  /** Subschemas for the same value, references included. */
  readonly same: readonly SchemaNode[];
  /** Subschemas for parts of the value. */
  readonly parts: readonly SchemaNode[];
}

/** A whole schema, ready to be compiled: every reference resolved, none of them dynamic any more. */
export interface SchemaGraph {
  readonly root: SchemaNode;
  /** The node for a subschema of a schema that is applied in a scope. */
  at(schema: JsonObject, above: SchemaNode): SchemaNode;
  /** A value can be descended into without end, as far as the schema goes. */
  readonly recursive: boolean;
  /** Applications of subschemas if every branch is taken once; Infinity if recursive. */
  readonly size: number;
  /** `unevaluatedProperties` or `unevaluatedItems` stands somewhere, so it matters which branches evaluated what. */
  readonly unevaluated: boolean;
}

const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/** The scope entry of `$recursiveAnchor: true`. No anchor can have this name. */
const RECURSIVE = '#';

interface MutableNode extends SchemaNode {
  references: (SchemaNode | boolean)[];
  same: SchemaNode[];
  parts: SchemaNode[];
}

/**
 * Resolves every reference that can be reached from the root. `admit` looks at schemas that become schemas only by being
 * referred to, below unknown keywords.
 */
export function buildGraph(
  index: SchemaIndex,
  limits: CompleteLimits,
  admit: (schema: JsonObject, place: SchemaPlace) => DragomanError | undefined,
): SchemaGraph | DragomanError {
  const builder = new GraphBuilder(index, limits, admit);
  return builder.build(index.root as JsonObject);
}

class GraphBuilder {
  readonly #index: SchemaIndex;
  readonly #limits: CompleteLimits;
  readonly #admit: (schema: JsonObject, place: SchemaPlace) => DragomanError | undefined;
  readonly #nodes = new Map<JsonObject, Map<string, MutableNode>>();
  readonly #queue: MutableNode[] = [];
  readonly #ids = new Map<JsonObject, number>();
  #count = 0;
  #unevaluated = false;

  constructor(
    index: SchemaIndex,
    limits: CompleteLimits,
    admit: (schema: JsonObject, place: SchemaPlace) => DragomanError | undefined,
  ) {
    this.#index = index;
    this.#limits = limits;
    this.#admit = admit;
  }

  build(schema: JsonObject): SchemaGraph | DragomanError {
    const lost = this.#checkReferences();
    if (lost !== undefined) return lost;
    const root = this.#node(schema, new Map());
    for (let node = this.#queue.pop(); node !== undefined; node = this.#queue.pop()) {
      const problem = this.#fill(node);
      if (problem !== undefined) return problem;
    }
    const hops = checkHops(root, this.#nodesOf(), this.#limits);
    if (hops !== undefined) return hops;
    const size = countPaths(root);
    return {
      root,
      recursive: size === Number.POSITIVE_INFINITY,
      size,
      unevaluated: this.#unevaluated,
      at: (subschema, above) => this.#node(subschema, above.scope),
    };
  }

  /** Looks at all references, also where no check comes by: a schema that refers to the outside is not to be used. */
  #checkReferences(): DragomanError | undefined {
    for (const [schema, place] of [...this.#index.places]) {
      for (const keyword of referenceKeywords) {
        const reference = schema[keyword];
        if (typeof reference !== 'string' || keywordsOf(place.dialect).get(keyword)?.shape !== 'reference') continue;
        const found = this.#find(place, keyword, reference);
        if (found instanceof DragomanError) return found;
      }
    }
    return undefined;
  }

  *#nodesOf(): Iterable<SchemaNode> {
    for (const byScope of this.#nodes.values()) yield* byScope.values();
  }

  #node(schema: JsonObject, above: DynamicScope): MutableNode {
    const place = this.#index.places.get(schema)!;
    const scope = enter(above, place.resource);
    const key = this.#scopeKey(scope);
    let byScope = this.#nodes.get(schema);
    if (byScope === undefined) {
      byScope = new Map();
      this.#nodes.set(schema, byScope);
    }
    let node = byScope.get(key);
    if (node === undefined) {
      node = { schema, place, scope, references: [], same: [], parts: [] };
      byScope.set(key, node);
      this.#queue.push(node);
      this.#count++;
    }
    return node;
  }

  #scopeKey(scope: DynamicScope): string {
    let key = '';
    for (const [name, schema] of scope) {
      let id = this.#ids.get(schema);
      if (id === undefined) {
        id = this.#ids.size;
        this.#ids.set(schema, id);
      }
      key += `${name} ${id},`;
    }
    return key;
  }

  #fill(node: MutableNode): DragomanError | undefined {
    // Scopes multiply schemas; without them there are never more nodes than values.
    if (this.#count > this.#limits.maxNodes) {
      return schemaError(
        'limit',
        node.place.pointer,
        `its dynamic references make more than ${this.#limits.maxNodes} schemas of it (maxNodes)`,
      );
    }
    const { schema, place } = node;
    const rules = keywordsOf(place.dialect);
    for (const keyword of Object.keys(schema)) {
      const rule = rules.get(keyword);
      if (rule === undefined || isOverridden(schema, keyword, place.dialect)) continue;
      if (rule.shape === 'reference') {
        const problem = this.#refer(node, keyword, schema[keyword] as string);
        if (problem !== undefined) return problem;
      } else if (rule.reach !== 'none') {
        if (keyword.startsWith('unevaluated')) this.#unevaluated = true;
        const children = rule.reach === 'same' ? node.same : node.parts;
        eachSubschema(rule.shape, schema[keyword], (subschema) => {
          if (isSchemaObject(subschema)) children.push(this.#node(subschema, node.scope));
          return undefined;
        });
      }
    }
    return undefined;
  }

  #refer(node: MutableNode, keyword: string, reference: string): DragomanError | undefined {
    const found = this.#find(node.place, keyword, reference);
    if (found instanceof DragomanError) return found;
    let target = found.schema;
    if (keyword === '$dynamicRef' && found.anchor !== undefined && found.resource.dynamicAnchors.has(found.anchor)) {
      target = node.scope.get(found.anchor) ?? target;
    } else if (keyword === '$recursiveRef' && found.resource.recursive && target === found.resource.root) {
      target = node.scope.get(RECURSIVE) ?? target;
    }
    if (!isSchemaObject(target)) {
      node.references.push(target);
      return undefined;
    }
    // Whoever comes through a reference has been in the resource that it leads to.
    const next = this.#node(target, enter(node.scope, found.resource));
    node.references.push(next);
    node.same.push(next);
    return undefined;
  }

  #find(place: SchemaPlace, keyword: string, reference: string): Exclude<Found, { missing: unknown }> | DragomanError {
    const found = findReference(this.#index, place, reference);
    if ('missing' in found) return missingReference(place.pointer, keyword, reference, found.missing);
    if (found.late !== true || !isSchemaObject(found.schema)) return found;
    return this.#admit(found.schema, this.#index.places.get(found.schema)!) ?? found;
  }
}

function enter(scope: DynamicScope, resource: SchemaResource): DynamicScope {
  let entered: Map<string, JsonObject> | undefined;
  for (const [name, schema] of resource.dynamicAnchors) {
    if (scope.has(name)) continue;
    entered ??= new Map(scope);
    entered.set(name, schema);
  }
  if (resource.recursive && !scope.has(RECURSIVE)) {
    entered ??= new Map(scope);
    entered.set(RECURSIVE, resource.root);
  }
  return entered ?? scope;
}

function missingReference(
  pointer: string,
  keyword: string,
  reference: string,
  missing: 'external' | 'dangling' | DragomanError,
): DragomanError {
  if (typeof missing !== 'string') return missing;
  const remedy =
    missing === 'external'
      ? 'leads outside the schema. References are never fetched: put what it refers to in $defs and refer to it as "#/$defs/…"'
      : 'leads nowhere: the schema has nothing there';
  const reason: SchemaFault = 'reference';
  return schemaError(reason, `${pointer}/${keyword}`, `${keyword} ${show(reference)} ${remedy}`, {
    keyword,
    value: reference,
  });
}

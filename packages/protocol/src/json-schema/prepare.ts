import type { DragomanError } from '../errors.ts';
import type { JsonObject } from '../messages/base.ts';
import { schemaError } from './copy.ts';
import type { SchemaGraph, SchemaNode } from './graph.ts';
import { keywordsOf } from './keywords.ts';
import type { Meter } from './meter.ts';
import { isMultipleOf } from './multiple-of.ts';
import { patternDegree } from './pattern.ts';
import { compilePattern, toUnicodePattern } from './pattern-compile.ts';
import { show } from './pointer.ts';
import type { CompleteLimits, JsonSchema } from './port.ts';
import { isOverridden, isSchemaObject } from './references.ts';
import { choice, closed, list, member, merge, refine, unique } from './refine.ts';

/** A schema in the form that typebox is given. */
export interface PreparedSchema {
  readonly schema: JsonSchema;
  /** Checks have to be metered. */
  readonly metered: boolean;
  /** The nesting of values has to be looked at first. */
  readonly deep: boolean;
  /** The power with which the time of patterns for property names can grow. */
  readonly nameDegree: number;
}

/** Names that every object inherits, and that typebox would find in an object that has no such member. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Beyond this many applications of subschemas, checks are metered although the schema is not recursive. */
const METERED_SIZE = 1_000;

/** Up to this many applications of subschemas, references are replaced by what they refer to. */
const INLINED_SIZE = 300;

/** No string is longer (V8, SpiderMonkey and JavaScriptCore stay below); typebox doubles the number in 32 bits. */
const LONGEST_STRING = 0x1fff_ffff;

/**
 * Rewrites a schema for typebox into one dialect and one document without identifiers: every reference that is left is
 * `#/$defs/<number>`, dynamic ones have been decided, keywords of other dialects and unknown ones are gone, and patterns
 * are our own checks.
 */
export function prepareSchema(
  graph: SchemaGraph,
  limits: CompleteLimits,
  meter: Meter,
  formats: ReadonlySet<string> | undefined,
): PreparedSchema | DragomanError {
  return new Preparation(graph, limits, meter, formats).run();
}

class Preparation {
  readonly #graph: SchemaGraph;
  readonly #limits: CompleteLimits;
  readonly #meter: Meter;
  readonly #formats: ReadonlySet<string> | undefined;
  readonly #names = new Map<SchemaNode, string>();
  readonly #queue: SchemaNode[] = [];
  #metered: boolean;
  #deep: boolean;
  #nameDegree = 0;
  #written = 0;
  #problem: DragomanError | undefined;

  constructor(graph: SchemaGraph, limits: CompleteLimits, meter: Meter, formats: ReadonlySet<string> | undefined) {
    this.#graph = graph;
    this.#limits = limits;
    this.#meter = meter;
    this.#formats = formats;
    this.#metered = graph.size > METERED_SIZE;
    this.#deep = graph.recursive;
  }

  run(): PreparedSchema | DragomanError {
    const { root } = this.#graph;
    const metered = this.#metered;
    const schema = this.#writeForObjects(root);
    const definitions = Object.create(null) as JsonObject;
    for (let node = this.#queue.shift(); node !== undefined; node = this.#queue.shift()) {
      const body = this.#writeForObjects(node);
      definitions[this.#names.get(node)!] = metered
        ? { allOf: [{ '~refine': [{ check: this.#meter.step, error: () => '' }] }, body] }
        : body;
      if (this.#problem !== undefined) return this.#problem;
    }
    if (this.#problem !== undefined) return this.#problem;
    return {
      // With $schema typebox does not look for the bases of draft-04 identifiers.
      schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, $defs: definitions },
      metered: this.#metered || this.#nameDegree > 1,
      deep: this.#deep,
      nameDegree: this.#nameDegree,
    };
  }

  /** `left` is a keyword to leave out. */
  #write(node: SchemaNode, left?: string): JsonObject {
    const out: JsonObject = {};
    // A schema inside another that is referred to by itself is written twice, so nesting can multiply.
    if (++this.#written > this.#limits.maxNodes * 4) {
      this.#problem ??= schemaError('limit', node.place.pointer, 'its references nest too much to be compiled');
      return out;
    }
    const { schema, place } = node;
    const rules = keywordsOf(place.dialect);
    for (const keyword of Object.keys(schema)) {
      if (isOverridden(schema, keyword, place.dialect) || keyword === left) continue;
      if (rules.has(keyword)) this.#keyword(node, keyword, out);
    }
    if (Object.hasOwn(schema, 'const') && !isOverridden(schema, 'const', place.dialect))
      choice(out, 'const', [schema.const]);
    for (const target of node.references) this.#reference(target, out);
    return out;
  }

  /** typebox holds the places of a list for its property names, so a schema that says something of properties is not for lists. */
  #writeForObjects(node: SchemaNode): JsonObject {
    const keyword = 'unevaluatedProperties';
    const { schema, place } = node;
    const applies = Object.hasOwn(schema, keyword) && keywordsOf(place.dialect).has(keyword);
    if (!applies || excludesLists(schema.type)) return this.#write(node);
    const isList = { type: 'array' };
    return {
      allOf: [
        { if: isList, else: this.#write(node) },
        { if: { not: isList }, else: this.#write(node, keyword) },
      ],
    };
  }

  #keyword(node: SchemaNode, keyword: string, out: JsonObject): void {
    const value = node.schema[keyword];
    switch (keyword) {
      case 'enum':
        choice(out, 'enum', value as readonly unknown[]);
        return;
      case 'type':
      case 'minimum':
      case 'maximum':
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
      case 'minItems':
      case 'maxItems':
      case 'minProperties':
      case 'maxProperties':
        out[keyword] = value;
        return;
      case 'minLength':
      case 'maxLength':
        out[keyword] = Math.min(value as number, LONGEST_STRING);
        return;
      case 'uniqueItems':
        if (value !== true) return;
        unique(out);
        this.#deep = true;
        return;
      case 'multipleOf':
        refine(out, 'multipleOf', `must be a multiple of ${value}`, (number) =>
          typeof number !== 'number' ? true : isMultipleOf(number, value as number),
        );
        return;
      case 'pattern':
        this.#pattern(value as string, out);
        return;
      case 'format':
        if (this.#formats?.has(value as string) === true) out.format = value;
        return;
      case 'required':
        this.#required(value as readonly string[], out);
        return;
      case 'dependentRequired':
      case 'dependentSchemas':
      case 'dependencies':
        this.#dependencies(node, value as JsonObject, out);
        return;
      case 'properties':
        for (const [name, subschema] of Object.entries(value as JsonObject)) {
          const own = inherited.has(name);
          member(out, own ? 'patternProperties' : 'properties')[own ? `^${name}$` : name] = this.#child(
            subschema,
            node,
          );
        }
        return;
      case 'patternProperties':
        this.#patternProperties(node, value as JsonObject, out);
        return;
      case 'additionalProperties':
        if (value === false && !this.#graph.unevaluated && !Object.hasOwn(node.schema, 'patternProperties')) {
          closed(out, Object.keys((node.schema.properties as JsonObject | undefined) ?? {}));
        } else out[keyword] = this.#child(value, node);
        return;
      case 'not':
      case 'if':
        // Only a branch that passes says what it evaluated; of these two, typebox also believes one that fails.
        out[keyword] = this.#graph.unevaluated ? { allOf: [this.#child(value, node)] } : this.#child(value, node);
        return;
      case 'then':
      case 'else':
      case 'propertyNames':
        out[keyword] = this.#child(value, node);
        return;
      case 'allOf':
        for (const subschema of value as unknown[]) list(out, 'allOf').push(this.#child(subschema, node));
        return;
      case 'anyOf':
      case 'oneOf':
      case 'prefixItems':
        out[keyword] = (value as unknown[]).map((subschema) => this.#child(subschema, node));
        return;
      case 'unevaluatedProperties':
      case 'unevaluatedItems':
        out[keyword] = this.#apart(value, node);
        return;
      case 'contains':
        this.#contains(node, out);
        return;
      case 'items':
        this.#items(node, out);
        return;
    }
  }

  /** A subschema as it is written where it stands. */
  #child(subschema: unknown, node: SchemaNode): JsonSchema {
    if (!isSchemaObject(subschema)) return subschema as boolean;
    return this.#writeForObjects(this.#graph.at(subschema, node));
  }

  /** A subschema whose evaluated members do not count for the schema around it; typebox adds them to the same set. */
  #apart(subschema: unknown, node: SchemaNode): JsonSchema {
    const child = this.#child(subschema, node);
    return this.#graph.unevaluated && typeof child !== 'boolean' ? { not: { not: child } } : child;
  }

  #reference(target: SchemaNode | boolean, out: JsonObject): void {
    if (target === true) return;
    if (target === false) {
      list(out, 'allOf').push(false);
      return;
    }
    // Where typebox interprets, it resolves a reference anew in every check.
    if (this.#graph.size <= INLINED_SIZE) {
      const body = this.#writeForObjects(target);
      if (Object.keys(out).length === 0) Object.assign(out, body);
      else list(out, 'allOf').push(body);
      return;
    }
    let name = this.#names.get(target);
    if (name === undefined) {
      name = String(this.#names.size);
      this.#names.set(target, name);
      this.#queue.push(target);
    }
    const reference = `#/$defs/${name}`;
    if (out.$ref === undefined) out.$ref = reference;
    else list(out, 'allOf').push({ $ref: reference });
  }

  #pattern(source: string, out: JsonObject): void {
    const pattern = compilePattern(source)!;
    const degree = this.#limits.trusted ? 1 : patternDegree(pattern);
    const meter = this.#meter;
    if (degree > 0) this.#metered = true;
    refine(out, 'pattern', `must match the pattern ${show(source)}`, (text) => {
      if (typeof text !== 'string') return true;
      if (degree > 0) meter.read(text.length, degree);
      return pattern.test(text);
    });
  }

  #patternProperties(node: SchemaNode, value: JsonObject, out: JsonObject): void {
    for (const [source, subschema] of Object.entries(value)) {
      const unicode = toUnicodePattern(source);
      const pointer = `${node.place.pointer}/patternProperties`;
      if (unicode === undefined) {
        this.#problem ??= schemaError('malformed', pointer, `pattern ${show(source)} is not valid with the u flag`);
        continue;
      }
      if (/\\[1-9k]/.test(unicode)) {
        this.#problem ??= schemaError(
          'malformed',
          pointer,
          `pattern ${show(source)} refers back, which is not supported here`,
        );
        continue;
      }
      if (!this.#limits.trusted) this.#nameDegree = Math.max(this.#nameDegree, patternDegree(new RegExp(unicode, 'u')));
      const patterns = member(out, 'patternProperties');
      const child = this.#child(subschema, node);
      // Two sources can become one: a name and the pattern for just that name.
      patterns[unicode] = Object.hasOwn(patterns, unicode) ? { allOf: [patterns[unicode], child] } : child;
    }
  }

  #required(names: readonly string[], out: JsonObject): void {
    const plain = names.filter((name) => !inherited.has(name));
    if (plain.length > 0) out.required = [...new Set(plain)];
    for (const name of names) {
      if (inherited.has(name))
        refine(out, 'required', name, (value) => !isSchemaObject(value) || Object.hasOwn(value, name));
    }
  }

  #dependencies(node: SchemaNode, value: JsonObject, out: JsonObject): void {
    for (const [name, dependent] of Object.entries(value)) {
      const subschema: JsonSchema = Array.isArray(dependent) ? {} : this.#child(dependent, node);
      const names = Array.isArray(dependent) ? (dependent as string[]) : undefined;
      if (!inherited.has(name) && names?.some((other) => inherited.has(other)) !== true) {
        if (names === undefined) merge(member(out, 'dependentSchemas'), name, subschema);
        else
          member(out, 'dependentRequired')[name] = [
            ...names,
            ...((member(out, 'dependentRequired')[name] as string[]) ?? []),
          ];
        continue;
      }
      if (names !== undefined && isSchemaObject(subschema)) this.#required(names, subschema);
      const has: JsonObject = {};
      refine(has, 'required', name, (object) => isSchemaObject(object) && Object.hasOwn(object, name));
      list(out, 'allOf').push({ if: { not: has }, else: subschema });
    }
  }

  #contains(node: SchemaNode, out: JsonObject): void {
    const { schema, place } = node;
    const counted: JsonObject = { contains: this.#apart(schema.contains, node) };
    for (const keyword of ['minContains', 'maxContains']) {
      if (Object.hasOwn(schema, keyword) && place.dialect !== 'draft-07') counted[keyword] = schema[keyword];
    }
    // Only since 2020-12 does an item that contains found count as evaluated (2020-12 core §11.2).
    if (this.#graph.unevaluated && place.dialect !== '2020-12') list(out, 'allOf').push({ not: { not: counted } });
    else Object.assign(out, counted);
  }

  #items(node: SchemaNode, out: JsonObject): void {
    const { schema } = node;
    if (!Array.isArray(schema.items)) {
      out.items = this.#child(schema.items, node);
      return;
    }
    if (schema.items.length > 0) out.prefixItems = schema.items.map((subschema) => this.#child(subschema, node));
    if (schema.additionalItems !== undefined) out.items = this.#child(schema.additionalItems, node);
  }
}

function excludesLists(type: unknown): boolean {
  return Array.isArray(type) ? !type.includes('array') : type !== undefined && type !== 'array';
}

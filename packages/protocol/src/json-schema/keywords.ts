import type { SchemaDialect } from './dialect.ts';

/** What the value of a keyword must be. */
export type KeywordShape =
  | 'schema'
  | 'schemas'
  | 'schemaMap'
  /** `items` before 2020-12: one schema, or one per place. */
  | 'schemaOrSchemas'
  /** `dependencies`: a schema or a list of names per member. */
  | 'dependencies'
  | 'type'
  | 'enum'
  | 'pattern'
  | 'number'
  | 'positive'
  | 'count'
  | 'string'
  | 'boolean'
  | 'names'
  | 'namesMap'
  | 'id'
  | 'anchor'
  | 'reference';

/** How subschemas of a keyword are applied: to the same value, to parts of it, or only when referred to. */
type KeywordReach = 'same' | 'part' | 'none';

/** What is known of a keyword. */
export interface KeywordRule {
  readonly shape: KeywordShape;
  readonly reach: KeywordReach;
  readonly dialects: readonly SchemaDialect[];
  /** Says something to people only: a wrong value never changes what a check answers. */
  readonly annotation: boolean;
}

const all: readonly SchemaDialect[] = ['2020-12', '2019-09', 'draft-07'];
const since2019: readonly SchemaDialect[] = ['2020-12', '2019-09'];
const until2019: readonly SchemaDialect[] = ['2019-09', 'draft-07'];
const only2019: readonly SchemaDialect[] = ['2019-09'];
const only2020: readonly SchemaDialect[] = ['2020-12'];

type Row = readonly [
  names: string,
  shape: KeywordShape,
  dialects: readonly SchemaDialect[],
  reach?: KeywordReach,
  annotation?: true,
];

// `definitions` and `dependencies` are deprecated after draft-07, yet stand in the later metaschemas and in many schemas.
const rows: readonly Row[] = [
  ['$id', 'id', all],
  ['$ref', 'reference', all],
  ['$anchor', 'anchor', since2019],
  ['$dynamicAnchor', 'anchor', only2020],
  ['$dynamicRef', 'reference', only2020],
  ['$recursiveRef', 'reference', only2019],
  ['$recursiveAnchor', 'boolean', only2019],
  ['$defs', 'schemaMap', since2019, 'none'],
  ['definitions', 'schemaMap', all, 'none'],
  ['allOf anyOf oneOf', 'schemas', all, 'same'],
  ['not if then else', 'schema', all, 'same'],
  ['dependentSchemas', 'schemaMap', since2019, 'same'],
  ['dependencies', 'dependencies', all, 'same'],
  ['properties patternProperties', 'schemaMap', all, 'part'],
  ['additionalProperties propertyNames contains', 'schema', all, 'part'],
  ['unevaluatedProperties unevaluatedItems', 'schema', since2019, 'part'],
  ['prefixItems', 'schemas', only2020, 'part'],
  ['items', 'schema', only2020, 'part'],
  ['items', 'schemaOrSchemas', until2019, 'part'],
  ['additionalItems', 'schema', until2019, 'part'],
  ['type', 'type', all],
  ['enum', 'enum', all],
  ['multipleOf', 'positive', all],
  ['minimum maximum exclusiveMinimum exclusiveMaximum', 'number', all],
  ['minLength maxLength minItems maxItems minProperties maxProperties', 'count', all],
  ['minContains maxContains', 'count', since2019],
  ['pattern', 'pattern', all],
  ['uniqueItems', 'boolean', all],
  ['required', 'names', all],
  ['dependentRequired', 'namesMap', since2019],
  ['format', 'string', all],
  ['contentSchema', 'schema', since2019, 'none', true],
  ['title description $comment contentEncoding contentMediaType', 'string', all, 'none', true],
  ['readOnly writeOnly', 'boolean', all, 'none', true],
  ['deprecated', 'boolean', since2019, 'none', true],
];

function table(dialect: SchemaDialect): ReadonlyMap<string, KeywordRule> {
  const rules = new Map<string, KeywordRule>();
  for (const [names, shape, dialects, reach = 'none', annotation = false] of rows) {
    if (!dialects.includes(dialect)) continue;
    for (const name of names.split(' ')) rules.set(name, { shape, reach, dialects, annotation });
  }
  return rules;
}

const tables: { readonly [D in SchemaDialect]: ReadonlyMap<string, KeywordRule> } = {
  '2020-12': table('2020-12'),
  '2019-09': table('2019-09'),
  'draft-07': table('draft-07'),
};

/** The keywords of a dialect. What is not in it is an unknown keyword, and means nothing (core §6.5). */
export function keywordsOf(dialect: SchemaDialect): ReadonlyMap<string, KeywordRule> {
  return tables[dialect];
}

/** Calls `visit` for every subschema that a keyword holds. `tokens` are the pointer tokens below the keyword. Stops at the first answer. */
export function eachSubschema<T>(
  shape: KeywordShape,
  value: unknown,
  visit: (subschema: unknown, ...tokens: string[]) => T | undefined,
): T | undefined {
  switch (shape) {
    case 'schema':
      return visit(value);
    case 'schemas':
      return Array.isArray(value) ? eachOf(value, visit) : undefined;
    case 'schemaOrSchemas':
      return Array.isArray(value) ? eachOf(value, visit) : visit(value);
    case 'schemaMap':
    case 'dependencies': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
      for (const name of Object.keys(value)) {
        const member = (value as { [name: string]: unknown })[name];
        if (shape === 'dependencies' && Array.isArray(member)) continue;
        const answer = visit(member, name);
        if (answer !== undefined) return answer;
      }
      return undefined;
    }
    default:
      return undefined;
  }
}

function eachOf<T>(
  list: readonly unknown[],
  visit: (subschema: unknown, ...tokens: string[]) => T | undefined,
): T | undefined {
  for (let i = 0; i < list.length; i++) {
    const answer = visit(list[i], String(i));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

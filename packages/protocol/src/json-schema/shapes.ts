import type { SchemaFault } from './copy.ts';
import type { KeywordShape } from './keywords.ts';
import { patternDanger } from './pattern.ts';
import { compilePattern } from './pattern-compile.ts';
import { show } from './pointer.ts';
import type { CompleteLimits } from './port.ts';

/** What is wrong with the value of a keyword. */
export interface ShapeProblem {
  readonly reason: SchemaFault;
  readonly text: string;
  /** The part that is wrong, where that is not the whole value. */
  readonly token?: string;
}

const typeNames: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const typeList = [...typeNames].join(', ');

const malformed = (text: string, token?: string): ShapeProblem =>
  token === undefined ? { reason: 'malformed', text } : { reason: 'malformed', text, token };

/** Checks the value of a keyword by itself: not the subschemas in it, and not where references lead. */
export function checkShape(
  keyword: string,
  shape: KeywordShape,
  value: unknown,
  limits: CompleteLimits,
): ShapeProblem | undefined {
  switch (shape) {
    case 'type':
      return checkType(value);
    case 'enum':
      if (!Array.isArray(value)) return mustBe(keyword, 'a list', value);
      return value.length > limits.maxEnum
        ? { reason: 'limit', text: `enum has ${value.length} members, more than ${limits.maxEnum} (maxEnum)` }
        : undefined;
    case 'number':
      return typeof value === 'number' ? undefined : mustBe(keyword, 'a number', value);
    case 'positive':
      return typeof value === 'number' && value > 0 ? undefined : mustBe(keyword, 'a number above 0', value);
    case 'count':
      return Number.isInteger(value) && (value as number) >= 0
        ? undefined
        : mustBe(keyword, 'a whole number, 0 or above', value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mustBe(keyword, 'true or false', value);
    case 'string':
    case 'reference':
      return typeof value === 'string' ? undefined : mustBe(keyword, 'a string', value);
    case 'id':
      if (typeof value !== 'string') return mustBe(keyword, 'a string', value);
      return undefined;
    case 'anchor':
      return typeof value === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value)
        ? undefined
        : mustBe(keyword, 'a plain name (a letter or _, then letters, digits, - . _)', value);
    case 'pattern':
      return typeof value === 'string' ? checkPattern(value, limits) : mustBe(keyword, 'a string', value);
    case 'names':
      return checkNames(keyword, value, limits);
    case 'namesMap':
      return isMap(value)
        ? firstOf(value, (names) => checkNames('a list of names', names, limits))
        : mustBe(keyword, 'an object', value);
    case 'dependencies':
      return isMap(value)
        ? firstOf(value, (names) => (Array.isArray(names) ? checkNames('a list of names', names, limits) : undefined))
        : mustBe(keyword, 'an object', value);
    case 'schemaMap':
      if (!isMap(value)) return mustBe(keyword, 'an object of schemas', value);
      return keyword === 'patternProperties' ? firstOf(value, (_, name) => checkPattern(name, limits)) : undefined;
    case 'schemas':
      return Array.isArray(value) && value.length > 0
        ? undefined
        : mustBe(keyword, 'a list of schemas, not empty', value);
    case 'schema':
      if (!Array.isArray(value)) return undefined;
      return keyword === 'items'
        ? malformed(
            'items is one schema in this dialect; a schema per place goes in prefixItems (or $schema names draft-07)',
          )
        : mustBe(keyword, 'a schema', value);
    case 'schemaOrSchemas':
      return undefined;
  }
}

function mustBe(keyword: string, what: string, value: unknown): ShapeProblem {
  return malformed(`${keyword} must be ${what}, not ${show(value)}`);
}

function checkType(value: unknown): ShapeProblem | undefined {
  if (typeNames.has(value)) return undefined;
  if (Array.isArray(value) && value.length > 0) {
    if (value.every((name) => typeNames.has(name)) && new Set(value).size === value.length) return undefined;
  }
  return mustBe('type', `one of ${typeList}, or a list of different ones of them`, value);
}

function checkNames(keyword: string, value: unknown, limits: CompleteLimits): ShapeProblem | undefined {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
    return mustBe(keyword, 'a list of property names', value);
  }
  // A name given twice is against the metaschema and changes nothing.
  return limits.trusted && new Set(value).size !== value.length
    ? malformed(`${keyword} names a property twice: ${show(value)}`)
    : undefined;
}

function checkPattern(source: string, limits: CompleteLimits): ShapeProblem | undefined {
  if (source.length > limits.maxPatternLength) {
    return {
      reason: 'limit',
      text: `a pattern of ${source.length} characters is longer than ${limits.maxPatternLength} (maxPatternLength)`,
    };
  }
  const pattern = compilePattern(source);
  if (pattern === undefined) return malformed(`pattern ${show(source)} is not a regular expression (ECMA-262)`);
  if (limits.trusted) return undefined;
  const danger = patternDanger(pattern);
  return danger === undefined
    ? undefined
    : {
        reason: 'pattern',
        text: `pattern ${show(source)} is refused because a text can be made that it takes exponential time on: ${danger}`,
      };
}

function isMap(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstOf(
  map: { readonly [name: string]: unknown },
  check: (value: unknown, name: string) => ShapeProblem | undefined,
): ShapeProblem | undefined {
  for (const name of Object.keys(map)) {
    const problem = check(map[name], name);
    if (problem !== undefined) return { ...problem, token: name };
  }
  return undefined;
}

import type { JsonObject } from '@dragoman/protocol';
import { expectationOf, type JsonType, membersOf, partOf } from '../arguments/expectation.ts';
import { isObject, type Schema, SchemaDocument } from '../arguments/schema-document.ts';
import type { Cell } from '../output/table.ts';
import { escapeLine } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';

/** Levels of nesting that are shown; what lies deeper is in the JSON below the table. */
const DEPTH = 4;
/** Rows of one table. */
const ROWS = 200;

/** The members of an object's schema as rows: name as it is written in arguments, type, whether it is required, description. */
export function schemaRows(schema: Schema, style: Style): Cell[][] {
  const rows: Cell[][] = [];
  const document = new SchemaDocument(schema);
  addMembers(document, schema, '', [], rows, style);
  return rows;
}

function addMembers(
  document: SchemaDocument,
  schema: Schema,
  prefix: string,
  above: readonly Schema[],
  rows: Cell[][],
  style: Style,
): void {
  const { names, required } = membersOf(document, schema);
  for (const name of names) {
    const part = partOf(document, schema, { name }) ?? {};
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (rows.length >= ROWS) return;
    rows.push(rowOf(document, part, key, required.has(name), style));
    addParts(document, part, key, [...above, schema], rows, style);
  }
}

function addParts(
  document: SchemaDocument,
  part: Schema,
  key: string,
  above: readonly Schema[],
  rows: Cell[][],
  style: Style,
): void {
  // A schema that contains itself goes on for ever, and a reference leads to the very same object again.
  if (
    above.length >= DEPTH ||
    above.includes(part) ||
    targetsOf(document, part).some((target) => above.includes(target))
  )
    return;
  addMembers(document, part, key, above, rows, style);
  const item = partOf(document, part, { append: true });
  if (item !== undefined && membersOf(document, item).names.length > 0) {
    addParts(document, item, `${key}[]`, above, rows, style);
  }
}

const targetsOf = (document: SchemaDocument, schema: Schema): Schema[] =>
  typeof schema === 'boolean' ? [] : document.targets(schema);

function rowOf(document: SchemaDocument, schema: Schema, key: string, required: boolean, style: Style): Cell[] {
  const fallback = expectationOf(document, schema).fallback;
  const need = required
    ? 'required'
    : fallback === undefined
      ? ''
      : `default ${short(JSON.stringify(fallback.value) ?? '')}`;
  return [
    { text: escapeLine(key), paint: style.bold },
    { text: escapeLine(typeText(document, schema)), paint: style.cyan },
    { text: escapeLine(need), paint: required ? style.yellow : style.dim },
    { text: escapeLine(wordsOf(document, schema)) },
  ];
}

/** The first title or description found on the schema or behind its references. */
function wordsOf(document: SchemaDocument, schema: Schema): string {
  for (const own of [schema, ...targetsOf(document, schema), ...allOf(schema)]) {
    if (typeof own === 'boolean') continue;
    const text = typeof own.description === 'string' ? own.description : own.title;
    if (typeof text === 'string') return text.replace(/\s+/g, ' ').trim();
  }
  return '';
}

const allOf = (schema: Schema): Schema[] =>
  isObject(schema) && Array.isArray(schema.allOf) ? schema.allOf.filter((own): own is Schema => isObject(own)) : [];

/** `integer 1..12`, `"a" | "b"`, `string[]`: a type for people. */
export function typeText(document: SchemaDocument, schema: Schema): string {
  const expected = expectationOf(document, schema);
  if (expected.values !== undefined) {
    const shown = expected.values.slice(0, 8).map((value) => JSON.stringify(value));
    return short(shown.join(' | ') + (expected.values.length > shown.length ? ' | …' : ''));
  }
  if (expected.types === undefined) return 'any';
  const item = expected.types.includes('array') ? partOf(document, schema, { append: true }) : undefined;
  const keywords = isObject(schema) ? schema : {};
  const names = expected.types.map((type) => nameOf(type, item === undefined ? undefined : itemText(document, item)));
  return (names.join(' | ') || 'nothing') + boundsOf(keywords).join('');
}

function itemText(document: SchemaDocument, item: Schema): string {
  const types = expectationOf(document, item).types;
  return types?.length === 1 ? types[0]! : 'any';
}

const nameOf = (type: JsonType, item: string | undefined): string =>
  type === 'array' && item !== undefined ? `${item}[]` : type;

/** ` 1..12`, `, at least 2 characters`, ` date`: what stands behind the type. */
function boundsOf(schema: JsonObject): string[] {
  const out: string[] = [];
  const range = (low: unknown, high: unknown, unit: string): void => {
    if (typeof low !== 'number' && typeof high !== 'number') return;
    if (typeof high !== 'number')
      out.push(low === 1 && unit !== '' ? ', not empty' : `, at least ${String(low)}${unit}`);
    else out.push(typeof low === 'number' ? ` ${low}..${high}${unit}` : `, at most ${high}${unit}`);
  };
  range(schema.minimum ?? schema.exclusiveMinimum, schema.maximum ?? schema.exclusiveMaximum, '');
  range(schema.minLength, schema.maxLength, ' characters');
  range(schema.minItems, schema.maxItems, ' items');
  if (typeof schema.format === 'string') out.push(` ${schema.format}`);
  if (typeof schema.pattern === 'string') out.push(` /${short(schema.pattern)}/`);
  return out;
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

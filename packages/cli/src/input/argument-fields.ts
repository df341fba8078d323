import type { JsonObject } from '@dragoman/protocol';
import { convertText } from '../arguments/convert.ts';
import { expectationOf, membersOf, partOf } from '../arguments/expectation.ts';
import { isObject, type Schema, SchemaDocument } from '../arguments/schema-document.ts';
import { typeText } from '../render/schema-table.ts';
import { escapeLine } from '../terminal/escape.ts';
import type { Field, FieldInput } from './field.ts';

/** Fields for the required arguments that were not given. */
export function missingFields(schema: Schema, given: JsonObject): Field[] {
  const document = new SchemaDocument(schema);
  const { names, required } = membersOf(document, schema);
  const missing = [...names, ...[...required].filter((name) => !names.includes(name))].filter(
    (name) => required.has(name) && !Object.hasOwn(given, name),
  );
  return missing.map((name) => fieldOf(document, name));
}

function fieldOf(document: SchemaDocument, name: string): Field {
  const part = partOf(document, document.root, { name }) ?? {};
  const words = isObject(part) && typeof part.description === 'string' ? `: ${part.description}` : '';
  const label = escapeLine(`${name}${words} [${typeText(document, part)}]`);
  return { name, label, required: true, input: inputOf(document, part) };
}

function inputOf(document: SchemaDocument, part: Schema): FieldInput {
  const expected = expectationOf(document, part);
  const values =
    expected.values ?? (expected.types?.length === 1 && expected.types[0] === 'boolean' ? [true, false] : undefined);
  if (values !== undefined && values.length > 0) {
    const choices = values.map((value) => ({
      value,
      label: escapeLine(typeof value === 'string' ? value : JSON.stringify(value)),
    }));
    return { kind: 'choice', choices };
  }
  const secret = isObject(part) && (part.format === 'password' || part.writeOnly === true);
  return { kind: 'text', secret, read: (text) => convertText(text, expected) };
}

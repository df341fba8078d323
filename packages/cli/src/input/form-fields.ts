import type { JsonObject } from '@dragoman/protocol';
import { isObject } from '../arguments/schema-document.ts';
import { escapeLine } from '../terminal/escape.ts';
import type { Choice } from './asker.ts';
import type { Field, FieldInput } from './field.ts';

/**
 * The fields of a form that a server asks for, with all four shapes of choice that the protocol has, and the older
 * `enumNames` (client/elicitation, "Requested Schema"). What cannot be shown has been refused before.
 */
export function formFields(schema: unknown): Field[] {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, property]) => {
    const field = isObject(property) ? property : {};
    const title = typeof field.title === 'string' ? field.title : name;
    const words = typeof field.description === 'string' ? `: ${field.description}` : '';
    return { name, label: escapeLine(title + words), required: required.includes(name), input: inputOf(field) };
  });
}

function inputOf(field: JsonObject): FieldInput {
  const items = isObject(field.items) ? field.items : undefined;
  const several = items === undefined ? undefined : choicesOf(items);
  if (several !== undefined) {
    const marked = Array.isArray(field.default) ? field.default : [];
    return {
      kind: 'choices',
      choices: several,
      initial: several.map((_, i) => i).filter((i) => marked.includes(several[i]!.value)),
      least: typeof field.minItems === 'number' ? field.minItems : 0,
      most: typeof field.maxItems === 'number' ? field.maxItems : Number.POSITIVE_INFINITY,
    };
  }
  const one = field.type === 'boolean' ? yesNo : choicesOf(field);
  if (one !== undefined) {
    const at = one.findIndex((choice) => choice.value === field.default);
    return { kind: 'choice', choices: one, initial: at < 0 ? undefined : at };
  }
  const initial = field.default === undefined || field.default === null ? undefined : String(field.default);
  const read = field.type === 'number' || field.type === 'integer' ? numberReader(field) : textReader(field);
  return { kind: 'text', initial, read };
}

const yesNo: readonly Choice<unknown>[] = [
  { value: true, label: 'yes' },
  { value: false, label: 'no' },
];

function choicesOf(field: JsonObject): readonly Choice<unknown>[] | undefined {
  const titled = [field.oneOf, field.anyOf].find(Array.isArray);
  if (titled !== undefined) {
    return titled.filter(isObject).map((option) => {
      const label = typeof option.title === 'string' ? option.title : String(option.const);
      const hint = label === option.const ? undefined : escapeLine(String(option.const));
      return { value: option.const, label: escapeLine(label), hint };
    });
  }
  if (!Array.isArray(field.enum)) return undefined;
  const names = Array.isArray(field.enumNames) ? field.enumNames : [];
  return field.enum.map((value, i) => ({
    value,
    label: escapeLine(typeof names[i] === 'string' ? names[i] : String(value)),
  }));
}

type Reader = (text: string) => { value: unknown } | { problem: string };

function numberReader(field: JsonObject): Reader {
  return (text) => {
    const value = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value)) return { problem: 'a number is needed' };
    if (field.type === 'integer' && !Number.isInteger(value)) return { problem: 'a whole number is needed' };
    if (typeof field.minimum === 'number' && value < field.minimum) return { problem: `at least ${field.minimum}` };
    if (typeof field.maximum === 'number' && value > field.maximum) return { problem: `at most ${field.maximum}` };
    return { value };
  };
}

function textReader(field: JsonObject): Reader {
  return (text) => {
    const length = [...text].length;
    if (typeof field.minLength === 'number' && length < field.minLength)
      return { problem: `at least ${field.minLength} characters` };
    if (typeof field.maxLength === 'number' && length > field.maxLength)
      return { problem: `at most ${field.maxLength} characters` };
    const problem = formats.get(field.format)?.(text);
    return problem === undefined ? { value: text } : { problem };
  };
}

const formats = new Map<unknown, (text: string) => string | undefined>([
  [
    'email',
    (text) => (/^[^\s@]+@[^\s@]+$/.test(text) ? undefined : 'an e-mail address is needed, as in ada@example.com'),
  ],
  ['uri', (text) => (URL.canParse(text) ? undefined : 'a URI is needed, as in https://example.com')],
  [
    'date',
    (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(text) ? undefined : 'a date is needed, as in 2026-07-28'),
  ],
  [
    'date-time',
    (text) =>
      /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text) &&
      !Number.isNaN(Date.parse(text))
        ? undefined
        : 'a date and time is needed, as in 2026-07-28T09:30:00Z',
  ],
]);

/** Whether a day exists: Date takes the 31st of every month for the next month's first. */
function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

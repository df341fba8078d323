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
  return field.type === 'number' || field.type === 'integer'
    ? { kind: 'text', hint: numberHint(field), initial, read: numberReader(field) }
    : { kind: 'text', hint: textHint(field), initial, read: textReader(field) };
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

function numberHint(field: JsonObject): string {
  return rangeText(field.minimum, field.maximum) ?? (field.type === 'integer' ? 'a whole number' : 'a number');
}

function textHint(field: JsonObject): string | undefined {
  const known = formats.get(field.format);
  if (known !== undefined) return known.hint;
  const range = rangeText(field.minLength, field.maxLength);
  return range === undefined ? undefined : `${range} characters`;
}

function rangeText(least: unknown, most: unknown): string | undefined {
  if (typeof least === 'number' && typeof most === 'number') return least === most ? `${least}` : `${least} to ${most}`;
  if (typeof least === 'number') return `at least ${least}`;
  return typeof most === 'number' ? `at most ${most}` : undefined;
}

function textReader(field: JsonObject): Reader {
  return (text) => {
    const length = [...text].length;
    if (typeof field.minLength === 'number' && length < field.minLength)
      return { problem: `at least ${field.minLength} characters` };
    if (typeof field.maxLength === 'number' && length > field.maxLength)
      return { problem: `at most ${field.maxLength} characters` };
    const format = formats.get(field.format);
    return format === undefined || format.fits(text)
      ? { value: text }
      : { problem: `${format.need} is needed, ${format.hint}` };
  };
}

interface Format {
  readonly need: string;
  readonly hint: string;
  readonly fits: (text: string) => boolean;
}

const formats = new Map<unknown, Format>([
  [
    'email',
    { need: 'an e-mail address', hint: 'as in ada@example.com', fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  ],
  ['uri', { need: 'a URI', hint: 'as in https://example.com', fits: (text) => URL.canParse(text) }],
  [
    'date',
    { need: 'a date', hint: 'as in 2026-07-28', fits: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(text) },
  ],
  [
    'date-time',
    {
      need: 'a date and time',
      hint: 'as in 2026-07-28T09:30:00Z',
      fits: (text) =>
        /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text) &&
        !Number.isNaN(Date.parse(text)),
    },
  ],
]);

/** Whether a day exists: Date takes the 31st of every month for the next month's first. */
function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

import type { Expectation, JsonType } from './expectation.ts';
import { typeOf } from './expectation.ts';

/** A value read from text, with a note where the schema left open what was meant; or what is wrong. */
export type Converted = { readonly value: unknown; readonly note?: string } | { readonly problem: string };

/** The order in which the types of a union are tried; text comes last, because all text is a string. */
const ORDER: readonly JsonType[] = ['boolean', 'integer', 'number', 'array', 'object', 'null', 'string'];

/** Reads text as the schema expects it. Nothing is guessed: `1.10` is text where text is expected. */
export function convertText(text: string, expected: Expectation): Converted {
  if (expected.values !== undefined) {
    const match = expected.values.find((value) =>
      typeof value === 'string' ? value === text : jsonEquals(text, value),
    );
    if (match !== undefined) return { value: match };
  }
  const types = expected.types ?? typesOfDefault(expected);
  if (types === undefined) return untyped(text);
  const stringFirst = types[0] === 'string';
  let problem: string | undefined;
  for (const type of ORDER) {
    if (!types.includes(type)) continue;
    // `null` is a word like any other where text is taken; key:=null says it for certain.
    if (types.includes('string') && (type === 'null' || (stringFirst && (type === 'integer' || type === 'number'))))
      continue;
    const fitted = fit(text, type);
    if ('value' in fitted) return fitted;
    problem ??= fitted.problem;
  }
  const wanted = types.length === 0 ? 'nothing: the schema takes no value' : types.map(article).join(' or ');
  return { problem: problem ?? `${show(text)} is not ${wanted}` };
}

/** Whether text is the JSON of a value that is not a string. */
function jsonEquals(text: string, value: unknown): boolean {
  const parsed = parse(text);
  return parsed !== undefined && JSON.stringify(parsed.value) === JSON.stringify(value);
}

function typesOfDefault(expected: Expectation): readonly JsonType[] | undefined {
  const value = expected.fallback?.value;
  if (value === undefined || value === null) return undefined;
  // A default of 5 does not say that 5.5 is wrong.
  return typeof value === 'number' ? ['number'] : [typeOf(value)];
}

function untyped(text: string): Converted {
  const parsed = parse(text);
  if (parsed === undefined) return { value: text };
  const type = typeOf(parsed.value);
  return { value: parsed.value, note: `its type is not declared: ${show(text)} is sent as ${article(type)}` };
}

function fit(text: string, type: JsonType): Converted {
  switch (type) {
    case 'string':
      return { value: text };
    case 'boolean':
      return text.trim() === 'true' || text.trim() === 'false' ? { value: text.trim() === 'true' } : misfit(text, type);
    case 'null':
      return text.trim() === 'null' ? { value: null } : misfit(text, type);
    case 'integer':
    case 'number':
      return fitNumber(text.trim(), type);
    case 'array':
    case 'object': {
      const parsed = parse(text);
      return parsed !== undefined && typeOf(parsed.value) === type ? { value: parsed.value } : misfit(text, type);
    }
  }
}

function fitNumber(text: string, type: 'integer' | 'number'): Converted {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return misfit(text, type);
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: `${show(text)} is larger than a number can be` };
  if (type === 'integer' && !Number.isInteger(value)) return misfit(text, type);
  // A digit that a number cannot hold must not change on its way.
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(value)) {
    return { problem: `${show(text)} has more digits than a number can hold exactly` };
  }
  return { value };
}

const misfit = (text: string, type: JsonType): Converted => ({
  problem: `${show(text)} is not ${article(type)}${advice(type)}`,
});

function advice(type: JsonType): string {
  if (type === 'boolean') return '; write true or false';
  if (type === 'array') return '; write it as JSON, or element by element as key[]=value';
  if (type === 'object') return '; write it as JSON, or member by member as key.member=value';
  return '';
}

const article = (type: JsonType): string => (type === 'null' ? 'null' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`);

const show = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

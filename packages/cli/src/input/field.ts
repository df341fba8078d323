import { type Asker, type Choice, CLOSED } from './asker.ts';

/** One field of a form, whatever schema it was made from. */
export interface Field {
  readonly name: string;
  /** What is shown, without control characters. */
  readonly label: string;
  readonly required: boolean;
  readonly input: FieldInput;
}

/** How a field is filled in. */
export type FieldInput =
  | {
      readonly kind: 'text';
      /** What may be typed, in a few words. */
      readonly hint?: string | undefined;
      readonly initial?: string | undefined;
      readonly secret?: boolean | undefined;
      /** Makes the value of a text that is not empty. */
      readonly read: (text: string) => { readonly value: unknown } | { readonly problem: string };
    }
  | { readonly kind: 'choice'; readonly choices: readonly Choice<unknown>[]; readonly initial?: number | undefined }
  | {
      readonly kind: 'choices';
      readonly choices: readonly Choice<unknown>[];
      readonly initial: readonly number[];
      readonly least: number;
      readonly most: number;
    };

/** Leaves a field out. */
const NOTHING = Symbol('nothing');

/**
 * Asks for the fields one by one. A field that may be left empty and is, is absent.
 *
 * @param before what was given the last time, to begin with instead of the defaults
 * @returns the values by name, or CLOSED where the user closed the form.
 */
export async function fillIn(
  fields: readonly Field[],
  asker: Asker,
  before?: ReadonlyMap<string, unknown>,
): Promise<Map<string, unknown> | typeof CLOSED> {
  const values = new Map<string, unknown>();
  for (const field of fields) {
    const value = await ask(before === undefined ? field : beginningWith(before, field), asker);
    if (value === CLOSED) return CLOSED;
    if (value !== NOTHING) values.set(field.name, value);
  }
  return values;
}

/** The field with what was given before already in it. */
function beginningWith(before: ReadonlyMap<string, unknown>, field: Field): Field {
  const { input } = field;
  const value = before.get(field.name);
  switch (input.kind) {
    case 'text': {
      if (input.secret === true) return field;
      const initial = value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
      return { ...field, input: { ...input, initial } };
    }
    case 'choice': {
      const at = input.choices.findIndex((choice) => choice.value === value);
      return { ...field, input: { ...input, initial: at < 0 ? undefined : at } };
    }
    case 'choices':
      return { ...field, input: { ...input, initial: Array.isArray(value) ? indexesOf(input.choices, value) : [] } };
  }
}

const indexesOf = (choices: readonly Choice<unknown>[], values: readonly unknown[]): number[] =>
  choices.map((_, at) => at).filter((at) => values.includes(choices[at]!.value));

async function ask(field: Field, asker: Asker): Promise<unknown> {
  const { input, required } = field;
  const remarks = [
    input.kind === 'text' ? input.hint : input.kind === 'choices' ? amount(input.least, input.most) : undefined,
    required ? undefined : 'optional',
  ].filter((remark) => remark !== undefined);
  const message = remarks.length === 0 ? field.label : `${field.label} (${remarks.join(', ')})`;
  switch (input.kind) {
    case 'text':
      return askText(message, input, required, asker);
    case 'choice': {
      const nothing: Choice<unknown> = { value: NOTHING, label: '(leave out)' };
      const choices = required ? input.choices : [...input.choices, nothing];
      const initial = input.initial ?? (required ? undefined : choices.length - 1);
      return asker.choose({ message, choices, initial });
    }
    case 'choices':
      return askSeveral(message, input, required, asker);
  }
}

async function askText(
  message: string,
  input: Extract<FieldInput, { kind: 'text' }>,
  required: boolean,
  asker: Asker,
): Promise<unknown> {
  const read = (text: string): { value: unknown } | { problem: string } => {
    if (text !== '') return input.read(text);
    if (!required) return { value: NOTHING };
    // An empty text is a value where the schema takes it.
    const empty = input.read('');
    return 'value' in empty ? empty : { problem: 'a value is needed' };
  };
  const check = (text: string): string | undefined => {
    const given = read(text);
    return 'problem' in given ? given.problem : undefined;
  };
  const text = await asker.text({ message, initial: input.initial, secret: input.secret, check });
  if (text === CLOSED) return CLOSED;
  const given = read(text);
  return 'value' in given ? given.value : CLOSED;
}

async function askSeveral(
  message: string,
  input: Extract<FieldInput, { kind: 'choices' }>,
  required: boolean,
  asker: Asker,
): Promise<unknown> {
  for (let { initial } = input; ; ) {
    const chosen = await asker.chooseSeveral({
      message,
      choices: input.choices,
      initial,
      required: input.least > 0 && required,
    });
    if (chosen === CLOSED) return CLOSED;
    if (chosen.length === 0 && !required) return NOTHING;
    if (chosen.length >= input.least && chosen.length <= input.most) return chosen;
    asker.remark(`${chosen.length} are chosen; choose ${amount(input.least, input.most)}`);
    initial = indexesOf(input.choices, chosen);
  }
}

/** How many may be chosen; undefined where that is open. */
function amount(least: number, most: number): string | undefined {
  if (most === Number.POSITIVE_INFINITY) return least > 0 ? `at least ${least}` : undefined;
  if (least === most) return `${least}`;
  return least > 0 ? `${least} to ${most}` : `at most ${most}`;
}

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
 * @returns the values by name, or CLOSED where the user closed the form.
 */
export async function fillIn(fields: readonly Field[], asker: Asker): Promise<Map<string, unknown> | typeof CLOSED> {
  const values = new Map<string, unknown>();
  for (const field of fields) {
    const value = await ask(field, asker);
    if (value === CLOSED) return CLOSED;
    if (value !== NOTHING) values.set(field.name, value);
  }
  return values;
}

async function ask(field: Field, asker: Asker): Promise<unknown> {
  const { input, required } = field;
  const message = required ? field.label : `${field.label} (optional)`;
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
  for (;;) {
    const chosen = await asker.chooseSeveral({
      message: `${message}${amount(input.least, input.most)}`,
      choices: input.choices,
      initial: input.initial,
      required: input.least > 0 && required,
    });
    if (chosen === CLOSED) return CLOSED;
    if (chosen.length === 0 && !required) return NOTHING;
    if (chosen.length >= input.least && chosen.length <= input.most) return chosen;
    asker.say(`Choose${amount(input.least, input.most)}.`);
  }
}

function amount(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return least > 0 ? `, at least ${least}` : '';
  return least > 0 ? `, ${least} to ${most}` : `, at most ${most}`;
}

import type { Terminal } from '../terminal/terminal.ts';

/** The user closed the question without an answer. */
export const CLOSED = Symbol('closed');

/** Something to choose. */
export interface Choice<V> {
  readonly value: V;
  readonly label: string;
  readonly hint?: string | undefined;
}

/** Asks a person, one question at a time. Texts have no control characters. */
export interface Asker {
  /** Text that stands before the questions. */
  say(text: string): void;
  text(question: {
    readonly message: string;
    readonly initial?: string | undefined;
    readonly secret?: boolean | undefined;
    /** What is wrong with a text; undefined where nothing is. */
    readonly check: (text: string) => string | undefined;
  }): Promise<string | typeof CLOSED>;
  choose<V>(question: OneOf<V>): Promise<V | typeof CLOSED>;
  chooseSeveral<V>(question: SomeOf<V>): Promise<readonly V[] | typeof CLOSED>;
}

/** A question with one choice as its answer. */
export interface OneOf<V> {
  readonly message: string;
  readonly choices: readonly Choice<V>[];
  /** Index of the choice that is marked at first. */
  readonly initial?: number | undefined;
}

/** A question with any number of choices as its answer. */
export interface SomeOf<V> {
  readonly message: string;
  readonly choices: readonly Choice<V>[];
  /** Indexes of the choices that are marked at first. */
  readonly initial: readonly number[];
  readonly required: boolean;
}

/** Asks on a terminal. Questions go to standard error: standard output is the result's. */
export async function terminalAsker(terminal: Terminal, signal: AbortSignal): Promise<Asker> {
  const clack = await import('@clack/prompts');
  const streams = {
    input: terminal.stdin as NodeJS.ReadStream,
    output: terminal.stderr as NodeJS.WriteStream,
    signal,
  };
  const answer = <V>(given: V | symbol): V | typeof CLOSED => (typeof given === 'symbol' ? CLOSED : given);
  // Indexes stand for the values: clack takes only some kinds of value.
  const options = (choices: readonly Choice<unknown>[]) =>
    choices.map(({ label, hint }, value) => (hint === undefined ? { value, label } : { value, label, hint }));
  return {
    say(text) {
      terminal.stderr.write(`${text}\n`);
    },
    async text({ message, initial, secret, check }) {
      const validate = (text: string | undefined) => check(text ?? '');
      const given =
        secret === true
          ? await clack.password({ message, validate, ...streams })
          : await clack.text({
              message,
              validate,
              ...(initial === undefined ? {} : { initialValue: initial }),
              ...streams,
            });
      const text = answer(given);
      // An empty field comes back as undefined.
      return text === CLOSED ? CLOSED : ((text as string | undefined) ?? '');
    },
    async choose({ message, choices, initial }) {
      const given = answer<number>(
        await clack.select({
          message,
          options: options(choices),
          ...(initial === undefined ? {} : { initialValue: initial }),
          ...streams,
        }),
      );
      return given === CLOSED ? CLOSED : choices[given]!.value;
    },
    async chooseSeveral({ message, choices, initial, required }) {
      const given = answer<number[]>(
        await clack.multiselect({
          message,
          options: options(choices),
          initialValues: [...initial],
          required,
          ...streams,
        }),
      );
      return given === CLOSED ? CLOSED : given.map((index) => choices[index]!.value);
    },
  };
}

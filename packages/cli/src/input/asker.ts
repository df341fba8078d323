import { DragomanError } from '@dragoman/protocol';
import { styleOf, wantsColor } from '../terminal/style.ts';
import { type Terminal, widthOf } from '../terminal/terminal.ts';
import { wrapTo } from '../terminal/width.ts';

/** The user closed the question without an answer. */
export const CLOSED = Symbol('closed');

/** Something to choose. */
export interface Choice<V> {
  readonly value: V;
  readonly label: string;
  readonly hint?: string | undefined;
}

/** Asks a person, one question at a time. Texts have no control characters. Ctrl-C at a question rejects with ABORTED. */
export interface Asker {
  /** Text that stands before the questions. */
  say(text: string): void;
  /** A line between the questions of a form. */
  remark(line: string): void;
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
  const streams = { input: terminal.stdin as NodeJS.ReadStream, output: terminal.stderr as NodeJS.WriteStream };
  const gutter = styleOf(wantsColor('auto', terminal.stderr.isTTY === true, terminal.env)).dim(clack.S_BAR);
  /** One question, with a signal of its own: clack leaves its listeners on the one that it gets. */
  const ask = async <V>(
    question: (streams: Streams & { signal: AbortSignal }) => Promise<V | symbol>,
  ): Promise<V | typeof CLOSED> => {
    const end = new AbortController();
    const abort = (): void => end.abort();
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    // Escape closes the question; Ctrl-C is meant for the program, and clack makes the same of both.
    let interrupted = false;
    const onKey = (_: unknown, key: { name?: string; ctrl?: boolean } | undefined): void => {
      if (key?.ctrl === true && key.name === 'c') interrupted = true;
    };
    terminal.stdin.on('keypress', onKey);
    try {
      const given = await question({ ...streams, signal: end.signal });
      if (interrupted) throw new DragomanError('ABORTED', 'interrupted');
      return typeof given === 'symbol' ? CLOSED : given;
    } finally {
      signal.removeEventListener('abort', abort);
      terminal.stdin.off('keypress', onKey);
    }
  };
  // Indexes stand for the values: clack takes only some kinds of value.
  const options = (choices: readonly Choice<unknown>[]) =>
    choices.map(({ label, hint }, value) => (hint === undefined ? { value, label } : { value, label, hint }));
  return {
    say(text) {
      terminal.stderr.write(`${wrapTo(text, widthOf(terminal.stderr)).join('\n')}\n`);
    },
    remark(line) {
      terminal.stderr.write(`${gutter}  ${line}\n`);
    },
    async text({ message, initial, secret, check }) {
      const validate = (text: string | undefined) => check(text ?? '');
      const given = await ask<string | undefined>((where) =>
        secret === true
          ? clack.password({ message, validate, ...where })
          : clack.text({
              message,
              validate,
              ...(initial === undefined ? {} : { initialValue: initial }),
              ...where,
            }),
      );
      // An empty field comes back as undefined.
      return given === CLOSED ? CLOSED : (given ?? '');
    },
    async choose({ message, choices, initial }) {
      const given = await ask<number>((where) =>
        clack.select({
          message,
          options: options(choices),
          ...(initial === undefined ? {} : { initialValue: initial }),
          ...where,
        }),
      );
      return given === CLOSED ? CLOSED : choices[given]!.value;
    },
    async chooseSeveral({ message, choices, initial, required }) {
      const given = await ask<number[]>((where) =>
        clack.multiselect({
          message,
          options: options(choices),
          initialValues: [...initial],
          required,
          ...where,
        }),
      );
      return given === CLOSED ? CLOSED : given.map((index) => choices[index]!.value);
    },
  };
}

interface Streams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

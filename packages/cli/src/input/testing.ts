import type { InputContext } from '@dragoman/client';
import { type Asker, CLOSED, type OneOf, type SomeOf } from './asker.ts';

/** What a scripted person does at a question: types a text, picks labels, or closes it. */
export type Answer = string | readonly string[] | typeof CLOSED;

/** A person who answers by a script, and remembers what was shown. */
export class ScriptedAsker implements Asker {
  readonly shown: string[] = [];
  readonly #answers: Answer[];

  constructor(...answers: Answer[]) {
    this.#answers = answers;
  }

  get left(): number {
    return this.#answers.length;
  }

  say(text: string): void {
    this.shown.push(text);
  }

  remark(line: string): void {
    this.shown.push(`| ${line}`.trimEnd());
  }

  async text({ message, initial, check }: Parameters<Asker['text']>[0]): Promise<string | typeof CLOSED> {
    this.shown.push(initial === undefined ? message : `${message} [${initial}]`);
    for (;;) {
      const answer = this.#next();
      if (answer === CLOSED) return CLOSED;
      // An untouched field holds what it was shown with.
      const text = answer === '<default>' ? (initial ?? '') : String(answer);
      const problem = check(text);
      if (problem === undefined) return text;
      this.shown.push(`! ${problem}`);
    }
  }

  async choose<V>({ message, choices, initial }: OneOf<V>): Promise<V | typeof CLOSED> {
    this.shown.push(`${message} ${choices.map(({ label }) => label).join('|')}`);
    const answer = this.#next();
    if (answer === CLOSED) return CLOSED;
    const at = answer === '<default>' ? (initial ?? 0) : choices.findIndex(({ label }) => label === answer);
    if (at < 0) throw new Error(`${String(answer)} is not among ${choices.map(({ label }) => label).join(', ')}`);
    return choices[at]!.value;
  }

  async chooseSeveral<V>({ message, choices, initial }: SomeOf<V>): Promise<readonly V[] | typeof CLOSED> {
    this.shown.push(
      `${message} ${choices.map(({ label }, i) => (initial.includes(i) ? `[${label}]` : label)).join('|')}`,
    );
    const answer = this.#next();
    if (answer === CLOSED) return CLOSED;
    if (answer === '<default>') return choices.filter((_, at) => initial.includes(at)).map(({ value }) => value);
    return choices.filter(({ label }) => (answer as readonly string[]).includes(label)).map(({ value }) => value);
  }

  #next(): Answer {
    if (this.#answers.length === 0) throw new Error('nobody is left to answer');
    return this.#answers.shift()!;
  }
}

/** The surroundings of a question. */
export const context: InputContext = {
  key: 'k',
  method: 'tools/call',
  name: 'book',
  round: 1,
  server: 'https://mcp.example.com/mcp',
  serverInfo: { name: 'travel', version: '1' },
  signal: new AbortController().signal,
};

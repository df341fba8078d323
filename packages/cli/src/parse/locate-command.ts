import { commands } from '../commands/index.ts';
import { flagNames, type OptionSpec, takesValue } from '../options/option.ts';

/** The command line, taken apart as far as its command: options may stand before it and act all the same. */
export interface Located {
  /** The command's name as written; undefined where there is none. */
  readonly name: string | undefined;
  /** Everything else before `--`, in order. */
  readonly words: readonly string[];
  /** What follows `--`; undefined where there is none. */
  readonly command: readonly string[] | undefined;
}

/** Every option of every command, by each of its names. */
function optionsByName(): ReadonlyMap<string, OptionSpec> {
  const out = new Map<string, OptionSpec>();
  for (const command of commands.values()) {
    for (const group of command.options) {
      for (const option of group.options) for (const name of flagNames(option)) out.set(name, option);
    }
  }
  return out;
}

/** How many words an option takes up, its value included. */
function wordsOf(word: string, known: ReadonlyMap<string, OptionSpec>): number {
  if (word.startsWith('--')) {
    const option = known.get(word);
    return option !== undefined && takesValue(option) ? 2 : 1;
  }
  // In a cluster such as -qH, only the last letter can have its value in the next word.
  for (let i = 1; i < word.length; i += 1) {
    const option = known.get(`-${word[i]}`);
    if (option !== undefined && takesValue(option)) return i === word.length - 1 ? 2 : 1;
  }
  return 1;
}

/** Finds the command among the words. */
export function locateCommand(argv: readonly string[]): Located {
  const dashes = argv.indexOf('--');
  const words = dashes < 0 ? argv : argv.slice(0, dashes);
  const command = dashes < 0 ? undefined : argv.slice(dashes + 1);
  const known = optionsByName();
  let at = 0;
  while (at < words.length && words[at]!.startsWith('-') && words[at] !== '-') at += wordsOf(words[at]!, known);
  const name = words[at];
  if (name === undefined) return { name, words, command };
  return { name, words: [...words.slice(0, at), ...words.slice(at + 1)], command };
}

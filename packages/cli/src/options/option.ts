/** One option of a command, as data: commander, the help and the reference page are made from it. */
export interface OptionSpec {
  /** As commander spells them: `-H, --header <line>`; `<>` takes a value, none is a switch. */
  readonly flags: string;
  /** One line for the help. */
  readonly summary: string;
  /** May be given several times; the values come as a list. */
  readonly repeat?: boolean;
  /** The only values allowed. */
  readonly choices?: readonly string[];
  /** Turns the text into the value; throws INVALID_ARGUMENT with what is wrong and what is right. */
  readonly parse?: (text: string, option: string) => unknown;
  /** What holds when it is not given, in words. The code that uses the option applies it. */
  readonly fallback?: string;
  /** Environment variable that sets it where the flag is not given. */
  readonly env?: string;
}

/** Options that belong together in the help. */
export interface OptionGroup {
  readonly title: string;
  readonly options: readonly OptionSpec[];
}

/** The long name without dashes: `header` of `-H, --header <line>`. */
export function longName(spec: OptionSpec): string {
  return /--([a-z][a-z-]*)/.exec(spec.flags)![1]!;
}

/** The names it can be given by: `-H`, `--header`. */
export const flagNames = (spec: OptionSpec): readonly string[] => spec.flags.match(/--?[A-Za-z][a-z-]*/g)!;

/** Whether it takes a value. */
export const takesValue = (spec: OptionSpec): boolean => spec.flags.includes('<');

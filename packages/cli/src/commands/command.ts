import type { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import type { OptionGroup } from '../options/option.ts';

/** A positional argument besides SERVER. */
interface Operand {
  /** As the help shows it, in capitals. */
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  /** Takes all the words that are left. */
  readonly rest?: boolean;
}

/** One example in the help. */
interface Example {
  /** What follows `dragoman`. */
  readonly line: string;
  readonly what: string;
}

/** A command, as data. The parser, the help and the reference page are made from it; what it does is loaded only when it runs. */
export interface CommandSpec {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** Paragraphs for its own help. */
  readonly description?: readonly string[];
  /** Whether the first operand, or the words after `--`, name a server. */
  readonly server: boolean;
  readonly operands: readonly Operand[];
  readonly options: readonly OptionGroup[];
  readonly examples: readonly Example[];
  /** Works, but stands in no list. */
  readonly hidden?: boolean;
  readonly load: () => Promise<Action>;
}

/** What a command does. */
interface Action {
  run(invocation: Invocation): Promise<ExitCode>;
}

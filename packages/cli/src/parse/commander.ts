import { DragomanError } from '@dragoman/protocol';
import { Argument, Command, type Help, Option } from 'commander';
import type { CommandSpec } from '../commands/command.ts';
import { flagNames, longName, type OptionGroup, type OptionSpec, takesValue } from '../options/option.ts';
import { nearest } from './nearest.ts';

/** How SERVER may be written, for the help. */
const SERVER = 'a URL, a script file, a quoted command, or demo; or a command after --';

/** The name that an option's value has: `dryRun` of `--dry-run`, `input` of `--no-input`. */
export const memberName = (option: OptionSpec): string =>
  longName(option)
    .replace(/^no-/, '')
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Makes a value of the text that an option was given. */
export const optionValue = (option: OptionSpec, text: string, label: string): unknown =>
  option.parse === undefined ? text : option.parse(text, label);

/** One of an option's choices. Throws INVALID_ARGUMENT. */
export function chosen({ choices = [] }: OptionSpec, text: string, label: string): string {
  if (choices.includes(text)) return text;
  const near = nearest(text, choices);
  const all = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `${label} ${JSON.stringify(text)}: expected ${all}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
}

function commanderOption(spec: OptionSpec, group: OptionGroup): Option {
  const notes = [
    spec.fallback === undefined ? undefined : `default: ${spec.fallback}`,
    spec.env === undefined ? undefined : `env: ${spec.env}`,
  ].filter((note) => note !== undefined);
  const option = new Option(spec.flags, notes.length === 0 ? spec.summary : `${spec.summary} (${notes.join(', ')})`);
  option.helpGroup(`${group.title}:`);
  if (spec.choices !== undefined) {
    return option.choices([...spec.choices]).argParser((text: string) => chosen(spec, text, flagNames(spec).at(-1)!));
  }
  if (!takesValue(spec)) {
    if (spec.repeat === true) option.argParser((_, before: number | undefined) => (before ?? 0) + 1);
    return option;
  }
  const label = flagNames(spec).at(-1)!;
  return option.argParser((text: string, before: unknown) => {
    const value = optionValue(spec, text, label);
    return spec.repeat === true ? [...((before as readonly unknown[] | undefined) ?? []), value] : value;
  });
}

/** One line of a list in the help; what it means stands below where little room is left beside it. */
function formatItem(this: Help, term: string, termWidth: number, description: string): string {
  const width = this.helpWidth ?? 80;
  const room = width - termWidth - 4;
  if (description === '') return `  ${term}`;
  if (room >= 30) {
    const words = this.boxWrap(description, room).replaceAll('\n', `\n${' '.repeat(termWidth + 4)}`);
    return `  ${term.padEnd(termWidth)}  ${words}`;
  }
  return `  ${term}\n      ${this.boxWrap(description, width - 6).replaceAll('\n', '\n      ')}`;
}

/** The usage line of a command, without the program's name. */
export function usageOf(spec: CommandSpec): string {
  const operands = spec.operands.map((operand) => {
    const name = operand.rest === true ? `${operand.name}...` : operand.name;
    return operand.required ? name : `[${name}]`;
  });
  const words = spec.server ? ['SERVER', ...operands] : operands;
  return [...words, '[options]'].join(' ');
}

/** A commander command made from a command of the table. Operands are only counted by the caller, who knows of `--`. */
export function commanderCommand(spec: CommandSpec): Command {
  const command = new Command(`dragoman ${spec.name}`)
    .usage(usageOf(spec))
    .description(
      [`${spec.summary[0]!.toUpperCase()}${spec.summary.slice(1)}.`, ...(spec.description ?? [])].join('\n\n'),
    )
    .exitOverride()
    .configureHelp({ minWidthToWrap: 20, formatItem })
    .configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError: () => {} })
    .helpOption('-h, --help', 'show this');
  if (spec.server) command.addArgument(new Argument('[SERVER]', SERVER));
  for (const operand of spec.operands) {
    const name = operand.rest === true ? `${operand.name}...` : operand.name;
    command.addArgument(new Argument(`[${name}]`, operand.summary));
  }
  for (const group of spec.options) {
    for (const option of group.options) command.addOption(commanderOption(option, group));
  }
  command.allowExcessArguments(true);
  if (spec.examples.length > 0) {
    const lines = spec.examples.map((example) => `  dragoman ${example.line}\n      ${example.what}`);
    command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }
  return command;
}

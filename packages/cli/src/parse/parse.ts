import { DragomanError } from '@dragoman/protocol';
import type { CommanderError } from 'commander';
import type { CommandSpec } from '../commands/command.ts';
import { commands } from '../commands/index.ts';
import type { Options, ServerWords } from '../invocation.ts';
import { longName } from '../options/option.ts';
import { chosen, commanderCommand, memberName, optionValue, usageOf } from './commander.ts';
import { locateCommand } from './locate-command.ts';
import { nearest } from './nearest.ts';
import { overview } from './overview.ts';

/** What a command line asks for. */
export type Parsed =
  | { readonly kind: 'print'; readonly text: string }
  | {
      readonly kind: 'run';
      readonly command: CommandSpec;
      readonly server?: ServerWords;
      readonly operands: readonly string[];
      readonly options: Options;
    };

const wrong = (message: string): DragomanError => new DragomanError('INVALID_ARGUMENT', message);

/** Reads a command line; help is laid out in `width` columns. Throws INVALID_ARGUMENT, with what to write instead. */
export function parseCommandLine(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  version: string,
  width = Number.POSITIVE_INFINITY,
): Parsed {
  const located = locateCommand(argv);
  if (located.name === undefined) {
    if (located.words.some((word) => word === '--version' || word === '-V')) {
      return { kind: 'print', text: `${version}\n` };
    }
    const stray = located.words.find((word) => word !== '--help' && word !== '-h');
    if (stray !== undefined) throw wrong(`no command given, only ${stray}; dragoman --help lists the commands`);
    return { kind: 'print', text: overview(version, width) };
  }
  if (located.name === 'help') {
    const [about] = located.words;
    return { kind: 'print', text: about === undefined ? overview(version, width) : helpOf(specOf(about), width) };
  }
  const spec = specOf(located.name);
  const command = commanderCommand(spec);
  try {
    command.parse(located.words, { from: 'user' });
  } catch (reason) {
    if ((reason as CommanderError).code === 'commander.helpDisplayed')
      return { kind: 'print', text: helpOf(spec, width) };
    throw fromCommander(reason, spec);
  }
  const options = command.opts<Record<string, unknown>>();
  fillFromEnvironment(spec, options, env);
  return { kind: 'run', command: spec, options, ...splitOperands(spec, command.args, located.command) };
}

/** The help of one command, in at most so many columns, and never more than 100. */
export function helpOf(spec: CommandSpec, width = 100): string {
  let text = '';
  const command = commanderCommand(spec).configureOutput({
    writeOut: (part) => (text += part),
    getOutHelpWidth: () => Math.min(width, 100),
  });
  command.outputHelp();
  return text;
}

function specOf(name: string): CommandSpec {
  const spec = commands.get(name);
  if (spec !== undefined) return spec;
  if (/[/.:\s]/.test(name)) {
    throw wrong(
      `${JSON.stringify(name)} is not a command; to ask that server what it offers: dragoman info ${quoted(name)}`,
    );
  }
  const near = nearest(name, [...commands.keys()]);
  const remedy = near === undefined ? 'dragoman --help lists the commands' : `did you mean ${near}?`;
  throw wrong(`there is no command ${JSON.stringify(name)}; ${remedy}`);
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function fromCommander(reason: unknown, spec: CommandSpec): unknown {
  const error = reason as CommanderError;
  if (typeof error.code !== 'string' || !error.code.startsWith('commander.')) return reason;
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  if (error.code !== 'commander.unknownOption') return wrong(message);
  const takesArguments = spec.operands.some((operand) => operand.rest === true);
  const remedy = takesArguments ? '; arguments are written name=value, without dashes' : '';
  return wrong(`${message}${remedy}; dragoman ${spec.name} --help lists the options`);
}

function fillFromEnvironment(spec: CommandSpec, options: Record<string, unknown>, env: NodeJS.ProcessEnv): void {
  for (const group of spec.options) {
    for (const option of group.options) {
      const text = option.env === undefined ? undefined : env[option.env];
      const member = memberName(option);
      if (text === undefined || text === '' || options[member] !== undefined) continue;
      const label = `${option.env} (for --${longName(option)})`;
      options[member] = option.choices === undefined ? optionValue(option, text, label) : chosen(option, text, label);
    }
  }
}

function splitOperands(
  spec: CommandSpec,
  words: readonly string[],
  afterDashes: readonly string[] | undefined,
): { server?: ServerWords; operands: readonly string[] } {
  const usage = `usage: dragoman ${spec.name} ${usageOf(spec)}`;
  const operands = [...words];
  let server: ServerWords | undefined;
  if (afterDashes !== undefined) {
    if (!spec.server) throw wrong(`${spec.name} takes no server; ${usage}`);
    if (afterDashes.length === 0) throw wrong('the command after -- is missing');
    server = { command: afterDashes };
  } else if (spec.server) {
    const word = operands.shift();
    if (word === undefined || word === '') throw wrong(`SERVER is missing; ${usage}`);
    server = { word };
  }
  const missing = spec.operands[operands.length];
  if (missing?.required === true) {
    const where = afterDashes === undefined ? '' : ', and stands before --: the words after it are the server';
    throw wrong(`${missing.name} is missing${where}; ${usage}`);
  }
  const takesRest = spec.operands.at(-1)?.rest === true;
  if (!takesRest && operands.length > spec.operands.length) {
    const extra = operands[spec.operands.length]!;
    const where = afterDashes === undefined ? '' : ' (the words after -- are the server)';
    throw wrong(`${JSON.stringify(extra)} is one word too many${where}; ${usage}`);
  }
  return server === undefined ? { operands } : { server, operands };
}

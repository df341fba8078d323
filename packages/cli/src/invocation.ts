import type { LoggingLevel, Revision } from '@dragoman/protocol';
import type { CommandSpec } from './commands/command.ts';
import type { EnvHeader } from './options/values.ts';
import type { ColorMode } from './terminal/style.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The options as given. A member is absent where the option was not; a command sees only options of its own groups. */
export interface Options {
  protocol?: 'auto' | Revision;
  transport?: 'http' | 'stdio';
  header?: readonly (readonly [name: string, value: string])[];
  headerEnv?: readonly EnvHeader[];
  env?: readonly (readonly [name: string, value: string])[];
  cwd?: string;
  /** Milliseconds; 0 means none. */
  timeout?: number;
  /** Milliseconds; 0 means none. */
  maxTime?: number;
  /** Milliseconds; 0 means none. */
  connectTimeout?: number;
  logLevel?: LoggingLevel;
  traceparent?: string;
  ca?: string;
  cert?: string;
  key?: string;
  insecure?: boolean;
  /** False with `--no-cache`. */
  cache?: boolean;
  refresh?: boolean;
  trace?: string;

  output?: OutputFormat;
  json?: boolean;
  select?: string;
  save?: string;
  color?: ColorMode;
  quiet?: boolean;
  /** How often it was given. */
  verbose?: number;

  answer?: readonly (readonly [key: string, json: string])[];
  answers?: string;
  elicit?: readonly string[];
  elicitExec?: string;
  sampling?: string;
  samplingExec?: string;
  root?: readonly (readonly [name: string, path: string])[];
  /** False with `--no-input`. */
  input?: boolean;
  capabilities?: string;
  continuation?: string;

  args?: string;
  /** False with `--no-validate`. */
  validate?: boolean;
  strict?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  curl?: boolean;

  context?: readonly (readonly [name: string, value: string])[];

  tools?: boolean;
  prompts?: boolean;
  resources?: boolean;
  uri?: readonly string[];
  count?: number;
  /** Milliseconds. */
  for?: number;
  exec?: string;

  /** Port. */
  http?: number;
  stdio?: boolean;
}

export type OutputFormat = 'text' | 'json' | 'jsonl' | 'raw';

/** Which server is meant: the word that names it, or the words of a command after `--`. */
export type ServerWords = { readonly word: string } | { readonly command: readonly string[] };

/** One run of a command: what was asked for, and where. */
export interface Invocation {
  readonly command: CommandSpec;
  readonly server?: ServerWords;
  /** The operands besides SERVER, in order; a rest operand's words follow one by one. */
  readonly operands: readonly string[];
  readonly options: Options;
  readonly terminal: Terminal;
  /** Of this program. */
  readonly version: string;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
}

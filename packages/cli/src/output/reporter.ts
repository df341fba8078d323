import { commands } from '../commands/index.ts';
import type { Options, OutputFormat } from '../invocation.ts';
import { escapeLine, escapeText } from '../terminal/escape.ts';
import { type Style, styleOf, wantsColor } from '../terminal/style.ts';
import { type Terminal, widthOf } from '../terminal/terminal.ts';
import type { Envelope } from './envelope.ts';
import type { Failure } from './failure.ts';
import { compactJson, prettyJson } from './json.ts';
import { ProgressLine } from './progress-line.ts';

/** The program's name where it stands before a command to try. */
const invocations = new RegExp(`\\bdragoman (?=--help|(?:${[...commands.keys()].join('|')}) )`, 'g');

/** Lines that are shown of what a process wrote to its standard error before it failed. */
const SAID = 20;

/** Writes what a command has to say: results to standard output, everything else to standard error. */
export class Reporter {
  readonly format: OutputFormat;
  /** For standard output. */
  readonly style: Style;
  /** For standard error. */
  readonly sideStyle: Style;
  /** Columns of standard output. */
  readonly width: number;
  readonly progress: ProgressLine;
  readonly #terminal: Terminal;
  readonly #quiet: boolean;
  readonly #warnings = new Set<string>();

  constructor(terminal: Terminal, options: Options) {
    const mode = options.color ?? 'auto';
    this.format = options.json === true ? 'json' : (options.output ?? 'text');
    this.style = styleOf(wantsColor(mode, terminal.stdout.isTTY === true, terminal.env));
    this.sideStyle = styleOf(wantsColor(mode, terminal.stderr.isTTY === true, terminal.env));
    this.width = widthOf(terminal.stdout);
    this.#terminal = terminal;
    this.#quiet = options.quiet === true;
    this.progress = new ProgressLine(terminal.stderr, !this.#quiet);
  }

  get isTerminal(): boolean {
    return this.#terminal.stdout.isTTY === true;
  }

  /** Every warning so far, once each. */
  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  /** Text to standard output, which the caller has made safe; a line end is added. */
  async line(text: string): Promise<void> {
    await this.write(`${text}\n`);
  }

  /** Anything to standard output, as it is. Resolves when it is handed over. */
  async write(data: string | Uint8Array): Promise<void> {
    this.progress.erase();
    await new Promise<void>((resolve) => this.#terminal.stdout.write(data, () => resolve()));
  }

  /** A JSON value to standard output, in the format that was asked for. */
  async json(value: unknown): Promise<void> {
    await this.line(this.format === 'jsonl' ? compactJson(value) : prettyJson(value, this.style));
  }

  /** An envelope to standard output. */
  async envelope(envelope: Envelope): Promise<void> {
    await this.json(envelope);
  }

  /** A line for people on standard error; nothing with `--quiet`. */
  note(text: string): void {
    if (!this.#quiet) this.#side(this.sideStyle.dim(escapeLine(text)));
  }

  /** Something tolerated, once each; collected for the envelope too. */
  warn(message: string): void {
    if (this.#warnings.has(message)) return;
    this.#warnings.add(message);
    if (!this.#quiet) this.#side(`${this.sideStyle.yellow('warning:')} ${escapeLine(message)}`);
  }

  /** Something that must be seen, even with `--quiet`. */
  alarm(message: string): void {
    this.#warnings.add(message);
    this.#side(`${this.sideStyle.red('WARNING:')} ${escapeLine(message)}`);
  }

  /** Lines of a server's own on standard error: log messages, what its process writes. */
  aside(text: string): void {
    if (!this.#quiet) this.#side(this.sideStyle.dim(escapeText(text)));
  }

  /**
   * A failure, once, on standard error.
   *
   * @param said what a server's process wrote to its own standard error, of which the end is shown
   */
  failure(failure: Failure, said = ''): void {
    const style = this.sideStyle;
    const own = typeof failure.code === 'string';
    // The end of what the process said follows in full.
    const message = said === '' ? failure.message : failure.message.replace(/ The end of its stderr: .*$/s, '');
    const [first = '', ...rest] = escapeText(own ? this.#retyped(message) : message).split('\n');
    const status = failure.httpStatus === undefined ? '' : `HTTP ${failure.httpStatus}`;
    const label = !own
      ? `${style.bold(`${failure.name} ${failure.code}`)}${status === '' ? '' : ` (${status})`}: `
      : status === '' || message.includes(status)
        ? ''
        : `${status}: `;
    this.#side(`${style.red('error:')} ${label}${first}`);
    for (const line of rest) this.#side(`  ${line}`);
    if (typeof failure.code === 'number' && failure.data !== undefined) {
      this.#side(`  ${style.dim('data:')} ${compactJson(failure.data)}`);
    }
    if (said !== '') this.#said(said);
    if (failure.hint !== undefined) {
      const hint = this.#retyped(failure.hint);
      this.#side(`  ${style.dim('hint:')} ${escapeText(hint).replaceAll('\n', '\n        ')}`);
    }
  }

  #said(text: string): void {
    const lines = escapeText(text.trimEnd()).split('\n');
    const shown = lines.slice(-SAID);
    const cut = lines.length - shown.length;
    this.#side(
      `  ${this.sideStyle.dim(cut > 0 ? `the end of its stderr (-v shows ${cut} more lines):` : 'its stderr:')}`,
    );
    for (const line of shown) this.#side(`    ${line}`.trimEnd());
  }

  /** Commands to try, as the user starts this program: a clone's `npm start --` says its name. */
  #retyped(text: string): string {
    const name = this.#terminal.env.DRAGOMAN_COMMAND;
    return name === undefined || name === '' ? text : text.replace(invocations, `${name} `);
  }

  #side(text: string): void {
    this.progress.erase();
    this.#terminal.stderr.write(`${text}\n`);
  }
}

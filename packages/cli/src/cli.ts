import { ExitCode } from './exit-code.ts';
import { Interruption } from './interruption.ts';
import type { Invocation } from './invocation.ts';
import { exitCodeOf, failureOf } from './output/failure.ts';
import { Reporter } from './output/reporter.ts';
import { parseCommandLine } from './parse/parse.ts';
import { processTerminal, type Terminal, widthOf } from './terminal/terminal.ts';

/** Runs the command line and ends the process with its status. */
export async function main(argv: readonly string[], version: string): Promise<void> {
  const terminal = processTerminal();
  const interruption = new Interruption();
  // A defect must not end with the status of a tool that failed.
  process.on('uncaughtException', (reason) => {
    console.error(reason);
    process.exit(ExitCode.Defect);
  });
  // What is waited for may be in this very process, which nothing else would keep alive.
  const alive = setInterval(() => {}, 2 ** 30);
  const code = await runCommandLine(argv, version, terminal, interruption);
  clearInterval(alive);
  interruption.stop();
  // What is left open by then (a connection that is being kept alive, a child that is being reaped) must not hold the shell up.
  await drained(terminal.stdout);
  await drained(terminal.stderr);
  process.exit(interruption.code ?? code);
}

/** Runs a command line. Resolves to the exit status; never rejects. */
export async function runCommandLine(
  argv: readonly string[],
  version: string,
  terminal: Terminal,
  interruption: Pick<Interruption, 'signal' | 'watch'>,
): Promise<ExitCode> {
  interruption.watch(terminal.stdout);
  try {
    const parsed = parseCommandLine(argv, terminal.env, version, helpWidth(terminal));
    if (parsed.kind === 'print') {
      terminal.stdout.write(parsed.text);
      return ExitCode.Done;
    }
    const { command, server, operands, options } = parsed;
    const invocation: Invocation = {
      command,
      operands,
      options,
      terminal,
      version,
      signal: interruption.signal,
      ...(server === undefined ? undefined : { server }),
    };
    const action = await command.load();
    return await action.run(invocation);
  } catch (reason) {
    return reportStray(reason, argv, terminal);
  }
}

/** Help is read on the terminal even where it goes through a pager first. */
const helpWidth = ({ stdout, stderr }: Terminal): number => Math.min(widthOf(stdout), widthOf(stderr));

/** Reports what went wrong before a command could take over: there is no server to name yet. */
async function reportStray(reason: unknown, argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (terminal.env.DEBUG?.split(',').includes('dragoman') === true) console.error(reason);
  const failure = failureOf(reason);
  const json = argv.includes('--json') || /^(?:json|jsonl)$/.test(outputOf(argv));
  const reporter = new Reporter(terminal, json ? { output: outputOf(argv) === 'jsonl' ? 'jsonl' : 'json' } : {});
  if (!json) reporter.failure(failure);
  else await reporter.envelope({ ok: false, kind: 'error', error: failure, meta: { durationMs: 0 } });
  return exitCodeOf(failure);
}

function outputOf(argv: readonly string[]): string {
  const at = argv.findIndex((word) => word === '--output' || word.startsWith('--output='));
  if (at < 0) return '';
  return argv[at]!.startsWith('--output=') ? argv[at]!.slice('--output='.length) : (argv[at + 1] ?? '');
}

function drained(stream: NodeJS.WritableStream & { writableLength?: number; destroyed?: boolean }): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed === true) return Promise.resolve();
  return new Promise((resolve) => stream.write('', () => resolve()));
}

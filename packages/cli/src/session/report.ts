import type { JsonObject } from '@dragoman/protocol';
import { ExitCode } from '../exit-code.ts';
import { exitCodeOf, type Failure } from '../output/failure.ts';
import { compactJson, prettyJson } from '../output/json.ts';
import { saveParts } from '../output/save.ts';
import { cacheLine, type RoundView } from '../output/views.ts';
import type { ContentView, Saved } from '../render/content.ts';
import { escapeLine, escapeText } from '../terminal/escape.ts';
import { envelopeOf } from './envelope-of.ts';
import type { Session } from './session.ts';

/** What a command found out. */
export interface Report {
  readonly kind: string;
  /** The protocol's own result. */
  readonly data: unknown;
  /** For people, made safe for a terminal. */
  readonly text: (view: ContentView & { readonly width: number }) => string;
  /** With `--output jsonl`: one line each, instead of the envelope. */
  readonly items?: readonly unknown[];
  /** With `--output raw`: text and bytes as they came, instead of the result as JSON. */
  readonly raw?: () => readonly (string | Uint8Array)[];
  /** What `--save` looks at: content blocks, or contents of resources. */
  readonly parts?: readonly unknown[];
  /** The failure that the result itself tells of. */
  readonly failure?: Failure;
}

/** Prints what a command found out, in the format that was asked for. Resolves to the exit status. */
export async function printReport(session: Session, report: Report): Promise<ExitCode> {
  const { reporter, options, facts, selection, invocation } = session;
  reporter.progress.erase();
  if (isObject(report.data)) facts.answered(report.data);
  const warn = (message: string): void => reporter.warn(message);
  let saved: Saved = new Map();
  if (options.save !== undefined && report.parts !== undefined) {
    saved = saveParts(report.parts, options.save, warn);
    facts.saved = [...saved.values()];
    if (saved.size === 0)
      reporter.note('nothing was saved: text goes to files from 32 KiB on; --output raw prints all of it');
  }
  if (selection !== undefined) {
    await printSelected(session, selection(report.data));
    if (reporter.format === 'text') for (const path of facts.saved) reporter.note(`saved ${path}`);
  } else {
    switch (reporter.format) {
      case 'text':
        await printText(session, report, saved, warn);
        break;
      case 'raw':
        await printRaw(session, report);
        break;
      case 'jsonl':
        if (report.items !== undefined) {
          for (const item of report.items) await reporter.line(compactJson(item));
          break;
        }
        await reporter.envelope(envelopeOf(invocation, session.client, facts, reporter, report));
        break;
      case 'json':
        await reporter.envelope(envelopeOf(invocation, session.client, facts, reporter, report));
    }
  }
  return report.failure === undefined ? ExitCode.Done : exitCodeOf(report.failure);
}

async function printText(
  session: Session,
  report: Report,
  saved: Saved,
  warn: (message: string) => void,
): Promise<void> {
  const { reporter, facts } = session;
  const text = report.text({ style: reporter.style, width: reporter.width, saved, warn });
  if (text !== '') await reporter.line(text.replace(/\n$/, ''));
  // Said once: the text names most of the files itself, and `info` is about who serves.
  for (const path of facts.saved) if (!text.includes(escapeLine(path))) reporter.note(`saved ${path}`);
  const { servedBy } = facts;
  if (servedBy !== undefined && report.kind !== 'info')
    reporter.note(`Served by ${servedBy.name} ${servedBy.version}`.trimEnd());
  const cache = cacheLine(facts.cache);
  if (cache !== undefined) reporter.note(cache);
  for (const line of roundLines(facts.rounds)) reporter.note(line);
  for (const key of session.answers.unused()) reporter.warn(`nobody asked for the answer ${JSON.stringify(key)}`);
  if ((session.options.verbose ?? 0) > 0) {
    reporter.note(`${facts.requests} ${facts.requests === 1 ? 'request' : 'requests'} in ${facts.durationMs} ms`);
  }
}

/** The rounds of questions: their keys, kinds and outcomes, never what was answered. */
function roundLines(rounds: readonly RoundView[]): string[] {
  if (rounds.length === 0) return [];
  const lines = ['Input rounds'];
  for (const { round, questions } of rounds) {
    if (questions.length === 0) lines.push(`  ${round}. no questions`);
    for (const { key, method, mode, outcome, by } of questions) {
      // Sampling and roots are on their way out (DEP, 2026-07-28).
      const kind = mode === undefined ? `${method} (deprecated)` : `${method} (${mode})`;
      lines.push(`  ${round}. ${key}: ${kind}, ${outcome}${by === undefined ? '' : ` by ${by}`}`);
    }
  }
  return lines;
}

async function printSelected({ reporter, options }: Session, value: unknown): Promise<void> {
  if (value === null || value === undefined) {
    const expression = JSON.stringify(options.select);
    reporter.note(`--select ${expression} found nothing; it looks at the result alone, which --json has under "data"`);
  }
  if (reporter.format === 'text' && typeof value === 'string') await reporter.line(escapeText(value));
  else if (reporter.format === 'raw' && typeof value === 'string') {
    await reporter.write(reporter.isTerminal ? `${escapeText(value)}\n` : value);
  } else if (reporter.format === 'text') await reporter.line(prettyJson(value, reporter.style));
  else await reporter.json(value);
}

async function printRaw({ reporter }: Session, report: Report): Promise<void> {
  if (report.raw === undefined) {
    await reporter.line(compactJson(report.data));
    return;
  }
  for (const piece of report.raw()) {
    if (typeof piece !== 'string') {
      if (reporter.isTerminal)
        reporter.warn('binary is not printed on a terminal: send it to a file, or use --save DIR');
      else await reporter.write(piece);
    } else await reporter.write(reporter.isTerminal ? escapeText(piece) : piece);
  }
  if (reporter.isTerminal) await reporter.line('');
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

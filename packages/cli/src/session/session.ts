import type { CallOptions, Client, ClientOptions, InputContext } from '@dragoman/client';
import {
  type ClientCapabilities,
  DragomanError,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  ErrorCode,
  type JsonObject,
} from '@dragoman/protocol';
import { readJsonObject } from '../arguments/json.ts';
import { type Sources, sourcesOf } from '../arguments/read-source.ts';
import type { ExitCode } from '../exit-code.ts';
import { type Asker, terminalAsker } from '../input/asker.ts';
import { type Answers, prepareAnswers } from '../input/sources.ts';
import { askForm } from '../input/terminal-form.ts';
import { askUrl, systemOpen } from '../input/url-question.ts';
import type { Invocation, Options } from '../invocation.ts';
import { exitCodeOf, type Failure, failureOf } from '../output/failure.ts';
import { compactJson } from '../output/json.ts';
import { Reporter } from '../output/reporter.ts';
import { prepareDirectory } from '../output/save.ts';
import { compileSelection, type Selection } from '../output/select.ts';
import { directoriesOf } from '../state/directories.ts';
import { FileCache } from '../state/file-cache.ts';
import { FileVerdicts } from '../state/verdicts.ts';
import { type CliTarget, readTarget } from '../target/target.ts';
import { escapeLine } from '../terminal/escape.ts';
import { canAsk } from '../terminal/terminal.ts';
import { checkConnectionOptions } from './connect-options.ts';
import { envelopeOf } from './envelope-of.ts';
import { Facts } from './facts.ts';
import { openClient } from './open-client.ts';
import { quoteWord } from './quote-word.ts';
import { openTrace, traceLine } from './trace-file.ts';
import { traced } from './traced.ts';
import { wantsRequest } from './wants-request.ts';

/** Milliseconds after which it is said what is waited for. */
const PATIENCE = 1500;

/** A command at work on a server. */
export interface Session {
  readonly invocation: Invocation;
  readonly options: Options;
  readonly target: CliTarget;
  /** How the command line names the server, for commands to try next. */
  readonly serverWords: string;
  readonly client: Client;
  readonly reporter: Reporter;
  readonly facts: Facts;
  readonly answers: Answers;
  readonly sources: Sources;
  readonly signal: AbortSignal;
  /** Undefined where no part was asked for. */
  readonly selection: Selection | undefined;
  /** Asks the user; undefined where nobody can be asked. */
  readonly asker: (() => Promise<Asker>) | undefined;
  /** Options for one call: signal, progress, log messages, cache. */
  callOptions(): CallOptions;
  /** Makes calls that are answered from the cache alone; undefined where that cannot be. Nothing is sent. */
  cached<T>(calls: () => Promise<T>): Promise<T | undefined>;
}

/** Connects, runs the command, reports how it failed if it did, and closes what was opened. */
export async function withSession(
  invocation: Invocation,
  run: (session: Session) => Promise<ExitCode>,
): Promise<ExitCode> {
  const reporter = new Reporter(invocation.terminal, invocation.options);
  const facts = new Facts();
  const closers: (() => void | Promise<void>)[] = [];
  const stderr = new Tail();
  let session: Session | undefined;
  try {
    session = await open(invocation, reporter, facts, stderr, closers);
    return await run(session);
  } catch (reason) {
    return await reportFailure(reason, invocation, reporter, facts, stderr, session);
  } finally {
    reporter.progress.erase();
    for (const close of closers.reverse()) await close();
  }
}

async function open(
  invocation: Invocation,
  reporter: Reporter,
  facts: Facts,
  stderr: Tail,
  closers: (() => void | Promise<void>)[],
): Promise<Session> {
  const { options, terminal, signal } = invocation;
  const target = readTarget(invocation.server!, options.transport, terminal.cwd);
  checkConnectionOptions(options, target);
  const sources = sourcesOf(terminal);
  const selection = options.select === undefined ? undefined : await compileSelection(options.select);
  if (options.save !== undefined) prepareDirectory(options.save);
  const asker = options.input !== false && canAsk(terminal) ? askerOf(invocation, reporter) : undefined;
  const answers = await loadAnswers(invocation, reporter, sources, asker);
  const capabilities =
    options.capabilities === undefined
      ? undefined
      : ((await readJsonObject(options.capabilities, '--capabilities', sources)) as ClientCapabilities);
  const trace = options.trace === undefined ? undefined : openTrace(options.trace, terminal.cwd);
  if (trace !== undefined) closers.push(() => trace.close());

  const kept = await stores(options, target, terminal.env);
  const verbose = options.verbose ?? 0;
  const common: ClientOptions = {
    clientInfo: { name: 'dragoman', version: invocation.version },
    // What the user declares by hand is all that is declared, and a raw request declares nothing else.
    ...(capabilities !== undefined
      ? { handlers: handlersFor(answers, capabilities), capabilities }
      : invocation.command.name === 'rpc'
        ? undefined
        : { handlers: answers.handlers }),
    // A request that is only looked at must not cost another one.
    era: (options.protocol ?? 'auto') === 'auto' && !wantsRequest(options) ? 'auto' : 'modern',
    timeout: limitOf(options.timeout),
    maxTime: options.maxTime,
    startTimeout: limitOf(options.connectTimeout),
    logLevel: options.logLevel,
    onLog: ({ level, logger, data }) => {
      const words = typeof data === 'string' ? data : compactJson(data);
      reporter.aside(`[${level}] ${logger === undefined ? '' : `${logger}: `}${words}`);
    },
    strict: options.strict,
    middleware: options.traceparent === undefined ? [] : [traced(options.traceparent)],
    onWarning: ({ kind, message, details }) => {
      if (kind === 'insecure') reporter.alarm(message);
      else if (kind === 'junk' && target.kind === 'stdio' && details?.count === 1) {
        reporter.warn(`${message} (its stdout is for messages alone; what it logs belongs on stderr)`);
      } else reporter.warn(message);
    },
    onTrace: (event) => {
      facts.traced(event);
      trace?.write(event);
      if (verbose > 1) reporter.note(JSON.stringify(traceLine(event)));
    },
    // Shown as it comes, or kept for the case that something fails.
    onStderr: verbose > 0 ? (text) => reporter.aside(text.trimEnd()) : (text) => stderr.add(text),
    ...kept,
  };
  reporter.progress.show(`connecting to ${labelOf(target)}`);
  const client = await inTime(options.maxTime, signal, (end) =>
    openClient(target, common, { ...invocation, signal: end }),
  );
  closers.push(() => client.close());
  reporter.progress.later(`waiting for ${labelOf(target)} (Ctrl-C gives up)`, PATIENCE);
  if (verbose > 0) {
    const { info } = client;
    reporter.note(`connected to ${info.target} by ${info.kind}: ${info.era} era, ${info.version} (${info.known})`);
  }
  let onlyCached = false;
  return {
    invocation,
    options,
    target,
    serverWords: serverWordsOf(invocation),
    client,
    reporter,
    facts,
    answers,
    sources,
    signal,
    selection,
    asker,
    cached: async (calls) => {
      if (kept.cache === undefined || kept.cache === false || options.refresh === true) return undefined;
      onlyCached = true;
      try {
        return await calls();
      } catch (reason) {
        if (reason instanceof DragomanError && reason.code === 'NOT_CACHED') return undefined;
        throw reason;
      } finally {
        onlyCached = false;
      }
    },
    callOptions: () => ({
      signal,
      cache: onlyCached
        ? 'only'
        : options.cache === false
          ? 'bypass'
          : options.refresh === true
            ? 'refresh'
            : 'default',
      onProgress: (progress) => {
        facts.progressed(progress);
        reporter.progress.update(progress);
      },
      onReply: (reply) => facts.replied(reply),
      onRound: (round) => facts.asked(round, answers.origin),
    }),
  };
}

/** The last of what a process wrote. */
class Tail {
  text = '';

  add(text: string): void {
    this.text = (this.text + text).slice(-64 * 1024);
  }
}

/** Gives connecting no more time than the whole may take. */
async function inTime<T>(
  limit: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (limit === undefined || limit === 0) return work(signal);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limit);
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch (reason) {
    if (!late.signal.aborted || signal.aborted) throw reason;
    throw new DragomanError('TIMEOUT', `connecting took longer than ${limit} ms`, {
      cause: reason,
      details: { option: 'maxTime' },
    });
  } finally {
    clearTimeout(timer);
  }
}

const limitOf = (milliseconds: number | undefined): number | undefined =>
  milliseconds === 0 ? Number.POSITIVE_INFINITY : milliseconds;

const labelOf = (target: CliTarget): string =>
  target.kind === 'http'
    ? target.url.host
    : target.kind === 'stdio'
      ? escapeLine([target.command, ...target.args].join(' '))
      : 'the demo server';

/** Verdicts and responses outlive the run, except those of a server that does not. */
async function stores(
  options: Options,
  target: CliTarget,
  env: NodeJS.ProcessEnv,
): Promise<{ cache?: FileCache | false; verdicts?: FileVerdicts }> {
  if (target.kind === 'demo') return options.cache === false ? { cache: false } : {};
  const directories = directoriesOf(env);
  const verdicts = new FileVerdicts(directories.state);
  if (options.cache === false) return { cache: false, verdicts };
  return { cache: new FileCache(directories.cache), verdicts };
}

function askerOf(invocation: Invocation, reporter: Reporter): () => Promise<Asker> {
  let asker: Promise<Asker> | undefined;
  return () => {
    reporter.progress.erase();
    asker ??= terminalAsker(invocation.terminal, invocation.signal);
    return asker;
  };
}

async function loadAnswers(
  { options, terminal }: Invocation,
  reporter: Reporter,
  sources: Sources,
  asker: (() => Promise<Asker>) | undefined,
): Promise<Answers> {
  const style = reporter.sideStyle;
  const person =
    asker === undefined
      ? undefined
      : {
          askForm: async (params: ElicitRequestFormParams, context: InputContext) =>
            askForm(params, context, await asker(), style),
          askUrl: async (params: ElicitRequestURLParams, context: InputContext) =>
            askUrl(params, context, await asker(), style, systemOpen),
        };
  return prepareAnswers({ options, sources, cwd: terminal.cwd, person });
}

/** The handlers of what is declared, so that nothing more is. */
function handlersFor(answers: Answers, declared: ClientCapabilities): Answers['handlers'] {
  const { handlers } = answers;
  const elicitation = declared.elicitation;
  // `elicitation: {}` means form mode (client/elicitation, "Capabilities").
  const form = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  return {
    ...(form ? { elicitForm: handlers.elicitForm } : undefined),
    ...(elicitation?.url !== undefined ? { elicitUrl: handlers.elicitUrl } : undefined),
    ...(declared.sampling !== undefined && handlers.sample !== undefined ? { sample: handlers.sample } : undefined),
    ...(declared.roots !== undefined && handlers.roots !== undefined ? { roots: handlers.roots } : undefined),
  };
}

/** The words that name the server, as they would be typed again. */
function serverWordsOf({ server }: Invocation): string {
  if (server === undefined) return 'SERVER';
  return 'word' in server ? quoteWord(server.word) : `-- ${server.command.map(quoteWord).join(' ')}`;
}

/** What lists what a command takes, for when the server does not take it. */
const lists: ReadonlyMap<string, readonly [command: string, what: string]> = new Map([
  ['prompt', ['prompts', 'shows the prompts and their arguments']],
  ['read', ['resources', 'lists what there is']],
  ['complete', ['prompts', 'shows the prompts and their arguments']],
  ['call', ['tools', 'lists the tools']],
]);

async function reportFailure(
  reason: unknown,
  invocation: Invocation,
  reporter: Reporter,
  facts: Facts,
  stderr: Tail,
  session: Session | undefined,
): Promise<ExitCode> {
  reporter.progress.erase();
  if (invocation.terminal.env.DEBUG?.split(',').includes('dragoman') === true) console.error(reason);
  // Whatever an interruption made of it, it is an interruption.
  let failure = invocation.signal.aborted ? interrupted : failureOf(reason, serverWordsOf(invocation));
  const hinted = failure.hint === undefined && failure.code === ErrorCode.InvalidParams;
  const list = hinted ? lists.get(invocation.command.name) : undefined;
  if (list !== undefined) failure = { ...failure, hint: `dragoman ${list[0]} ${serverWordsOf(invocation)} ${list[1]}` };
  if (failure.class === 'input') {
    for (const key of session?.answers.unused() ?? [])
      reporter.warn(`nobody asked for the answer ${JSON.stringify(key)}`);
  }
  if (reporter.format === 'json' || reporter.format === 'jsonl') {
    const data = (reason as { data?: unknown } | undefined)?.data;
    await reporter.envelope(
      envelopeOf(invocation, session?.client, facts, reporter, {
        failure,
        ...(reason instanceof ResultFailure ? { data } : {}),
      }),
    );
  } else if (failure.class !== 'interrupted') {
    const silent = failure.class === 'connection' || failure.class === 'timeout' || failure.code === 'LEGACY_SERVER';
    reporter.failure(failure, silent ? stderr.text.trim() && stderr.text : '');
  }
  return exitCodeOf(failure);
}

const interrupted: Failure = { class: 'interrupted', code: 'ABORTED', name: 'ABORTED', message: 'interrupted' };

/** A failure that lies in a result which is worth showing. */
export class ResultFailure extends DragomanError {
  readonly data: JsonObject;

  constructor(cause: DragomanError, data: JsonObject) {
    super(cause.code, cause.message, {
      cause,
      ...(cause.details === undefined ? undefined : { details: cause.details }),
    });
    this.data = data;
  }
}

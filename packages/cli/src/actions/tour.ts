import { type Client, connect, type InputHandlers } from '@dragoman/client';
import { DragomanError, type ElicitRequestFormParams, type ElicitResult, type JsonObject } from '@dragoman/protocol';
import { demoServer, serveHttp } from '../demo-server.ts';
import { ExitCode } from '../exit-code.ts';
import { terminalAsker } from '../input/asker.ts';
import { askForm } from '../input/terminal-form.ts';
import type { Invocation } from '../invocation.ts';
import { Reporter } from '../output/reporter.ts';
import { table } from '../output/table.ts';
import { renderCallResult } from '../render/call-result.ts';
import { toolRows } from '../render/lists.ts';
import { escapeLine, escapeText } from '../terminal/escape.ts';
import { canAsk } from '../terminal/terminal.ts';

/** Answers of a person who is not there. */
const scripted = new Map<string, ElicitResult>([
  ['table', { action: 'accept', content: { date: '2026-07-28', guests: 3, seating: 'out' } }],
  ['confirm', { action: 'accept', content: { sure: true } }],
]);

/** Shows what the command can do, on a demo server of its own over a real socket. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { terminal, options, signal } = invocation;
  const reporter = new Reporter(terminal, options);
  const serving = await serveHttp(demoServer(terminal.env), { port: 0 });
  const tour = new Tour(invocation, reporter, options.input !== false && canAsk(terminal));
  let client: Client | undefined;
  try {
    client = await connect(serving.url, {
      clientInfo: { name: 'dragoman', version: invocation.version },
      handlers: tour.handlers(),
      signal,
    });
    await tour.walk(client);
    return signal.aborted ? ExitCode.Interrupted : ExitCode.Done;
  } catch (reason) {
    if (signal.aborted || (reason instanceof DragomanError && reason.code === 'ABORTED')) return ExitCode.Interrupted;
    throw reason;
  } finally {
    reporter.progress.erase();
    await client?.close();
    await serving.close();
  }
}

class Tour {
  readonly #invocation: Invocation;
  readonly #reporter: Reporter;
  readonly #interactive: boolean;

  constructor(invocation: Invocation, reporter: Reporter, interactive: boolean) {
    this.#invocation = invocation;
    this.#reporter = reporter;
    this.#interactive = interactive;
  }

  handlers(): InputHandlers {
    const { terminal, signal } = this.#invocation;
    return {
      elicitForm: async (params, context) => {
        this.#reporter.progress.erase();
        if (this.#interactive)
          return askForm(params, context, await terminalAsker(terminal, signal), this.#reporter.sideStyle);
        return this.#script(params, context.key);
      },
    };
  }

  async #script(params: ElicitRequestFormParams, key: string): Promise<ElicitResult> {
    const answer = scripted.get(key) ?? { action: 'decline' };
    const given = answer.content === undefined ? answer.action : JSON.stringify(answer.content);
    await this.#say(`  it asks: ${escapeLine(params.message)}`);
    await this.#say(`  answered by the tour, as nobody is at the terminal: ${given}`);
    return answer;
  }

  async walk(client: Client): Promise<void> {
    const { style, width } = this.#reporter;
    const { signal } = this.#invocation;
    const discovered = await client.discover({ signal });
    const { info } = client;
    const server = info.serverInfo;
    await this.#step('A server on a real socket', 'info demo');
    await this.#say(
      `  ${style.bold(escapeLine(server?.name ?? 'unknown'))} ${escapeLine(server?.version ?? '')} at ${info.target}`,
    );
    await this.#say(
      `  protocol ${info.version}, ${info.era} era; supports ${discovered.supportedVersions.map(escapeLine).join(', ')}`,
    );

    const tools = await client.listAllTools({ signal });
    await this.#step('Its tools', 'tools demo');
    for (const line of table(toolRows(tools as unknown as JsonObject[], style), width - 2))
      await this.#say(`  ${line}`);

    await this.#step('A call with progress', 'call demo search_files query=venice');
    const found = await client.callTool(
      'search_files',
      { query: 'venice', delay: 150 },
      { signal, onProgress: (progress) => this.#progress(progress) },
    );
    this.#reporter.progress.erase();
    await this.#result(found);

    await this.#step('A call that asks', 'call demo book_table city=Rome');
    await this.#result(await client.callTool('book_table', { city: 'Rome' }, { signal, maxTime: 0 }));

    await this.#step('A resource', 'read demo demo://cities');
    const read = await client.readResource('demo://cities', { signal });
    for (const contents of read.contents) {
      if ('text' in contents) await this.#say(indent(escapeText(contents.text.trim())));
    }

    await this.#step('A change, as the server announces it', 'listen demo --uri clock://now --count 1');
    const subscription = await client.listen({ resourceSubscriptions: ['clock://now'] }, { signal });
    for await (const event of subscription) {
      if (event.kind === 'resource')
        await this.#say(`  ${new Date().toISOString()} resource ${escapeLine(event.uri)} changed`);
      break;
    }
    await this.#next();
  }

  /** The commands to try, as they are typed where the tour was started from. */
  async #next(): Promise<void> {
    const { style } = this.#reporter;
    const start = this.#prefix();
    await this.#say(`\n${style.bold('Now try')}`);
    const lines = [
      'tools demo get_weather',
      'call demo get_weather city=Rome unit=fahrenheit',
      'call demo get_weather city=Rome --json',
      'call demo book_table city=Rome',
      'call demo draw_picture --save pictures',
      'complete demo prompt:plan_trip city R',
      'demo --http 3000',
      '--help',
    ];
    for (const line of lines) await this.#say(`  ${style.cyan(`${start} ${line}`)}`);
  }

  #prefix(): string {
    return this.#invocation.terminal.env.npm_lifecycle_event === 'start' ? 'npm start --' : 'dragoman';
  }

  async #step(title: string, command: string): Promise<void> {
    const { style } = this.#reporter;
    await this.#say(`\n${style.bold(title)}  ${style.dim(`${this.#prefix()} ${command}`)}`);
  }

  async #result(result: object): Promise<void> {
    const view = {
      style: this.#reporter.style,
      saved: new Map(),
      warn: (message: string) => this.#reporter.warn(message),
    };
    await this.#say(indent(renderCallResult(result as JsonObject, view)));
  }

  #progress(progress: { progress: number; total?: number | undefined; message?: string | undefined }): void {
    if (this.#invocation.terminal.stderr.isTTY === true) this.#reporter.progress.update(progress);
    else this.#reporter.note(`  ${progress.progress}/${progress.total} ${progress.message}`);
  }

  #say(text: string): Promise<void> {
    return this.#reporter.line(text);
  }
}

const indent = (text: string): string => text.replace(/^/gm, '  ');

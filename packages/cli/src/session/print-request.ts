import { type CallOptions, type Client, type ClientOptions, connect } from '@dragoman/client';
import { type ClientCapabilities, DragomanError, type JsonObject, type ListToolsResult } from '@dragoman/protocol';
import { readJsonObject } from '../arguments/json.ts';
import { type Sources, sourcesOf } from '../arguments/read-source.ts';
import { ExitCode } from '../exit-code.ts';
import { prepareAnswers } from '../input/sources.ts';
import type { Invocation, Options } from '../invocation.ts';
import { prettyJson } from '../output/json.ts';
import { Reporter } from '../output/reporter.ts';
import { readTarget } from '../target/target.ts';
import { escapeJson, escapeLine } from '../terminal/escape.ts';
import { checkConnectionOptions, httpConnection } from './connect-options.ts';
import { quoteWord } from './quote-word.ts';
import { traced } from './traced.ts';

/** What is known of the server already, so that the request is exactly the one that would be sent. */
export interface Known {
  readonly tools?: ListToolsResult | undefined;
}

/** One request as it would have been sent. */
interface Captured {
  readonly url: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/**
 * Prints the request that a call makes, without sending it: the call is made by the very same client, over a connection
 * that ends in a notebook. Resolves to the exit status.
 */
export async function printRequest(
  invocation: Invocation,
  call: (client: Client, options: CallOptions) => Promise<unknown>,
  known: Known = {},
): Promise<ExitCode> {
  const { options, terminal } = invocation;
  const reporter = new Reporter(terminal, options);
  const sources = sourcesOf(terminal);
  const target = readTarget(invocation.server!, options.transport, terminal.cwd);
  checkConnectionOptions(options, target);
  if (options.curl === true && target.kind !== 'http') {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      '--curl needs a server that is reached by a URL; --dry-run shows the message',
    );
  }
  let captured: Captured | undefined;
  const common: ClientOptions = {
    clientInfo: { name: 'dragoman', version: invocation.version },
    era: 'modern',
    timeout: options.timeout === 0 ? Number.POSITIVE_INFINITY : options.timeout,
    logLevel: options.logLevel,
    middleware: options.traceparent === undefined ? [] : [traced(options.traceparent)],
    ...(await declaredBy(invocation, sources)),
  };
  const client =
    target.kind === 'http'
      ? await connect(target.url, {
          ...common,
          headers: httpConnection(options, terminal.cwd).headers,
          fetch: async (input, init) => {
            const request = new Request(input, init);
            const body = await request.text();
            const page = listed(body, known);
            if (page !== undefined) return Response.json(page);
            captured = { url: request.url, headers: [...request.headers], body };
            throw captureDone;
          },
          onWarning: ({ message }) => reporter.warn(message),
        })
      : await connect(
          {
            exchange: (request) => {
              captured = { url: undefined, headers: [], body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }) };
              throw captureDone;
            },
          },
          common,
        );
  try {
    if (known.tools !== undefined && target.kind === 'http') await client.listTools();
    await call(client, { cache: 'bypass' }).catch((reason: unknown) => {
      if (captured === undefined) throw reason;
    });
  } finally {
    await client.close();
  }
  if (captured === undefined) throw new DragomanError('INVALID_ARGUMENT', 'no request was made');
  await reporter.line(options.curl === true ? curlText(captured, options) : requestText(captured, reporter));
  return ExitCode.Done;
}

/** What the command would declare. Questions cannot come, so nobody is there to answer them. */
async function declaredBy(
  invocation: Invocation,
  sources: Sources,
): Promise<Pick<ClientOptions, 'handlers' | 'capabilities'>> {
  const { options, terminal } = invocation;
  if (options.capabilities !== undefined) {
    return {
      capabilities: (await readJsonObject(options.capabilities, '--capabilities', sources)) as ClientCapabilities,
    };
  }
  if (invocation.command.name === 'rpc') return {};
  return { handlers: (await prepareAnswers({ options, sources, cwd: terminal.cwd })).handlers };
}

const captureDone = new DragomanError('ABORTED', 'not sent');

/** The answer to a list request, from what was listed before: only the call itself is captured. */
function listed(body: string, known: Known): JsonObject | undefined {
  const message = JSON.parse(body) as { id: unknown; method: string };
  if (message.method !== 'tools/list' || known.tools === undefined) return undefined;
  return { jsonrpc: '2.0', id: message.id, result: known.tools };
}

const secretHeader = /auth|cookie|credential|key|pass|secret|session|token/i;

function requestText({ url, headers, body }: Captured, reporter: Reporter): string {
  const message = prettyJson(JSON.parse(body), reporter.style);
  if (url === undefined) return message;
  const { pathname, search, host } = new URL(url);
  const lines = headers.map(([name, value]) => `${name}: ${secretHeader.test(name) ? '***' : escapeLine(value)}`);
  return [`POST ${escapeLine(pathname + search)} HTTP/1.1`, `host: ${host}`, ...lines, '', message].join('\n');
}

/** A curl command that sends the same. Every word is in single quotes; a value from an environment variable stays one. */
function curlText({ url, headers, body }: Captured, options: Options): string {
  const fromEnv = new Map((options.headerEnv ?? []).map(({ name, variable }) => [name.toLowerCase(), variable]));
  const words = headers.map(([name, value]) => {
    const variable = fromEnv.get(name.toLowerCase());
    return variable === undefined
      ? `-H ${quoteWord(`${name}: ${value}`)}`
      : `-H ${quoteWord(`${name}: `)}"$${variable}"`;
  });
  const data = quoteWord(escapeJson(body));
  return [`curl -sS -N ${quoteWord(url!)}`, ...words, `--data-raw ${data}`].join(' \\\n  ');
}

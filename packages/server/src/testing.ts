import {
  type AuthInfo,
  type CallToolResult,
  type ClientCapabilities,
  type ExchangeIO,
  type InputRequiredResult,
  MetaKey,
  MODERN,
  type Notification,
  type Request,
  type RequestMeta,
  type Result,
} from '@dragoman/protocol';
import type { ServerOptions } from './options.ts';
import { Server } from './server.ts';

/** What tests of the engine have in common: well-formed requests, an io that records, and a server that does not print. */

const everything: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

export function requestOf(method: string, params: object = {}, meta: object = {}): Request {
  const _meta: RequestMeta = { [MetaKey.protocolVersion]: MODERN, [MetaKey.clientCapabilities]: everything, ...meta };
  return { method, params: { ...params, _meta } };
}

export interface RecordingIO extends ExchangeIO {
  readonly sent: Notification[];
}

export function recordingIO(auth?: AuthInfo, signal = new AbortController().signal): RecordingIO {
  const sent: Notification[] = [];
  return { signal, auth, sent, notify: (notification) => sent.push(notification) };
}

export interface QuietServer extends Server {
  readonly warnings: string[];
  readonly errors: unknown[];
}

/** A server that collects what it would have printed. */
export function quietServer(options: Partial<ServerOptions> = {}): QuietServer {
  const warnings: string[] = [];
  const errors: unknown[] = [];
  const server = new Server({
    name: 'test',
    version: '1.2.3',
    onWarning: ({ code, message }) => warnings.push(`${code}: ${message}`),
    onError: (error) => errors.push(error),
    ...options,
  });
  return Object.assign(server, { warnings, errors });
}

/** Calls a tool as a client would, through the checks. */
export function call(server: Server, name: string, args?: object, more: CallOptions = {}): Promise<Result> {
  const { meta, io = recordingIO(), ...params } = more;
  return server.exchange(
    requestOf('tools/call', args === undefined ? { name, ...params } : { name, arguments: args, ...params }, meta),
    io,
  );
}

export interface CallOptions {
  readonly meta?: object;
  readonly io?: ExchangeIO;
  readonly inputResponses?: unknown;
  readonly requestState?: unknown;
}

/** The text of a tool's result. */
export const textOf = (result: Result): string =>
  (result as CallToolResult).content
    .map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
    .join('\n');

/** A result that has to be one that asks. */
export function asking(result: Result): InputRequiredResult & { readonly requestState: string } {
  if (result.resultType !== 'input_required') throw new Error(`not asking: ${JSON.stringify(result)}`);
  return result as InputRequiredResult & { readonly requestState: string };
}

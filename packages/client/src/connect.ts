import { DragomanError } from '@dragoman/protocol';
import { Client } from './client.ts';
import { ignore } from './io.ts';
import { ToolIndex } from './layers/tool-index.ts';
import type { ClientOptions } from './options.ts';
import { type HttpOptions, httpWire } from './wires/http.ts';
import { isSecretName } from './wires/mask.ts';
import { type ExchangeTarget, memoryWire } from './wires/memory.ts';
import { type CommandTarget, type StdioOptions, stdioWire } from './wires/stdio.ts';
import { type SocketTarget, type StreamOptions, type StreamTarget, socketWire, streamWire } from './wires/stream.ts';
import type { Pem } from './wires/undici.ts';
import { readUserHeaders } from './wires/user-headers.ts';
import type { Wire } from './wires/wire.ts';

/**
 * What a client can be connected to:
 *
 * - an `http:` or `https:` URL: a Streamable HTTP endpoint,
 * - `{ command, args, env, cwd }`: a program that is started and spoken to over stdio,
 * - `{ exchange }`: a server of this process, or anything else that answers requests,
 * - `{ readable, writable }`, `{ socketPath }`, `{ host, port }`: a byte stream,
 * - a {@link Wire} of your own.
 */
export type Target = string | URL | CommandTarget | ExchangeTarget | StreamTarget | SocketTarget | Wire;

/** What can be said about a connection: options of the client, and of whichever wire the target needs. */
export interface ConnectOptions
  extends ClientOptions,
    Omit<HttpOptions, 'headerIndex'>,
    Omit<StdioOptions, keyof StreamOptions>,
    StreamOptions {
  /** Gives up connecting. Once connected it has no say. */
  signal?: AbortSignal | undefined;
}

/**
 * Connects to a server: makes the wire that the target needs and, where the server is not known yet, asks it once what it
 * is. To a server that is known nothing is sent.
 *
 * ```ts
 * const client = await connect('https://mcp.example.com/mcp');
 * const { content } = await client.callTool('weather', { city: 'Rome' });
 * await client.close();
 * ```
 *
 * @throws DragomanError `INVALID_ARGUMENT` for a target that is none, `CONNECTION_FAILED` where nobody is there,
 * `LEGACY_SERVER` where the server speaks only revisions from before 2026-07-28, `UNAUTHORIZED` where it wants a login.
 */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<Client> {
  const tools = new ToolIndex();
  const wire = await open(target, options, tools);
  let client: Client | undefined;
  try {
    if (options.signal?.aborted === true) throw givenUp(wire, options.signal);
    client = new Client(wire, await withCredential(target, options), tools);
    await client.meet({ signal: options.signal });
    return client;
  } catch (reason) {
    // Not waited for: a program that does not want to end must not hold its caller up.
    (client ?? wire).close().catch(ignore);
    throw reason;
  }
}

async function open(target: Target, options: ConnectOptions, tools: ToolIndex): Promise<Wire> {
  if (typeof target === 'string' || target instanceof URL) {
    return httpWire(target, { ...options, headerIndex: (tool) => tools.headers(tool) });
  }
  // A caller without types may bring anything.
  const given: unknown = target;
  if (typeof given !== 'object' || given === null) throw noTarget(given);
  if ('kind' in target && 'exchange' in target && 'closed' in target) return target;
  if ('exchange' in target && typeof target.exchange === 'function') return memoryWire(target);
  if ('command' in target && typeof target.command === 'string') return stdioWire(target, options);
  if ('readable' in target && 'writable' in target) return streamWire(target, options);
  if ('socketPath' in target || ('host' in target && 'port' in target)) return socketWire(target, options);
  throw noTarget(given);
}

const givenUp = (wire: Wire, signal: AbortSignal): DragomanError =>
  new DragomanError('ABORTED', `Connecting to ${wire.target} was aborted by its caller`, { cause: signal.reason });

function noTarget(given: unknown): DragomanError {
  const shown =
    typeof given === 'object' && given !== null
      ? `an object with ${Object.keys(given).join(', ') || 'no members'}`
      : String(given);
  return new DragomanError(
    'INVALID_ARGUMENT',
    `Cannot connect to ${shown}; a target is an http(s) URL, { command }, { exchange }, { readable, writable }, { socketPath }, { host, port } or a wire`,
  );
}

/** Options with a name for the credentials in use, where a store of results is shared and they are known here. */
async function withCredential(target: Target, options: ConnectOptions): Promise<ClientOptions> {
  if (options.credential !== undefined || !options.cache) return options;
  const secrets = secretsOf(target, options);
  // A page that was not loaded over TLS has no digests.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (secrets === undefined || subtle === undefined) return options;
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(secrets)));
  const credential = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { ...options, credential };
}

/** All that may tell a server who is there; undefined where that is not known here. */
function secretsOf(target: Target, options: ConnectOptions): unknown {
  if (typeof target === 'string' || target instanceof URL) {
    const { authorize, fetch, dispatcher, headers, cert, key } = options;
    // What these add is not seen here.
    if (authorize !== undefined || fetch !== undefined || dispatcher !== undefined) return undefined;
    return [String(target), readUserHeaders(headers, () => {}), pemText(cert), pemText(key)];
  }
  if (!('command' in target)) return undefined;
  // A program also gets what this process was given.
  const inherited = Object.entries(process.env).filter(([name]) => isSecretName(name));
  return [target.env ?? {}, inherited];
}

const pemText = (pem: Pem | undefined): string | undefined =>
  pem === undefined || typeof pem === 'string' ? pem : Array.from(pem).join();

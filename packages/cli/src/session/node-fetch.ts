import * as http from 'node:http';
import * as https from 'node:https';
import type { HttpOptions } from '@dragoman/client';
import type { HttpConnection } from './connect-options.ts';

/** How long a connection may take to be made, in milliseconds, where `--connect-timeout` does not say. */
export const CONNECT_TIMEOUT = 15_000;

/** What of the Fetch standard's answer a client reads. */
interface Answer {
  readonly status: number;
  readonly type: 'default';
  readonly headers: ReadonlyMap<string, string>;
  readonly body: { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }> } };
}

/**
 * A `fetch` over `node:http`. A command makes one or two requests and ends: loading a connection pool, or the platform's
 * own `fetch`, would take longer than they do.
 */
export function nodeFetch(connection: HttpConnection, userAgent: string): NonNullable<HttpOptions['fetch']> {
  const { ca, cert, key, insecure, connectTimeout = CONNECT_TIMEOUT } = connection;
  const tls = {
    ...(ca === undefined ? undefined : { ca }),
    ...(cert === undefined ? undefined : { cert }),
    ...(key === undefined ? undefined : { key }),
    ...(insecure === true ? { rejectUnauthorized: false } : undefined),
  };
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true, ...tls }),
  };
  const send = async (address: string, init: RequestInit): Promise<Answer> => {
    const url = new URL(address);
    const secure = url.protocol === 'https:';
    const request = (secure ? https : http).request(url, {
      method: 'POST',
      agent: secure ? agents['https:'] : agents['http:'],
      // Undoing codings is for those who have bodies worth it.
      headers: {
        'user-agent': userAgent,
        'accept-encoding': 'identity',
        ...Object.fromEntries(init.headers as [string, string][]),
      },
      ...(init.signal === null || init.signal === undefined ? undefined : { signal: init.signal }),
    });
    limitConnecting(request, connectTimeout, secure);
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.on('error', reject);
      request.end(init.body as string);
    });
    return answerOf(response);
  };
  // The client reads no more of a Response than there is here, and making one would load the platform's fetch.
  return send as unknown as NonNullable<HttpOptions['fetch']>;
}

/** Gives up where a connection takes too long; an answer may take as long as the call's own limits allow. */
function limitConnecting(request: http.ClientRequest, milliseconds: number, secure: boolean): void {
  if (milliseconds === 0) return;
  const timer = setTimeout(() => {
    request.destroy(
      Object.assign(new Error('the connection was not made in time'), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
    );
  }, milliseconds);
  const done = (): void => clearTimeout(timer);
  request.once('close', done);
  request.once('response', done);
  request.once('socket', (socket) => {
    if (!socket.connecting) done();
    else socket.once(secure ? 'secureConnect' : 'connect', done);
  });
}

function answerOf(response: http.IncomingMessage): Answer {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const chunks = response[Symbol.asyncIterator]();
  return {
    status: response.statusCode ?? 0,
    type: 'default',
    headers,
    body: { getReader: () => ({ read: async () => readOne(await chunks.next()) }) },
  };
}

const readOne = (next: IteratorResult<Uint8Array>): { done: boolean; value?: Uint8Array } =>
  next.done === true ? { done: true } : { done: false, value: next.value };

/** Whether a proxy may stand between: then connections are the client's own to make, which knows about proxies. */
export function mayUseProxy(url: URL, env: NodeJS.ProcessEnv): boolean {
  if (/^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)) return false;
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  return [name, 'ALL_PROXY'].some((each) => Boolean(env[each] || env[each.toLowerCase()]));
}

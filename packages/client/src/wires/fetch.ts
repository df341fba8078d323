import { DragomanError } from '@dragoman/protocol';
import type { HttpPort, HttpReceiver, HttpSending } from './http-port.ts';
import type { ConnectionOptions } from './undici.ts';

/** The part of the Fetch standard that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const connectionOptions = [
  'connectTimeout',
  'maxConnections',
  'proxy',
  'ca',
  'cert',
  'key',
  'insecure',
  'dispatcher',
] as const satisfies readonly (keyof ConnectionOptions)[];

/**
 * @throws DragomanError `INVALID_ARGUMENT` for options about connections, which `fetch` makes as it likes: whoever asks
 * for a proxy or a certificate must not be left without one
 */
export function refuseConnectionOptions(options: ConnectionOptions & { readonly fetch?: Fetch | undefined }): void {
  const idle = connectionOptions.find((name) => options[name] !== undefined);
  if (idle === undefined) return;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    options.fetch === undefined
      ? `The option ${idle} works only in Node; here the platform's own fetch makes the connections. Leave it out`
      : `The option ${idle} has no effect together with fetch; leave one of them out`,
  );
}

/** What sends where undici cannot: in browsers, Workers, Deno and Bun. Undefined in Node. */
export function platformFetch(): Fetch | undefined {
  // Bun and Deno call themselves Node too, but their undici is only a name.
  const isNode =
    typeof process !== 'undefined' &&
    process.versions?.node !== undefined &&
    !('Bun' in globalThis) &&
    !('Deno' in globalThis);
  return isNode ? undefined : globalFetch;
}

/** The global `fetch` as it is by then. */
export const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init);

/** Sends by `fetch`: in browsers, Workers, Deno and Bun, and wherever the user gives one. */
export function fetchPort(fetch: Fetch): HttpPort {
  return {
    headers: [],
    // fetch does so itself, and asks for codings by itself.
    decodes: true,
    post(url, headers, body, receiver) {
      const sending = new FetchSending(receiver);
      void sending.run(fetch, url, headers, body);
      return sending;
    },
    close: () => Promise.resolve(),
  };
}

class FetchSending implements HttpSending {
  #receiver: HttpReceiver | undefined;
  readonly #controller = new AbortController();

  constructor(receiver: HttpReceiver) {
    this.#receiver = receiver;
  }

  abort(): void {
    this.#receiver = undefined;
    this.#controller.abort();
  }

  async run(fetch: Fetch, url: URL, headers: readonly string[], body: string): Promise<void> {
    try {
      const response = await fetch(url.href, {
        method: 'POST',
        headers: pairs(headers),
        body,
        redirect: 'manual',
        signal: this.#controller.signal,
      });
      if (response.type === 'opaqueredirect') {
        throw new DragomanError(
          'HTTP_ERROR',
          `${url.origin}${url.pathname} redirects to another address, which a browser does not tell; use that address`,
        );
      }
      this.#receiver?.head(response.status, Object.fromEntries(response.headers));
      const reader = response.body?.getReader();
      if (reader !== undefined) {
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          if (this.#receiver === undefined) {
            // Not every fetch looks at its signal.
            await reader.cancel();
            return;
          }
          this.#receiver.data(next.value);
        }
      }
      this.#take()?.end();
    } catch (error) {
      this.#take()?.failed(error instanceof Error ? error : new Error(String(error)), 'sent');
    }
  }

  #take(): HttpReceiver | undefined {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    return receiver;
  }
}

function pairs(headers: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) list.push([headers[at] as string, headers[at + 1] as string]);
  return list;
}

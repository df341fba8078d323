import { DragomanError } from '@dragoman/protocol';
import type { HttpPort, HttpReceiver, HttpSending } from './http-port.ts';

/** The part of the Fetch standard that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

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
        for (let next = await reader.read(); !next.done; next = await reader.read()) this.#receiver?.data(next.value);
      }
      this.#take()?.end();
    } catch (error) {
      this.#take()?.failed(error instanceof Error ? error : new Error(String(error)));
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

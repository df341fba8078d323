/** Headers of an answer by lower-case name; several lines of one name as an array where the port keeps them apart. */
export interface ResponseHeaders {
  readonly [name: string]: string | string[] | undefined;
}

/**
 * How far a request got that has no answer. `unsent`: nothing of it went out. `sent`: it may have gone out. `kept`: the same,
 * on a connection that was kept from an earlier one and that the server may have closed meanwhile.
 */
export type Reach = 'unsent' | 'sent' | 'kept';

/** Takes one HTTP answer, piece by piece. */
export interface HttpReceiver {
  head(status: number, headers: ResponseHeaders): void;
  data(chunk: Uint8Array): void;
  /** The answer is complete. */
  end(): void;
  /** There is no answer, or no more of it. */
  failed(error: Error, reach: Reach): void;
}

/** One request that is on its way. */
export interface HttpSending {
  /** Breaks it off: the connection is closed, and the receiver hears no more. */
  abort(): void;
}

/** What sends a POST: `undici` in Node, `fetch` elsewhere. */
export interface HttpPort {
  /** Headers of the port's own, name and value in turn. */
  readonly headers: readonly string[];
  /** Whether content codings are undone before `data`. */
  readonly decodes: boolean;
  /** @param headers name and value in turn */
  post(url: URL, headers: string[], body: string, receiver: HttpReceiver): HttpSending;
  /** Frees the connections. Never rejects. */
  close(): Promise<void>;
}

/** One header of an answer; several lines of one name joined as HTTP allows (RFC 9110 §5.3). */
export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

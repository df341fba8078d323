import type { Request } from '@dragoman/protocol';
import type { HttpCall } from './http-call.ts';
import type { ResponseHeaders } from './http-port.ts';
import type { Observers } from './observers.ts';

/** What a 401 or 403 says about how to be let in. */
export interface HttpChallenge {
  /** 401 or 403. */
  readonly status: number;
  /** Where the request was sent, redirections followed. */
  readonly url: string;
  /** The `WWW-Authenticate` values, one for each header line where the wire can tell them apart. */
  readonly wwwAuthenticate: readonly string[];
}

/** What a call needs of its wire. */
export interface HttpCallSurroundings {
  /** The address for people. */
  readonly target: string;
  readonly observers: Observers;
  /** Calls that are pending, in no order: an array, because a set that calls come into and leave keeps them from the young generation's collector. */
  readonly active: HttpCall[];
  readonly maxMessageBytes: number;
  readonly maxErrorBytes: number;
  readonly maxRedirects: number;
  readonly endpoint: URL;
  /** Where requests go: the endpoint, or where it has redirected to. */
  url: URL;
  /** Counts the changes of credentials. */
  readonly credentials: number;
  /** Ids never come twice. */
  nextId(): number;
  headers(request: Request): string[];
  /** Gets new credentials. False where there is no way to, or none were got. */
  authorize(challenge: HttpChallenge, credentials: number): Promise<boolean>;
  /** Numbers the HTTP exchanges, for tracing. */
  traceRequest(url: URL, headers: readonly string[]): number;
  traceResponse(exchange: number, status: number, headers: ResponseHeaders): void;
}

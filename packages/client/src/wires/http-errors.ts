import { DragomanError } from '@dragoman/protocol';
import type { Reach } from './http-port.ts';
import { systemCode } from './outcomes.ts';
import { printable } from './printable.ts';

/** What is known of an HTTP answer that is neither a result nor a JSON-RPC error. */
export interface HttpFailure {
  readonly status: number;
  readonly url: string;
  readonly contentType: string | undefined;
  /** What could be read of it. */
  readonly body: string;
  readonly retryAfter: string | undefined;
}

const remedies = new Map<number, string>([
  [400, 'The server does not take the request; it may speak only an older revision of the protocol.'],
  [404, 'There is nothing at this path; check it (many servers use /mcp).'],
  [405, 'This path takes no POST; check it, or the server may speak only the old HTTP+SSE transport.'],
  [406, 'The server, or a proxy before it, does not take the Accept header.'],
  [408, 'The server gave up waiting; try again.'],
  [413, 'The request is larger than the server allows.'],
  [415, 'The server, or a proxy before it, does not take JSON.'],
  [421, 'The server does not serve this host name.'],
  [429, 'Too many requests; wait and try again.'],
  [431, 'The headers are larger than the server allows; mirrored arguments may be the reason.'],
  [500, 'The server failed; its own log knows why.'],
  [501, 'The server does not know POST.'],
  [502, 'A proxy cannot reach the server behind it.'],
  [503, 'The server is not available now; try again later.'],
  [504, 'A proxy got no answer from the server in time.'],
]);

/** `HTTP_ERROR` that names the status, the address and what can be done. */
export function httpError(failure: HttpFailure): DragomanError {
  const { status, url, contentType, body, retryAfter } = failure;
  const remedy = remedies.get(status) ?? 'Is this the address of an MCP endpoint?';
  const wait = retryAfter === undefined ? '' : ` It asks to wait${waiting(retryAfter)}.`;
  return new DragomanError(
    'HTTP_ERROR',
    `${url} answered HTTP ${status}. ${remedy}${wait}${quoted(body, contentType)}`,
    {
      details: { ...failure },
    },
  );
}

/** What came with a success status and is no answer all the same. */
export function unusableAnswer(failure: HttpFailure, why: string): DragomanError {
  const { status, url, contentType, body } = failure;
  return new DragomanError(
    'PROTOCOL_VIOLATION',
    `${url} answered HTTP ${status}, but ${why}${why.endsWith('?') ? '' : '.'}${quoted(body, contentType)}`,
    {
      details: { ...failure },
    },
  );
}

/** `UNAUTHORIZED`, with the challenges that came with it. */
export function unauthorized(
  failure: HttpFailure,
  wwwAuthenticate: readonly string[],
  reason: string | undefined,
): DragomanError {
  const { status, url, body, contentType } = failure;
  const what =
    status === 401
      ? 'wants authorization: no credentials were sent, or they are not valid'
      : 'refuses access to these credentials';
  const said = reason === undefined ? quoted(body, contentType) : ` It says: ${printable(reason)}`;
  return new DragomanError('UNAUTHORIZED', `${url} ${what} (HTTP ${status}).${said}`, {
    details: { ...failure, wwwAuthenticate },
  });
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3). */
const waiting = (retryAfter: string): string =>
  /^\d+$/.test(retryAfter) ? ` ${retryAfter} s` : ` until ${printable(retryAfter, 60)}`;

function quoted(body: string, contentType: string | undefined): string {
  if (body.trim() === '') return ' The answer is empty.';
  if (contentType?.toLowerCase().includes('html') === true) return ' The answer is a web page.';
  return ` The answer begins: ${printable(body)}`;
}

const networkRemedies = new Map<string, string>([
  ['ECONNREFUSED', 'nothing listens there. Is the server running?'],
  ['ENOTFOUND', 'there is no such host. Check the name.'],
  ['EAI_AGAIN', 'the name could not be looked up. Is the network up?'],
  ['ECONNRESET', 'the other side broke the connection'],
  ['EPIPE', 'the other side broke the connection'],
  ['UND_ERR_SOCKET', 'the other side closed the connection without an answer'],
  ['ETIMEDOUT', 'nobody answers there'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection was not made in time (connectTimeout)'],
  ['EHOSTUNREACH', 'there is no route to the host'],
  ['ENETUNREACH', 'there is no route to the network'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed. Give its authority with the `ca` option.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate chain is self-signed. Give its authority with the `ca` option.'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate cannot be checked. Give its authority with the `ca` option.'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate cannot be checked. Give its authority with the `ca` option.'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host name'],
  ['EPROTO', 'it does not speak TLS; is it an http:// address?'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS; is it an http:// address?'],
]);

const breaks = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether an error says that a connection was there and broke. */
export const isBreak = (error: Error): boolean => breaks.has(systemCode(error) ?? '');

/**
 * What broke before or during an answer, classified by the first system code in its chain of causes. Where the request may
 * have gone out over a connection that broke, the server may have acted on it, which no `CONNECTION_FAILED` may hide.
 */
export function networkError(url: string, error: Error, reach: Reach | 'answering'): DragomanError {
  const code = systemCode(error);
  let why =
    (code === undefined ? undefined : networkRemedies.get(code)) ??
    (isParserError(error) ? 'it does not speak HTTP; is it an https:// address?' : printable(error.message));
  if (code !== undefined) why = `${why} (${code})`;
  const options = { cause: error, details: { url, code } };
  if (reach === 'answering') {
    return new DragomanError(
      'CONNECTION_CLOSED',
      `The connection to ${url} broke while it was answering: ${why}`,
      options,
    );
  }
  if (reach === 'unsent' || !isBreak(error)) {
    return new DragomanError('CONNECTION_FAILED', `Cannot reach ${url}: ${why}`, options);
  }
  return new DragomanError(
    'CONNECTION_CLOSED',
    `The connection to ${url} broke before an answer came: ${why}. The server may have acted on the request`,
    options,
  );
}

function isParserError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'HTTPParserError' || isParserError(error.cause);
}

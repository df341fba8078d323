import type { AuthInfo } from '@dragoman/protocol';

/** What an authenticator sees of a request: its head, never its body. */
export interface RequestHead {
  /** The HTTP method, as it came. */
  readonly method: string;
  /** The request target: a path with its query. */
  readonly target: string;
  /** A header by its lower-case name; several of one name are joined with a comma. */
  header(name: string): string | undefined;
}

/** Why a caller is not let in. */
export interface AuthRefusal {
  /** 401: no valid credentials. 403: not enough of them. 400: the authorization itself is malformed. */
  readonly status: 400 | 401 | 403;
  /** The `WWW-Authenticate` value. Mandatory with 401, and with 403 where more scope would help (authorization, "Error Handling"). */
  readonly wwwAuthenticate?: string | undefined;
  /** For people. Default: the status in words. */
  readonly message?: string | undefined;
}

/**
 * Decides who asks, before anything of the body is read. Return `{ principal: … }` for whoever may come in, a callers
 * without credentials included if they may. Whatever it throws is an internal error (500), never an admission.
 */
export type Authenticate = (head: RequestHead) => AuthInfo | AuthRefusal | Promise<AuthInfo | AuthRefusal>;

/** Whether an authenticator's answer is a caller. Anything that names no principal is none, and so is an empty name. */
export function isCaller(answer: AuthInfo | AuthRefusal | undefined): answer is AuthInfo {
  const principal: unknown = (answer as AuthInfo | undefined)?.principal;
  return typeof principal === 'string' && principal !== '';
}

const words: { readonly [S in AuthRefusal['status']]: string } = {
  400: 'Malformed authorization',
  401: 'Authorization required',
  403: 'Not authorized for this',
};

/** What a header field can hold (RFC 9110 §5.5). */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A refusal as it is sent. */
export interface Refused {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly message: string;
}

/**
 * What an authenticator's answer comes to where it is no caller. Nothing at all is a refusal too: 401.
 *
 * @throws TypeError for what cannot be sent, which must not become an admission
 */
export function refusalOf(answer: AuthRefusal | undefined): Refused {
  const status: unknown = answer?.status ?? 401;
  if (!Number.isInteger(status) || (status as number) < 400 || (status as number) > 599) {
    throw new TypeError(`authenticate returned the status ${String(status)}; a refusal has 400, 401 or 403`);
  }
  const given: unknown = answer?.wwwAuthenticate ?? undefined;
  if (given !== undefined && (typeof given !== 'string' || !fieldValue.test(given))) {
    throw new TypeError('authenticate returned a wwwAuthenticate that is no text that a header can hold');
  }
  // A 401 without a challenge is not one (RFC 9110 §11.6.1).
  const challenge = given ?? (status === 401 ? 'Bearer' : undefined);
  const message: unknown = answer?.message;
  return {
    status: status as number,
    challenge,
    message: typeof message === 'string' ? message : (words[status as AuthRefusal['status']] ?? words[403]),
  };
}

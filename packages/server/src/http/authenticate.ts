import type { AuthInfo } from '@dragoman/protocol';

/** What an authenticator sees of a request: its head, never its body. */
export interface RequestHead {
  readonly method: string;
  /** The request target as it came: a path with its query over node:http, a whole URL over fetch. */
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

/** Whether an authenticator's answer is a caller. Anything that names no principal is none. */
export const isCaller = (answer: AuthInfo | AuthRefusal | undefined): answer is AuthInfo =>
  typeof (answer as AuthInfo | undefined)?.principal === 'string';

const words: { readonly [S in AuthRefusal['status']]: string } = {
  400: 'Malformed authorization',
  401: 'Authorization required',
  403: 'Not authorized for this',
};

/** What a refused caller reads. */
export const refusalMessage = (refusal: AuthRefusal): string => refusal.message ?? words[refusal.status];

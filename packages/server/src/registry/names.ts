import { DragomanError, type HeaderIndex } from '@dragoman/protocol';
import type { Reports } from '../reports.ts';
import { namesSecret } from '../secret-names.ts';
import type { Listed, Listing } from './listing.ts';

const recommended = /^[A-Za-z0-9_.-]{1,128}$/;

/** Warns of a tool name that some clients or models will not take (server/tools, "Tool Names"). Any string works here. */
export function checkToolName(name: string, reports: Reports): void {
  if (recommended.test(name)) return;
  reports.warning(
    'TOOL_NAME',
    `Tool ${JSON.stringify(name)} is served as it is, but names should have 1 to 128 characters of A-Z a-z 0-9 _ - .`,
  );
}

/** Warns of arguments that should not be repeated in a header, which whoever is on the way can read (server/tools, "x-mcp-header"). */
export function checkMirrored(name: string, headers: HeaderIndex, reports: Reports): void {
  for (const { path, header } of headers) {
    if (!namesSecret(path.at(-1) ?? '') && !namesSecret(header)) continue;
    reports.warning(
      'SECRET_HEADER',
      `Tool ${JSON.stringify(name)} mirrors ${JSON.stringify(path.join('.'))} in ${header}, where proxies and logs read it; leave x-mcp-header out where it is a secret`,
    );
  }
}

/** @throws DragomanError `INVALID_ARGUMENT` for a name that is no string or is taken. */
export function checkFree(kind: string, key: unknown, listing: Listing<Listed>): asserts key is string {
  if (typeof key !== 'string' || key === '') {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `${kind}: expected a non-empty string, got ${JSON.stringify(key) ?? typeof key}`,
    );
  }
  if (listing.has(key)) {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `${kind} ${JSON.stringify(key)} is registered already; change it through its handle, or remove it first`,
    );
  }
}

/** @throws DragomanError `INVALID_ARGUMENT` */
export function checkHandler(kind: string, key: string, handler: unknown): void {
  if (typeof handler === 'function') return;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `${kind} ${JSON.stringify(key)} needs a handler function, got ${typeof handler}`,
  );
}

/** @throws DragomanError `INVALID_ARGUMENT` for a definition without a name for programs, as resources need it besides their URI. */
export function checkName(what: string, name: unknown): void {
  if (typeof name === 'string' && name !== '') return;
  throw new DragomanError('INVALID_ARGUMENT', `${what} needs a name, got ${JSON.stringify(name) ?? 'nothing'}`);
}

/** @throws DragomanError `INVALID_ARGUMENT` for what is no absolute URI (RFC 3986 §4.3). The rest of it is the server's own affair. */
export function checkUri(uri: string): void {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)) return;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `Resource ${JSON.stringify(uri)} needs a scheme, as in "file:///x" or "my-scheme:x"`,
  );
}

import { DragomanError } from '@dragoman/protocol';

/** Headers as a user gives them. */
export type HeadersInput =
  | Headers
  | Iterable<readonly [string, string]>
  | { readonly [name: string]: string | undefined };

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/** Headers that belong to the protocol and to HTTP itself: what a user sets here would break every request. */
const owned = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const isOwned = (name: string): boolean => owned.has(name) || name.startsWith('mcp-');

/**
 * The user's headers, name and value in turn, names in lower case. Those that belong to the protocol are left out and
 * reported; of two with one name the later counts.
 *
 * @throws DragomanError `INVALID_ARGUMENT` for a name or value that no header can carry. The value is not repeated: it may
 * be a secret.
 */
export function readUserHeaders(input: HeadersInput | undefined, onIgnored: (name: string) => void): string[] {
  if (input === undefined) return [];
  if (typeof input !== 'object' || input === null) {
    throw new DragomanError('INVALID_ARGUMENT', 'headers must be an object of names and values, or pairs of them');
  }
  const entries = Symbol.iterator in input ? (input as Iterable<readonly [string, string]>) : Object.entries(input);
  const headers = new Map<string, string>();
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    if (!token.test(name)) throw new DragomanError('INVALID_ARGUMENT', `${JSON.stringify(name)} is no header name`);
    if (typeof value !== 'string' || unsendable.test(value)) {
      throw new DragomanError(
        'INVALID_ARGUMENT',
        `The value of the header ${name} holds what no header can carry, such as a line break`,
      );
    }
    const key = name.toLowerCase();
    if (isOwned(key)) onIgnored(name);
    else headers.set(key, value.trim());
  }
  return [...headers].flat();
}

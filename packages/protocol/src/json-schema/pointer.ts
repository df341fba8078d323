/** Escapes a member name for a JSON pointer (RFC 6901 §3). */
export function escapeToken(name: string): string {
  return name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

/** The member names of a JSON pointer; undefined if it is not one (RFC 6901 §3: empty, or beginning with a slash). */
export function pointerTokens(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A member of an object or array that is its own, never an inherited one. */
export function ownMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as { [member: string]: unknown })[name]
    : undefined;
}

const plainName = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** A path for people: `address.zip`, `targets[0]`, `["odd name"]`, `''` for the root. Numbers are places in a list. */
export function pathOf(keys: readonly (string | number)[]): string {
  let path = '';
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else if (plainName.test(key)) path += path === '' ? key : `.${key}`;
    else path += `[${JSON.stringify(key)}]`;
  }
  return path;
}

/** {@link pathOf} for the tokens of a pointer; `root` tells places in a list from member names. */
export function readablePath(tokens: readonly string[], root: unknown): string {
  let at = root;
  return pathOf(
    tokens.map((token) => {
      const key = Array.isArray(at) ? Number(token) : token;
      at = ownMember(at, token);
      return key;
    }),
  );
}

/** Longest rendering of a value in a message, in characters. */
const SHOWN = 80;

/**
 * A value as it stands in a message: JSON, cut after about 80 characters. Does no more work than it shows and never throws,
 * whatever a peer has sent: `JSON.stringify` overflows on what is nested without end.
 */
export function show(value: unknown): string {
  const text = render(value, 0);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
}

function render(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > SHOWN ? value.slice(0, SHOWN) : value);
    case 'undefined':
      return 'nothing';
    case 'bigint':
      return `${value}n`;
    case 'function':
    case 'symbol':
      return `a ${typeof value}`;
    case 'object':
      return value === null ? 'null' : renderMembers(value, depth);
    default:
      return String(value);
  }
}

function renderMembers(value: object, depth: number): string {
  const list = Array.isArray(value);
  if (depth > 2) return list ? '[…]' : '{…}';
  let text = list ? '[' : '{';
  let first = true;
  for (const name of list ? value.keys() : Object.keys(value)) {
    if (!first) text += ',';
    first = false;
    if (text.length > SHOWN) return `${text}…`;
    const member = render((value as { [member: string | number]: unknown })[name], depth + 1);
    text += list ? member : `${JSON.stringify(String(name).slice(0, SHOWN))}:${member}`;
  }
  return text + (list ? ']' : '}');
}

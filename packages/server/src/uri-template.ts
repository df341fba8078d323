import { DragomanError } from '@dragoman/protocol';

/** Values of a template's variables: lists for exploded ones (`{path*}`). */
export interface TemplateVariables {
  readonly [name: string]: string | readonly string[] | undefined;
}

/** The variables of a template, by what its text says: `{id}` is a string, `{path*}` a list, and `{?page}` may be absent. */
export type VariablesOf<T extends string> = string extends T ? TemplateVariables : Expressions<T>;

type Expressions<T extends string> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? OfExpression<Expression> & Expressions<Rest>
  : unknown;

type OfExpression<E extends string> = E extends `+${infer List}`
  ? Sure<List>
  : E extends `${'#' | '.' | '/' | ';' | '?' | '&'}${infer List}`
    ? Maybe<List>
    : Sure<E>;

type Sure<List extends string> = List extends `${infer First},${infer Rest}`
  ? OfVariable<First> & Sure<Rest>
  : OfVariable<List>;

type Maybe<List extends string> = Partial<Sure<List>>;

type OfVariable<V extends string> = V extends `${infer Name}*`
  ? { readonly [N in Name]: readonly string[] }
  : V extends `${infer Name}:${string}`
    ? { readonly [N in Name]: string }
    : { readonly [N in V]: string };

/** A URI template made ready to be matched (RFC 6570). */
export interface UriTemplate {
  /** Names of all variables, in order. */
  readonly variables: readonly string[];
  /** The variables' values, percent-decoded; undefined where the URI is none of the template's. */
  match(uri: string): TemplateVariables | undefined;
}

/** Longest URI that is matched, in characters. */
const MAX_URI = 8192;

interface Variable {
  readonly name: string;
  readonly explode: boolean;
  readonly maxLength: number | undefined;
}

interface Literal {
  /** As it stands in the template, and as an expansion writes it: the same unless it holds more than URI characters. */
  readonly spellings: readonly string[];
}

interface Expression {
  /** What an expansion begins with; empty for `{x}` and `{+x}`, which always stand for at least one character. */
  readonly prefix: '' | '#' | '.' | '/' | ';' | '?' | '&';
  readonly variables: readonly Variable[];
  /** Characters that end it. */
  readonly stops: string;
}

type Part = Literal | Expression;

/** What stands behind an operator: prefix and stops of its expansions (RFC 6570 §3.2). Reading is more lenient than writing: what a sloppy client left unencoded is taken as it is. */
const operators = new Map<string, Pick<Expression, 'prefix' | 'stops'>>([
  ['', { prefix: '', stops: '/?#' }],
  ['+', { prefix: '', stops: '' }],
  ['#', { prefix: '#', stops: '' }],
  ['.', { prefix: '.', stops: '/?#' }],
  ['/', { prefix: '/', stops: '?#' }],
  [';', { prefix: ';', stops: '/?#' }],
  ['?', { prefix: '?', stops: '#' }],
  ['&', { prefix: '&', stops: '#' }],
]);

const variablePattern = /^((?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})+)(?:(\*)|:([1-9]\d{0,3}))?$/;

/**
 * Reads a URI template: all four levels of RFC 6570, except lists of key-value pairs.
 *
 * @throws DragomanError `INVALID_ARGUMENT`, saying what is wrong and where
 */
export function uriTemplate(template: string): UriTemplate {
  const parts = parse(template);
  const variables = parts.flatMap((part) => ('variables' in part ? part.variables.map(({ name }) => name) : []));
  const twice = variables.find((name, at) => variables.indexOf(name) !== at);
  if (twice !== undefined) throw invalid(template, `the variable ${JSON.stringify(twice)} is there twice`);
  return { variables, match: (uri) => match(parts, uri) };
}

function parse(template: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{', at);
    const end = open < 0 ? template.length : open;
    const text = template.slice(at, end);
    if (text.includes('}')) throw invalid(template, 'a } has no {');
    if (text !== '') parts.push(literal(template, text));
    if (open < 0) break;
    const close = template.indexOf('}', open);
    if (close < 0) throw invalid(template, 'a { has no }');
    parts.push(expression(template, template.slice(open + 1, close)));
    at = close + 1;
  }
  return parts;
}

function literal(template: string, text: string): Literal {
  // Half of a character cannot be encoded, so no URI could ever hold it.
  if (/\p{Surrogate}/u.test(text)) throw invalid(template, 'it holds half of a surrogate pair');
  const encoded = encodeURI(text).replaceAll('%25', '%').replaceAll('%5B', '[').replaceAll('%5D', ']');
  return { spellings: encoded === text ? [text] : [text, encoded] };
}

function expression(template: string, text: string): Expression {
  const sign = /^[+#./;?&]/.exec(text)?.[0] ?? '';
  const variables = text
    .slice(sign.length)
    .split(',')
    .map((specification): Variable => {
      const found = variablePattern.exec(specification);
      if (found === null) throw invalid(template, `${JSON.stringify(`{${text}}`)} is no expression of RFC 6570`);
      const [, name = '', star, length] = found;
      return { name, explode: star !== undefined, maxLength: length === undefined ? undefined : Number(length) };
    });
  const operator = operators.get(sign) as Pick<Expression, 'prefix' | 'stops'>;
  return { ...operator, variables };
}

const invalid = (template: string, why: string): DragomanError =>
  new DragomanError('INVALID_ARGUMENT', `The URI template ${JSON.stringify(template)} cannot be used: ${why}`);

/**
 * Matches in time proportional to parts times characters, whatever the URI: from the end it finds out where the rest of
 * the parts can match the rest of the URI, then walks forward, each expression taking as much as it can.
 */
function match(parts: readonly Part[], uri: string): TemplateVariables | undefined {
  const first = parts[0];
  if (uri.length > MAX_URI) return undefined;
  if (first !== undefined && 'spellings' in first && !first.spellings.some((text) => uri.startsWith(text)))
    return undefined;
  const fits = feasible(parts, uri);
  if (fits[0]?.[0] !== 1) return undefined;
  const values = new Map<string, string | readonly string[]>();
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const next = fits[index + 1] as Uint8Array;
    if ('spellings' in part) {
      at += part.spellings.find((text) => uri.startsWith(text, at) && next[at + text.length] === 1)?.length ?? 0;
      continue;
    }
    const end = furthest(part, uri, at, next);
    if (end > at && !read(part, uri.slice(at, end), values)) return undefined;
    at = end;
  }
  return Object.fromEntries(values);
}

/** For each part, the places from which it and all behind it can match to the end. */
function feasible(parts: readonly Part[], uri: string): Uint8Array[] {
  const fits = Array.from({ length: parts.length + 1 }, () => new Uint8Array(uri.length + 1));
  (fits[parts.length] as Uint8Array)[uri.length] = 1;
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index] as Part;
    const here = fits[index] as Uint8Array;
    const next = fits[index + 1] as Uint8Array;
    if ('spellings' in part) {
      for (let at = 0; at <= uri.length; at++) {
        if (part.spellings.some((text) => next[at + text.length] === 1 && uri.startsWith(text, at))) here[at] = 1;
      }
      continue;
    }
    // Whether a run of allowed characters, none included, leads from a place to one where the rest fits.
    let run = next[uri.length] === 1;
    if (part.prefix !== '') here[uri.length] = next[uri.length] as number;
    for (let at = uri.length - 1; at >= 0; at--) {
      const char = uri[at] as string;
      if (part.prefix !== '') {
        if (next[at] === 1 || (char === part.prefix && run)) here[at] = 1;
      } else if (run && !part.stops.includes(char)) here[at] = 1;
      run = next[at] === 1 || (run && !part.stops.includes(char));
    }
  }
  return fits;
}

/** How far an expression can reach so that the rest still fits. */
function furthest(part: Expression, uri: string, start: number, next: Uint8Array): number {
  let end = start;
  let at = start;
  if (part.prefix !== '') {
    if (uri[start] !== part.prefix) return start;
    at++;
  }
  for (; at <= uri.length; at++) {
    if (next[at] === 1) end = at;
    if (at < uri.length && part.stops.includes(uri[at] as string)) break;
  }
  return end;
}

/** Takes an expansion apart into the variables' values. False where it is none. */
function read(part: Expression, text: string, values: Map<string, string | readonly string[]>): boolean {
  const body = text.slice(part.prefix.length);
  switch (part.prefix) {
    case ';':
    case '?':
    case '&':
      return readNamed(part, body, values);
    case '/':
    case '.':
      return readList(part, body, part.prefix, values);
    default:
      return readList(part, body, ',', values);
  }
}

function readList(
  part: Expression,
  body: string,
  separator: string,
  values: Map<string, string | readonly string[]>,
): boolean {
  const { variables } = part;
  const [only] = variables;
  // A single variable keeps the separator, except that a path segment holds no slash.
  if (variables.length === 1 && only?.explode === false) {
    return (separator !== '/' || !body.includes('/')) && take(only, [body], values);
  }
  const pieces = body.split(separator);
  for (const [index, variable] of variables.entries()) {
    const rest = variables.length - index - 1;
    const own = variable.explode ? pieces.splice(0, pieces.length - rest) : pieces.splice(0, 1);
    if (own.length === 0) return part.prefix !== '';
    if (!take(variable, own, values)) return false;
  }
  return pieces.length === 0;
}

function readNamed(part: Expression, body: string, values: Map<string, string | readonly string[]>): boolean {
  const given = new Map<string, string[]>();
  for (const pair of body.split(part.prefix === ';' ? ';' : '&')) {
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    const values = given.get(name);
    if (values === undefined) given.set(name, [value]);
    else values.push(value);
  }
  for (const variable of part.variables) {
    const own = given.get(variable.name);
    if (own !== undefined && !take(variable, variable.explode ? own : own.slice(0, 1), values)) return false;
  }
  return true;
}

function take(variable: Variable, raw: readonly string[], values: Map<string, string | readonly string[]>): boolean {
  const decoded: string[] = [];
  for (const piece of raw) {
    const value = percentDecode(piece);
    if (value === undefined || (variable.maxLength !== undefined && [...value].length > variable.maxLength))
      return false;
    decoded.push(value);
  }
  values.set(variable.name, variable.explode ? decoded : (decoded[0] as string));
  return true;
}

function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A step into a value: a member by name, an element by index, or one more element at the end. */
export type Step = { readonly name: string } | { readonly index: number } | { readonly append: true };

/** One `key=value` word. */
export interface Token {
  /** The key as it was written, for messages. */
  readonly key: string;
  readonly path: readonly Step[];
  /** `text` is converted by the schema, `json` is taken as it is; either may stand in a file (`-` is standard input). */
  readonly form: 'text' | 'json';
  readonly source: 'word' | 'file';
  /** The value, or the file's name. */
  readonly text: string;
}

/** What a word of the argument list is. */
export type Word = { readonly token: Token } | { readonly object: string } | { readonly problem: string };

const HOW = 'write name=value, name:=JSON, name@FILE, or one JSON object';

/** Reads one word. Never throws. A backslash in a key makes the next character a part of the name. */
export function parseWord(word: string): Word {
  const start = word.trimStart();
  if (start.startsWith('{')) return { object: start };
  if (start.startsWith('[')) return { problem: 'arguments are an object, not an array' };
  const path: Step[] = [];
  let name = '';
  let named = false;
  const close = (): void => {
    if (named) path.push({ name });
    name = '';
    named = false;
  };
  for (let i = 0; i < word.length; i += 1) {
    const c = word[i]!;
    const operator = operatorAt(word, i);
    if (operator !== undefined && (named || path.length > 0)) {
      close();
      return finish(word.slice(0, i), path, operator, word.slice(i + operator.length));
    }
    if (operator !== undefined) return { problem: `the name before ${JSON.stringify(operator)} is missing; ${HOW}` };
    if (c === '\\' && i + 1 < word.length) {
      i += 1;
      name += word[i]!;
      named = true;
    } else if (c === '.' && (named || path.length > 0) && isPart(word[i + 1])) {
      if (named) close();
    } else if (c === '[') {
      const bracket = /^\[(\d{0,10})\]/.exec(word.slice(i));
      if (bracket === null) return { problem: 'brackets hold an index, as in items[0], or nothing, as in tags[]' };
      close();
      if (path.length === 0) return { problem: 'the name before the brackets is missing' };
      path.push(bracket[1] === '' ? { append: true } : { index: Number(bracket[1]) });
      i += bracket[0].length - 1;
    } else {
      name += c;
      named = true;
    }
  }
  return { problem: `it has no value; ${HOW}` };
}

const isPart = (next: string | undefined): boolean => next !== undefined && !/[.=@[:]/.test(next);

function operatorAt(word: string, i: number): '=' | ':=' | '@' | ':@' | undefined {
  const c = word[i];
  if (c === '=' || c === '@') return c;
  if (c !== ':') return undefined;
  const next = word[i + 1];
  return next === '=' ? ':=' : next === '@' ? ':@' : undefined;
}

function finish(key: string, path: readonly Step[], operator: '=' | ':=' | '@' | ':@', text: string): Word {
  const form = operator.startsWith(':') ? 'json' : 'text';
  if (operator.endsWith('@')) {
    if (text === '') return { problem: 'the name of the file is missing' };
    return { token: { key, path, form, source: 'file', text } };
  }
  // `=@-` and `=@FILE` read as curl's do; a doubled sign stands for itself.
  if (form === 'text' && text.startsWith('@@')) {
    return { token: { key, path, form, source: 'word', text: text.slice(1) } };
  }
  if (text.startsWith('@') && text.length > 1)
    return { token: { key, path, form, source: 'file', text: text.slice(1) } };
  return { token: { key, path, form, source: 'word', text } };
}

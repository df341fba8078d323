/**
 * Compiles a pattern of JSON Schema: with the `u` flag (core §6.4), or without where it is valid only so, as patterns
 * like `[\w-.]` are. undefined if it is valid in neither way.
 */
export function compilePattern(source: string): RegExp | undefined {
  return tryCompile(source, 'u') ?? tryCompile(source, '');
}

function tryCompile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    // A pattern that does not compile has no other test than trying.
    return undefined;
  }
}

/**
 * The same pattern in a form that is valid with the `u` flag; undefined if there is none. What only the grammar without
 * the flag allows is a needless backslash, a brace or bracket that stands for itself, and a dash beside a class.
 */
export function toUnicodePattern(source: string): string | undefined {
  if (tryCompile(source, 'u') !== undefined) return source;
  let out = '';
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (char === '\\') {
      const next = source[++at] ?? '';
      out += /[\^$\\.*+?()[\]{}|/dDwWsSbBnrtvfcxupPk0-9]/.test(next) || (next === '-' && inClass) ? `\\${next}` : next;
    } else if (inClass) {
      if (char === ']') inClass = false;
      out += char === '-' && besideClass(source, at) ? '\\-' : char;
    } else {
      if (char === '[') inClass = true;
      const literal = char === ']' || char === '}' || (char === '{' && !/^\{\d+(?:,\d*)?\}/.test(source.slice(at)));
      const quantifierEnd = char === '}' && /\{\d+(?:,\d*)?$/.test(source.slice(0, at));
      out += literal && !quantifierEnd ? `\\${char}` : char;
    }
  }
  return tryCompile(out, 'u') === undefined ? undefined : out;
}

function besideClass(source: string, at: number): boolean {
  return /\\[dDwWsS]$/.test(source.slice(0, at)) || /^\\[dDwWsS]/.test(source.slice(at + 1));
}

/*
 * Everything that a server says passes through one of these on its way to a terminal. Escaped are control characters, what
 * reorders text or hides in it (bidirectional controls, zero-width and tag characters), line and paragraph separators, and
 * halves of surrogate pairs.
 */

/** Most text is plain, and then there is nothing to do. */
const plain = /^[ -~]*$/;

const suspicious = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Format characters that text needs: joiners of emoji and several scripts, and signs that are visible themselves. */
const harmless = new Set([
  0x200c, 0x200d, 0x0600, 0x0601, 0x0602, 0x0603, 0x0604, 0x0605, 0x06dd, 0x070f, 0x0890, 0x0891, 0x08e2, 0x110bd,
]);

const short = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\b', '\\b'],
  ['\f', '\\f'],
]);

function shown(found: string): string {
  const code = found.codePointAt(0)!;
  if (harmless.has(code)) return found;
  const known = short.get(found);
  if (known !== undefined) return known;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/** Makes text safe for a terminal in one line: line ends and tabs are escaped like everything else that is not a character. */
export function escapeLine(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(suspicious, shown);
}

/** Makes text safe for a terminal and keeps its lines and tabs. CR LF counts as a line end; a lone CR is escaped. */
export function escapeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(suspicious, (found) => (found === '\n' || found === '\t' ? found : shown(found)));
}

/** Makes JSON safe for a terminal without changing what it says: what could act on the terminal is written as `\uXXXX`. */
export function escapeJson(json: string): string {
  return json.replace(suspicious, (found) => {
    if (found === '\n' || found === '\t' || harmless.has(found.codePointAt(0)!)) return found;
    let out = '';
    for (let i = 0; i < found.length; i += 1) out += `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`;
    return out;
  });
}

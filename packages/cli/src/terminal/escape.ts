/*
 * Everything that a server says passes through one of these on its way to a terminal. Escaped are C0 and C1 controls, DEL,
 * what reorders text or hides in it (bidirectional controls, zero-width and tag characters, line and paragraph
 * separators), and halves of surrogate pairs.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what it is for
const hostile =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|\udb40[\udc00-\udc7f]/g;
// A well-formed pair that is not a tag character is text; it is matched here so that its halves are not.
const pair = /[\ud800-\udbff][\udc00-\udfff]/;
const scan = new RegExp(`${pair.source}|${hostile.source}`, 'g');

const short = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\b', '\\b'],
  ['\f', '\\f'],
]);

function shown(found: string): string {
  if (found.length === 2) {
    const point = found.codePointAt(0)!;
    return point >= 0xe0000 && point <= 0xe007f ? `\\u{${point.toString(16)}}` : found;
  }
  const known = short.get(found);
  if (known !== undefined) return known;
  const code = found.charCodeAt(0);
  // Joiners hold emoji and several scripts together, and can neither hide nor reorder anything by themselves.
  if (code === 0x200c || code === 0x200d) return found;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

/** Makes text safe for a terminal in one line: line ends and tabs are escaped like everything else that is not a character. */
export function escapeLine(text: string): string {
  return text.replace(scan, shown);
}

/** Makes text safe for a terminal and keeps its lines and tabs. CR LF counts as a line end; a lone CR is escaped. */
export function escapeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(scan, (found) => (found === '\n' || found === '\t' ? found : shown(found)));
}

/** Makes JSON safe for a terminal without changing what it says: what could act on the terminal is written as `\uXXXX`. */
export function escapeJson(json: string): string {
  return json.replace(scan, (found) => {
    if (found === '\n' || found === '\t' || shown(found) === found) return found;
    let out = '';
    for (let i = 0; i < found.length; i += 1) out += `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`;
    return out;
  });
}

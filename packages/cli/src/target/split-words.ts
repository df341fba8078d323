/**
 * Splits one quoted command into words as a shell would, without being one: single and double quotes, and backslashes
 * outside single quotes; nothing is expanded. On Windows a backslash is a character like any other.
 *
 * @returns the words, or what is wrong.
 */
export function splitWords(
  text: string,
  windows = process.platform === 'win32',
): { words: string[] } | { problem: string } {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i]!;
    if (quote !== undefined) {
      if (c === quote) quote = undefined;
      else if (c === '\\' && quote === '"' && /["\\$`]/.test(text[i + 1] ?? '') && (!windows || text[i + 1] === '"')) {
        i += 1;
        word += text[i]!;
      } else word += c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= '';
    } else if (c === '\\' && !windows) {
      if (i + 1 >= text.length) return { problem: 'it ends in a backslash' };
      i += 1;
      word = (word ?? '') + text[i]!;
    } else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + c;
  }
  if (quote !== undefined) return { problem: `a ${quote} is not closed` };
  if (word !== undefined) words.push(word);
  return words.length === 0 ? { problem: 'it is empty' } : { words };
}

import fastStringWidth from 'fast-string-width';

/** Columns that a text without line ends takes up on a terminal. */
export const columnsOf = (text: string): number => fastStringWidth(text);

/** Pads to a number of columns. */
export const padTo = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

/** Cuts a text to a number of columns, with an ellipsis where something was cut. */
export function cutTo(text: string, columns: number): string {
  if (text.length <= columns && columnsOf(text) <= columns) return text;
  if (columnsOf(text) <= columns) return text;
  let out = '';
  let used = 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += columnsOf(segment);
    if (used > columns) break;
    out += segment;
  }
  return `${out.trimEnd()}…`;
}

/**
 * Breaks text into lines of at most so many columns, at spaces where there are any. Line ends and indents stay. What is
 * longer than a line is broken too, as in languages that write no spaces, except what has to be whole to be of use: URLs and paths.
 */
export function wrapTo(text: string, columns: number): string[] {
  if (!Number.isFinite(columns)) return text.split('\n');
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    const words = paragraph.trimStart();
    const indent = paragraph.slice(0, Math.min(paragraph.length - words.length, columns >> 1));
    const room = columns - indent.length;
    let line = '';
    let used = 0;
    for (const word of words.split(' ').flatMap((each) => broken(each, room))) {
      const wide = columnsOf(word.text);
      const gap = line === '' || word.glued ? 0 : 1;
      if (line !== '' && (word.glued || used + gap + wide > room)) {
        lines.push(indent + line);
        line = word.text;
        used = wide;
      } else {
        line = `${line}${line === '' ? '' : ' '}${word.text}`;
        used += gap + wide;
      }
    }
    lines.push(line === '' ? '' : indent + line);
  }
  return lines;
}

/** The pieces of a word, each of which fits on a line; all but the first are glued to the one before. */
function broken(word: string, columns: number): { readonly text: string; readonly glued: boolean }[] {
  if (/[/\\]/.test(word) || word.includes('\u001b') || columnsOf(word) <= columns)
    return [{ text: word, glued: false }];
  const pieces: { text: string; glued: boolean }[] = [];
  let piece = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const wide = columnsOf(segment);
    if (piece !== '' && used + wide > columns) {
      pieces.push({ text: piece, glued: pieces.length > 0 });
      piece = '';
      used = 0;
    }
    piece += segment;
    used += wide;
  }
  return [...pieces, { text: piece, glued: pieces.length > 0 }];
}

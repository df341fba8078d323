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

/** Breaks text into lines of at most so many columns, at spaces where there are any. Existing line ends stay. */
export function wrapTo(text: string, columns: number): string[] {
  if (!Number.isFinite(columns)) return text.split('\n');
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && columnsOf(line) + 1 + columnsOf(word) > columns) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

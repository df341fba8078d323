import { columnsOf, cutTo, padTo, wrapTo } from '../terminal/width.ts';

/** One cell: what is shown, and how to colour it. The text has no control characters. */
export interface Cell {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
}

const GAP = '  ';
/** Columns below which a last column is of no use, and stands on a line of its own. */
const LEAST = 24;
const EMPTY: Cell = { text: '' };

const painted = (cell: Cell, text: string): string =>
  cell.paint === undefined || text === '' ? text : cell.paint(text);

/**
 * Lays rows out in columns. All but the last are whole, because they hold what is copied: names and URIs. The last one,
 * which holds words, is cut to what is left of `width`, or broken into lines with `wrap`; where too little is left, it
 * stands below, and where not even the others fit side by side, they follow one another. Empty columns are left out.
 */
export function table(
  rows: readonly (readonly Cell[])[],
  width: number,
  { wrap = false }: { readonly wrap?: boolean } = {},
): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, i) =>
    Math.max(0, ...rows.map((row) => columnsOf(row[i]?.text ?? ''))),
  );
  const used = widths.map((_, i) => i).filter((i) => widths[i]! > 0);
  const last = used.at(-1) ?? 0;
  const others = used.slice(0, -1);
  const before = others.reduce((sum, i) => sum + widths[i]! + GAP.length, 0);
  const pieces = (text: string, columns: number): string[] =>
    text === '' ? [] : wrap ? wrapTo(text, columns) : [cutTo(text, columns)];
  const beside = others.length === 0 || width - before >= Math.min(LEAST, widths[last]!);
  const aligned = beside || before - GAP.length <= width;
  return rows.flatMap((row) => {
    const words = row[last] ?? EMPTY;
    const cells = others.map((i) => row[i] ?? EMPTY);
    if (beside) {
      const head = cells.map((cell, at) => padded(cell, widths[others[at]!]!) + GAP).join('');
      const [first = '', ...more] = pieces(words.text, width - before).map((text) => painted(words, text));
      return [(head + first).trimEnd(), ...more.map((line) => ' '.repeat(before) + line)];
    }
    const head = aligned
      ? [
          cells
            .map((cell, at) => padded(cell, widths[others[at]!]!))
            .join(GAP)
            .trimEnd(),
        ]
      : flow(cells, width);
    const indent = GAP + GAP;
    return [...head, ...pieces(words.text, width - indent.length).map((line) => indent + painted(words, line))];
  });
}

const padded = (cell: Cell, columns: number): string =>
  painted(cell, cell.text) + ' '.repeat(columns - columnsOf(cell.text));

/** Cells one after another, as many on a line as fit. */
function flow(cells: readonly Cell[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const cell of cells) {
    if (cell.text === '') continue;
    const columns = columnsOf(cell.text);
    if (line !== '' && used + GAP.length + columns > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    const gap = line === '' ? (lines.length === 0 ? '' : GAP) : GAP;
    line += gap + painted(cell, cell.text);
    used += gap.length + columns;
  }
  return [...lines, line];
}

/** Lines of a name and a value each, the values in one column, broken to `width` where there is one. */
export function pairs(
  entries: readonly (readonly [name: string, value: string])[],
  paint: (text: string) => string,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const names = Math.max(0, ...entries.map(([name]) => columnsOf(name)));
  const room = Math.max(LEAST, width - names - GAP.length);
  return entries.flatMap(([name, value]) =>
    wrapTo(value, room).map((line, i) => `${paint(padTo(i === 0 ? name : '', names))}${GAP}${line}`.trimEnd()),
  );
}

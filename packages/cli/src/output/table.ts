import { columnsOf, cutTo, padTo } from '../terminal/width.ts';

/** One cell: what is shown, and how to colour it. The text has no control characters. */
export interface Cell {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
}

const GAP = '  ';

/**
 * Lays rows out in columns. Where they do not fit into `width`, the last column is cut to what is left for it, at least 10;
 * the others are whole, because they hold what is copied: names and URIs. Empty columns are left out.
 */
export function table(rows: readonly (readonly Cell[])[], width: number): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, i) =>
    Math.max(0, ...rows.map((row) => columnsOf(row[i]?.text ?? ''))),
  );
  const used = widths.map((_, i) => i).filter((i) => widths[i]! > 0);
  const last = used.at(-1);
  const before = used.slice(0, -1).reduce((sum, i) => sum + widths[i]! + GAP.length, 0);
  const room = Math.max(10, width - before);
  return rows.map((row) => {
    const cells = used.map((i) => {
      const cell = row[i] ?? { text: '' };
      const text = i === last ? cutTo(cell.text, room) : cell.text;
      const padding = i === last ? '' : ' '.repeat(widths[i]! - columnsOf(text));
      return (cell.paint === undefined || text === '' ? text : cell.paint(text)) + padding;
    });
    return cells.join(GAP).trimEnd();
  });
}

/** Lines of a name and a value each, the values in one column. */
export function pairs(
  entries: readonly (readonly [name: string, value: string])[],
  paint: (text: string) => string,
): string[] {
  const width = Math.max(0, ...entries.map(([name]) => columnsOf(name)));
  return entries.flatMap(([name, value]) =>
    value.split('\n').map((line, i) => `${paint(padTo(i === 0 ? name : '', width))}${GAP}${line}`.trimEnd()),
  );
}

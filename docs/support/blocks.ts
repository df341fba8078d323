/** One fenced block of a page. */
export interface Block {
  /** The page's path from the root of the repository. */
  readonly page: string;
  /** Where the block begins, from 1. */
  readonly line: number;
  /** `ts`, `js`, `sh`, `text`, …; empty where the fence names none. */
  readonly language: string;
  /** What stands behind the language: `run`, `file=NAME`. */
  readonly flags: readonly string[];
  readonly text: string;
  /** Lines of a comment `<!-- prelude … -->` that stands right before the block: compiled with it, not shown. */
  readonly prelude: string;
  /** The `text` block that follows at once: what the block prints. */
  readonly output?: string;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string, markdown: string): Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  let prelude = '';
  let follows = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (line.trim() === '') continue;
    if (line === '<!-- prelude') {
      const end = lines.indexOf('-->', at);
      if (end < 0) throw new Error(`${page}:${at + 1}: a prelude without an end`);
      prelude = lines.slice(at + 1, end).join('\n');
      follows = false;
      at = end;
      continue;
    }
    const fence = /^```(\S*)\s*(.*)$/.exec(line);
    if (fence === null) {
      prelude = '';
      follows = false;
      continue;
    }
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`${page}:${at + 1}: a block without an end`);
    const [, language = '', flags = ''] = fence;
    const text = lines.slice(at + 1, end).join('\n');
    const before = blocks.at(-1);
    if (language === 'text' && follows && before !== undefined) blocks[blocks.length - 1] = { ...before, output: text };
    blocks.push({ page, line: at + 1, language, flags: flags.split(' ').filter(Boolean), text, prelude });
    prelude = '';
    follows = language !== 'text';
    at = end;
  }
  return blocks;
}

/** The value of a flag such as `file=NAME`. */
export const flag = (block: Block, name: string): string | undefined =>
  block.flags.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);

/** Anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { text } of headings(markdown)) {
    const anchor = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function* headings(markdown: string): Iterable<{ readonly text: string }> {
  for (const line of prose(markdown)) {
    const heading = /^#{1,6} (.*)$/.exec(line);
    if (heading?.[1] !== undefined) yield { text: heading[1] };
  }
}

/** The lines of a page that are in no block. */
export function prose(markdown: string): string[] {
  let inside = false;
  return markdown.split('\n').filter((line) => {
    if (line.startsWith('```')) {
      inside = !inside;
      return false;
    }
    return !inside;
  });
}

/** Targets of the links of a page that lead to another place of the repository. */
export function linksOf(markdown: string): string[] {
  return prose(markdown)
    .flatMap((line) => [...line.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string))
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The cells of the first table below a heading, without its head. Code marks are taken off. */
export function tableBelow(markdown: string, heading: string): string[][] {
  const lines = prose(markdown);
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`there is no heading ${JSON.stringify(heading)}`);
  const rows: string[][] = [];
  for (const line of lines.slice(start + 1)) {
    if (line.startsWith('|')) rows.push(cells(line));
    else if (rows.length > 0 || line.startsWith('#')) break;
  }
  if (rows.length < 3) throw new Error(`there is no table below ${JSON.stringify(heading)}`);
  return rows.slice(2);
}

const cells = (line: string): string[] =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('`', ''));

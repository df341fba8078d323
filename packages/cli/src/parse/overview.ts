import { commands } from '../commands/index.ts';
import { type Cell, table } from '../output/table.ts';
import { wrapTo } from '../terminal/width.ts';
import { usageOf } from './commander.ts';

const forms = [
  ['https://mcp.example.com/mcp', 'a URL; https:// is assumed, http:// for loopback'],
  ['-- npx -y @scope/server', 'a command, at the end of the line'],
  ['"node server.js"', 'the same, as one quoted word (no shell)'],
  ['./server.mjs', 'a script file, run with this Node'],
  ['demo', 'the built-in server that shows every feature'],
] as const;

const statuses =
  'Exit status: 0 done, 1 the tool failed, 2 wrong arguments, 3 not reachable, 4 not authorized, 5 protocol error, ' +
  '6 input needed, 7 timed out, 8 breaks its schema (--strict), 9 refused here, 130 interrupted';

/** The help of the program as a whole, in `width` columns. */
export function overview(version: string, width: number): string {
  const shown = [...commands.values()].filter((spec) => spec.hidden !== true);
  const rows = shown.map((spec) => [`${spec.name} ${usageOf(spec).replace(/ ?\[options\]$/, '')}`, spec.summary]);
  return `dragoman ${version}: use, debug and operate MCP servers

Usage: dragoman COMMAND SERVER [...] [options]

Commands:
${columns(rows, width)}

SERVER is one of:
${columns(forms, width)}

${wrapTo(statuses, Math.min(width, 110) - 2).join('\n  ')}

Try: dragoman tools demo
     dragoman COMMAND --help
`;
}

function columns(rows: readonly (readonly string[])[], width: number): string {
  const cells = rows.map((row) => row.map((text): Cell => ({ text: text.trimEnd() })));
  return table(cells, width - 2, { wrap: true })
    .map((line) => `  ${line}`)
    .join('\n');
}

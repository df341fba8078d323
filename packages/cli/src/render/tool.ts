import type { JsonObject } from '@dragoman/protocol';
import { isSchema } from '../arguments/schema-document.ts';
import { prettyJson } from '../output/json.ts';
import { table } from '../output/table.ts';
import { escapeLine, escapeText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';
import { wrapTo } from '../terminal/width.ts';
import { behaviour, titleOf } from './lists.ts';
import { schemaRows } from './schema-table.ts';

/** One tool in full: its words, arguments and result as tables, then both schemas as JSON. */
export function renderTool(tool: JsonObject, style: Style, width: number): string {
  const title = titleOf(tool);
  const words = behaviour(tool);
  const name = typeof tool.name === 'string' ? escapeLine(tool.name) : '';
  const lines = [
    [style.bold(name), title, words.length > 0 ? style.dim(`(${words.join(', ')})`) : ''].filter(Boolean).join('  '),
  ];
  if (typeof tool.description === 'string')
    lines.push(...wrapTo(escapeText(tool.description.trim()), Math.min(width, 100)));
  lines.push('', ...part('Arguments', tool.inputSchema, 'It takes no arguments.', style, width));
  if (tool.outputSchema !== undefined) {
    lines.push('', ...part('Result', tool.outputSchema, 'See the schema.', style, width));
  }
  lines.push('', style.dim('inputSchema'), prettyJson(tool.inputSchema, style));
  if (tool.outputSchema !== undefined) lines.push('', style.dim('outputSchema'), prettyJson(tool.outputSchema, style));
  return lines.join('\n');
}

function part(heading: string, schema: unknown, empty: string, style: Style, width: number): string[] {
  const rows = isSchema(schema) ? schemaRows(schema, style) : [];
  if (rows.length === 0) return [style.dim(heading), `  ${empty}`];
  return [style.dim(heading), ...table(rows, width - 2, { wrap: true }).map((line) => `  ${line}`)];
}

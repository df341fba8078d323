import type { JsonObject } from '@dragoman/protocol';
import { isObject } from '../arguments/schema-document.ts';
import { type Cell, table } from '../output/table.ts';
import { sizeText } from '../output/views.ts';
import { escapeLine } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';

const text = (value: unknown): string => (typeof value === 'string' ? escapeLine(value) : '');

/** The first line of a description: the rest is for the description of the one. */
const firstLine = (value: unknown): string =>
  typeof value === 'string' ? escapeLine(value.trim().split(/\r?\n/, 1)[0]!.trim()) : '';

/** What a tool says of its own behaviour, in words. A hint that is not given is not shown, whatever its default. */
export function behaviour(tool: JsonObject): string[] {
  const hints = isObject(tool.annotations) ? tool.annotations : {};
  const words: string[] = [];
  if (hints.readOnlyHint === true) words.push('read-only');
  // Only a tool that changes something can destroy, or do the same thing twice (schema, ToolAnnotations).
  else {
    if (hints.destructiveHint === true) words.push('destructive');
    if (hints.idempotentHint === true) words.push('idempotent');
  }
  if (hints.openWorldHint === true) words.push('open-world');
  return words;
}

/** The title for people: the tool's own, else that of its annotations. */
export function titleOf(item: JsonObject): string {
  const own = item.title ?? (isObject(item.annotations) ? item.annotations.title : undefined);
  return own === item.name ? '' : text(own);
}

/** Tools: the name to call each by comes first. */
export function toolRows(tools: readonly JsonObject[], style: Style): Cell[][] {
  return tools.map((tool) => {
    const words = behaviour(tool);
    return [
      { text: text(tool.name), paint: style.bold },
      { text: titleOf(tool) },
      { text: words.join(', '), paint: words.includes('destructive') ? style.red : style.dim },
      { text: firstLine(tool.description), paint: style.dim },
    ];
  });
}

/** Resources: the URI to read each by comes first. */
export function resourceRows(resources: readonly JsonObject[], style: Style): Cell[][] {
  return resources.map((resource) => [
    { text: text(resource.uri), paint: style.bold },
    { text: titleOf(resource) || text(resource.name) },
    { text: text(resource.mimeType), paint: style.dim },
    { text: typeof resource.size === 'number' ? sizeText(resource.size) : '', paint: style.dim },
    { text: firstLine(resource.description), paint: style.dim },
  ]);
}

/** Resource templates. */
export function templateRows(templates: readonly JsonObject[], style: Style): Cell[][] {
  return templates.map((template) => [
    { text: text(template.uriTemplate), paint: style.bold },
    { text: titleOf(template) || text(template.name) },
    { text: text(template.mimeType), paint: style.dim },
    { text: firstLine(template.description), paint: style.dim },
  ]);
}

/** Prompts with their arguments; those that may be left out stand in brackets. */
export function promptRows(prompts: readonly JsonObject[], style: Style): Cell[][] {
  return prompts.map((prompt) => {
    const args = Array.isArray(prompt.arguments) ? prompt.arguments.filter(isObject) : [];
    const shown = args.map((arg) => (arg.required === true ? `${text(arg.name)}=` : `[${text(arg.name)}=]`));
    return [
      { text: text(prompt.name), paint: style.bold },
      { text: titleOf(prompt) },
      { text: shown.join(' '), paint: style.cyan },
      { text: firstLine(prompt.description), paint: style.dim },
    ];
  });
}

/** A table, or a line that says that there is nothing. */
export function listText(rows: Cell[][], width: number, what: string): string {
  return rows.length === 0 ? `The server has no ${what}.` : table(rows, width).join('\n');
}

import type { JsonObject } from '@dragoman/protocol';
import { prettyJson } from '../output/json.ts';
import { type ContentView, renderBlock } from './content.ts';

/**
 * A tool's result, for people. Structured output is shown wherever the content does not already say the same
 * (server/tools, "Structured Content").
 */
export function renderCallResult(result: JsonObject, view: ContentView): string {
  const content = Array.isArray(result.content) ? result.content : [];
  const structured = result.structuredContent;
  if (structured === undefined) return content.map((block) => renderBlock(block, view)).join('\n');
  const shown = prettyJson(structured, view.style);
  const others = content.filter((block) => !repeats(block, structured));
  if (others.length === 0) return shown;
  const blocks = others.map((block) => renderBlock(block, view)).join('\n');
  return content.length === others.length
    ? `${blocks}\n\n${view.style.dim('Structured')}\n${shown}`
    : `${blocks}\n${shown}`;
}

/** Whether a text block is the serialised form of the structured output, which servers send for older clients. */
function repeats(block: unknown, structured: unknown): boolean {
  const text = (block as { text?: unknown } | null)?.text;
  if (typeof text !== 'string') return false;
  try {
    return canonical(JSON.parse(text)) === canonical(structured);
  } catch {
    return false;
  }
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

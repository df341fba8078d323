import type { JsonObject } from '@dragoman/protocol';
import { isObject } from '../arguments/schema-document.ts';
import { escapeLine } from '../terminal/escape.ts';
import { type ContentView, renderBlock } from './content.ts';

/** A prompt's messages, for people: text as text, other blocks as what they are. */
export function renderPromptResult(result: JsonObject, view: ContentView): string {
  const messages = Array.isArray(result.messages) ? result.messages : [];
  const parts = messages.map((message) => {
    if (!isObject(message)) return renderBlock(message, view);
    const role = typeof message.role === 'string' ? escapeLine(message.role) : 'nobody';
    // Older servers sent one block, newer models take a list.
    const blocks = Array.isArray(message.content) ? message.content : [message.content];
    return [view.style.dim(`${role}:`), ...blocks.map((block) => renderBlock(block, view))].join('\n');
  });
  const words = typeof result.description === 'string' ? [view.style.dim(escapeLine(result.description))] : [];
  return [...words, ...parts].join('\n\n');
}

/** The blocks of all messages, one after another. */
export function blocksOf(result: JsonObject): unknown[] {
  const messages = Array.isArray(result.messages) ? result.messages : [];
  return messages.flatMap((message) => (isObject(message) ? message.content : []));
}

import type { JsonObject } from '@dragoman/protocol';
import { isObject } from '../arguments/schema-document.ts';
import { compactJson, prettyJson } from '../output/json.ts';
import { sizeText } from '../output/views.ts';
import { escapeLine, escapeText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';

/** Where the parts of a result went that were saved, by the part itself. */
export type Saved = ReadonlyMap<unknown, string>;

/** How to show content. */
export interface ContentView {
  readonly style: Style;
  readonly saved: Saved;
  /** Told of what is not as the protocol says; the content is shown all the same. */
  readonly warn: (message: string) => void;
}

/** One block of a tool's result or of a prompt, for people. Binary is described, never printed. */
export function renderBlock(block: unknown, view: ContentView): string {
  if (!isObject(block) || typeof block.type !== 'string') {
    view.warn(`a content block is not an object with a type: ${compactJson(block).slice(0, 80)}`);
    return prettyJson(block, view.style);
  }
  switch (block.type) {
    case 'text':
      if (typeof block.text === 'string') return renderText(block, block.text, view);
      break;
    case 'image':
    case 'audio':
      if (typeof block.data === 'string') return binary(block, block.type, block.data, view);
      break;
    case 'resource_link':
      if (typeof block.uri === 'string') return link(block, block.uri, view);
      break;
    case 'resource':
      if (isObject(block.resource)) return renderContents(block.resource, view, true);
      break;
    default:
      view.warn(`a content block is of the unknown type ${JSON.stringify(block.type)}; it is shown as it came`);
      return prettyJson(block, view.style);
  }
  view.warn(`a content block of type ${block.type} lacks what it should hold; it is shown as it came`);
  return prettyJson(block, view.style);
}

/** The contents of a resource, for people. */
export function renderContents(contents: unknown, view: ContentView, named: boolean): string {
  const uri =
    isObject(contents) && typeof contents.uri === 'string' ? escapeLine(contents.uri) : 'contents without a URI';
  if (isObject(contents)) {
    const head = named ? `${view.style.bold(uri)}${typeOf(contents, view.style)}\n` : '';
    if (typeof contents.text === 'string') return head + renderText(contents, contents.text, view);
    if (typeof contents.blob === 'string') return head + binary(contents, 'binary', contents.blob, view);
  }
  view.warn(`${uri} holds neither text nor a blob; it is shown as it came`);
  return prettyJson(contents, view.style);
}

function renderText(part: unknown, text: string, view: ContentView): string {
  const path = view.saved.get(part);
  if (path !== undefined)
    return view.style.dim(`[text, ${sizeText(Buffer.byteLength(text))}, saved as ${escapeLine(path)}]`);
  if (view.style.enabled && /^\s*[{[]/.test(text)) {
    try {
      return prettyJson(JSON.parse(text), view.style);
    } catch {
      // Text that only begins like JSON is text.
    }
  }
  return escapeText(text);
}

function binary(part: JsonObject, what: string, base64: string, view: ContentView): string {
  const size = sizeText(byteLength(base64));
  const type = typeof part.mimeType === 'string' ? escapeLine(part.mimeType) : 'type not declared';
  const path = view.saved.get(part);
  const where = path === undefined ? '--save DIR writes it to a file' : `saved as ${escapeLine(path)}`;
  return view.style.dim(`[${what}, ${type}, ${size}; ${where}]`);
}

function link(block: JsonObject, uri: string, view: ContentView): string {
  const label = typeof block.title === 'string' ? block.title : typeof block.name === 'string' ? block.name : '';
  const size = typeof block.size === 'number' ? `, ${sizeText(block.size)}` : '';
  const words = typeof block.description === 'string' ? `\n  ${escapeLine(block.description)}` : '';
  // A name that the URI ends with is not said twice.
  const named = label === '' || uri.endsWith(label) ? '' : ` ${escapeLine(label)}`;
  return `${view.style.dim('link')} ${view.style.bold(escapeLine(uri))}${named}${typeOf(block, view.style)}${size}${words}`;
}

const typeOf = (part: JsonObject, style: Style): string =>
  typeof part.mimeType === 'string' ? style.dim(` (${escapeLine(part.mimeType)})`) : '';

/** Bytes that base64 text stands for. */
function byteLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

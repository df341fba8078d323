import { escapeJson } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';

/** JSON for people: indented, safe for a terminal, coloured where colour is on. */
export function prettyJson(value: unknown, style: Style): string {
  const json = escapeJson(JSON.stringify(value, null, 2) ?? 'null');
  return style.enabled ? colour(json, style) : json;
}

/** JSON on one line, safe for a terminal. */
export const compactJson = (value: unknown): string => escapeJson(JSON.stringify(value) ?? 'null');

const lexeme = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)/g;

function colour(json: string, style: Style): string {
  return json.replace(lexeme, (_, text?: string, colon?: string, number?: string, word?: string) => {
    if (text !== undefined) return colon === undefined ? style.green(text) : `${style.blue(text)}${colon}`;
    return number !== undefined ? style.yellow(number) : style.magenta(word!);
  });
}

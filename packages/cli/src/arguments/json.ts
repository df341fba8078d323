import { DragomanError, type JsonObject } from '@dragoman/protocol';
import type { Sources } from './read-source.ts';
import { isObject } from './schema-document.ts';

/** Parses JSON that a user wrote. Throws INVALID_ARGUMENT, and says so where a shell has eaten the quotes. */
export function parseJson(text: string, what: string, more = ''): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const eaten = /^\s*[{[]\s*[A-Za-z_$]/.test(text) && !text.includes('"');
    const remedy = eaten
      ? '; the quotes are missing, as when a shell such as PowerShell takes them away: use name=value, or read the JSON from a file with @FILE or from standard input'
      : more;
    const shown = text.length > 80 ? `${text.slice(0, 77)}...` : text;
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `${what}: ${JSON.stringify(shown)} is not JSON (${(cause as Error).message})${remedy}`,
      {
        cause,
      },
    );
  }
}

/** Parses a JSON object given as text, as `@FILE`, or as `-` for standard input. */
export async function readJsonObject(text: string, what: string, sources: Sources): Promise<JsonObject> {
  const value = await readJson(text, what, sources);
  if (isObject(value)) return value;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `${what}: expected a JSON object, got ${JSON.stringify(value)?.slice(0, 80)}`,
  );
}

/** Parses JSON given as text, as `@FILE`, or as `-` for standard input. */
export async function readJson(text: string, what: string, sources: Sources): Promise<unknown> {
  const named = text === '-' || text === '@-' ? '-' : text.startsWith('@') ? text.slice(1) : undefined;
  if (named !== undefined) return parseJson(await sources.text(named, what), what);
  return parseJson(text, what, /^[\w~.][\w./\\-]*[./\\][\w./\\-]*$/.test(text) ? `; a file is written @${text}` : '');
}

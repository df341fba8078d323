import { DragomanError, type JsonObject } from '@dragoman/protocol';
import { place } from './assemble.ts';
import { convertText } from './convert.ts';
import { expectationOf, membersOf, partOf } from './expectation.ts';
import { parseJson, readJsonObject } from './json.ts';
import type { Sources } from './read-source.ts';
import { isObject, type Schema, SchemaDocument } from './schema-document.ts';
import { parseWord, type Step, type Token } from './token.ts';

/** The argument words of a command line, read but not converted yet. */
export interface ArgumentWords {
  /** Whole objects: positional ones and `--args`. */
  readonly objects: readonly JsonObject[];
  readonly tokens: readonly Token[];
  /** Whether a value has to be converted by a schema. */
  readonly needSchema: boolean;
}

const wrong = (message: string): DragomanError => new DragomanError('INVALID_ARGUMENT', message);

/** Reads the words. Throws INVALID_ARGUMENT. */
export async function readWords(
  words: readonly string[],
  args: string | undefined,
  sources: Sources,
): Promise<ArgumentWords> {
  const objects: JsonObject[] = [];
  const tokens: Token[] = [];
  for (const word of words) {
    const read = parseWord(word);
    if ('problem' in read) throw wrong(`argument ${JSON.stringify(word)}: ${read.problem}`);
    if ('token' in read) tokens.push(read.token);
    else objects.push(objectOf(parseJson(read.object, 'arguments'), 'arguments'));
  }
  if (objects.length > 1) throw wrong('arguments: more than one JSON object is given');
  if (args !== undefined) {
    if (objects.length > 0) throw wrong('arguments: a JSON object is given and --args besides; give one of them');
    objects.push(await readJsonObject(args, '--args', sources));
  }
  return { objects, tokens, needSchema: tokens.some((token) => token.form === 'text') };
}

/**
 * Makes the arguments of the words. `note` is told of every value whose type nobody declared. Throws INVALID_ARGUMENT, for
 * all values that cannot be read at once; those are taken as text, with a note, where they are to be sent all the same.
 */
export async function collect(
  words: ArgumentWords,
  schema: Schema | undefined,
  sources: Sources,
  note: (line: string) => void,
  { lenient = false }: { readonly lenient?: boolean } = {},
): Promise<JsonObject> {
  const root = words.objects[0] ?? {};
  const document = schema === undefined ? undefined : new SchemaDocument(schema);
  const problems: string[] = [];
  for (const token of words.tokens) {
    const path = document === undefined ? token.path : knownPath(document, token);
    const read = await tokenValue(token, path, document, sources, note);
    if ('problem' in read) {
      if (lenient) note(`argument ${token.key}: ${read.problem}; it is sent as text`);
      else problems.push(`${token.key}: ${read.problem}`);
    }
    const misplaced = place(root, path, read.value);
    if (misplaced !== undefined) throw wrong(`argument ${token.key}: ${misplaced}`);
  }
  if (problems.length === 1) throw wrong(`argument ${problems[0]}`);
  if (problems.length > 1) throw wrong(`these arguments cannot be read:\n${problems.join('\n')}`);
  return root;
}

/** A name with dots or brackets in it that the schema knows as one name is that name. */
function knownPath(document: SchemaDocument, token: Token): readonly Step[] {
  if (token.path.length === 1) return token.path;
  return membersOf(document, document.root).names.includes(token.key) ? [{ name: token.key }] : token.path;
}

async function tokenValue(
  token: Token,
  path: readonly Step[],
  document: SchemaDocument | undefined,
  sources: Sources,
  note: (line: string) => void,
): Promise<{ readonly value: unknown; readonly problem?: string }> {
  const what = `argument ${token.key}`;
  const text = token.source === 'file' ? await sources.text(token.text, what) : token.text;
  if (token.form === 'json') return { value: parseJson(text, what) };
  let schema: Schema | undefined = document?.root;
  for (const step of path) schema = schema === undefined ? undefined : partOf(document!, schema, step);
  const converted = convertText(text, schema === undefined ? {} : expectationOf(document!, schema));
  if ('problem' in converted) return { value: text, problem: converted.problem };
  if (converted.note !== undefined) note(`${what}: ${converted.note}; ${token.key}:=JSON says it for certain`);
  return { value: converted.value };
}

function objectOf(value: unknown, what: string): JsonObject {
  if (isObject(value)) return value;
  throw wrong(`${what}: expected a JSON object`);
}

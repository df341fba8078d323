import { DragomanError, type JsonObject } from '@dragoman/protocol';
import { setMember } from '../arguments/assemble.ts';
import { checkArguments, strangers } from '../arguments/check.ts';
import { type ArgumentWords, collect } from '../arguments/collect.ts';
import { isSchema, type Schema } from '../arguments/schema-document.ts';
import { missingFields } from '../input/argument-fields.ts';
import { CLOSED } from '../input/asker.ts';
import { fillIn } from '../input/field.ts';
import { escapeLine } from '../terminal/escape.ts';
import type { Session } from './session.ts';

/** Makes a tool's arguments of the words, asks for what is missing, and holds all of it against the tool's schema. */
export async function callArguments(
  session: Session,
  words: ArgumentWords,
  tool: JsonObject | undefined,
): Promise<JsonObject> {
  const { reporter, options, sources } = session;
  const schema: Schema | undefined = isSchema(tool?.inputSchema) ? tool.inputSchema : undefined;
  const args = await collect(words, schema, sources, (line) => reporter.warn(line), {
    lenient: options.validate === false,
  });
  if (schema === undefined) return args;
  await askMissing(session, String(tool?.name), schema, args);
  try {
    const { problems, unchecked } = await checkArguments(args, schema);
    if (unchecked !== undefined) reporter.warn(`the arguments are not checked: ${unchecked}`);
    const known = problems.map((problem) => problem.split(':', 1)[0]);
    // A misspelt name is half of what is wrong, whether or not the schema takes further arguments.
    const more =
      problems.length === 0 ? [] : strangers(args, schema).filter((line) => !known.includes(line.split(':', 1)[0]));
    report(session, tool!, [...problems, ...more]);
  } catch (reason) {
    if (!(reason instanceof DragomanError) || reason.code !== 'INVALID_SCHEMA' || options.validate !== false)
      throw reason;
    reporter.warn(`the arguments are not checked: ${reason.message}`);
  }
  return args;
}

function report(session: Session, tool: JsonObject, problems: readonly string[]): void {
  if (problems.length === 0) return;
  if (session.options.validate === false) {
    for (const problem of problems) session.reporter.warn(`argument ${problem}`);
    return;
  }
  const name = String(tool.name);
  const lines = problems.map((problem) => `\n${problem}`).join('');
  const behind = session.serverWords.startsWith('-- ');
  const command = behind
    ? `dragoman tools ${name} ${session.serverWords}`
    : `dragoman tools ${session.serverWords} ${name}`;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `the arguments do not fit the schema of ${JSON.stringify(name)}:${lines}`,
    {
      details: { problems, hint: `${command} shows what it takes; --no-validate sends them all the same` },
    },
  );
}

/** What stands above the form for arguments that were not given. */
export const needsMore = (name: string, count: number): string =>
  `${escapeLine(name)} needs ${count === 1 ? 'one more argument' : `${count} more arguments`}:`;

async function askMissing(session: Session, name: string, schema: Schema, args: JsonObject): Promise<void> {
  if (session.asker === undefined) return;
  const fields = missingFields(schema, args);
  if (fields.length === 0) return;
  const asker = await session.asker();
  asker.say(needsMore(name, fields.length));
  const values = await fillIn(fields, asker);
  if (values === CLOSED) throw new DragomanError('INVALID_ARGUMENT', 'the form was closed; nothing was sent');
  for (const [name, value] of values) setMember(args, name, value);
}

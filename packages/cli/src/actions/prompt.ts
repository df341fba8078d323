import { DragomanError, type JsonObject } from '@dragoman/protocol';
import { setMember } from '../arguments/assemble.ts';
import { collect, readWords } from '../arguments/collect.ts';
import { sourcesOf } from '../arguments/read-source.ts';
import { isObject } from '../arguments/schema-document.ts';
import type { ExitCode } from '../exit-code.ts';
import { CLOSED } from '../input/asker.ts';
import { type Field, fillIn } from '../input/field.ts';
import type { Invocation } from '../invocation.ts';
import { blocksOf, renderPromptResult } from '../render/prompt-result.ts';
import { needsMore } from '../session/call-arguments.ts';
import { sendOrResume } from '../session/continuation.ts';
import { printRequest } from '../session/print-request.ts';
import { printReport } from '../session/report.ts';
import { type Session, withSession } from '../session/session.ts';
import { wantsRequest } from '../session/wants-request.ts';
import { escapeLine } from '../terminal/escape.ts';
import { rawPart } from './call.ts';

/** Gets a prompt. */
export const run = async (invocation: Invocation): Promise<ExitCode> => {
  const [name, ...words] = invocation.operands as [string, ...string[]];
  const args = await promptArguments(words, invocation);
  if (wantsRequest(invocation.options)) {
    return printRequest(invocation, (client, options) => client.getPrompt(name, args, options));
  }
  return withSession(invocation, async (session) => {
    if (session.asker !== undefined && session.options.continuation === undefined)
      await askMissing(session, name, args);
    const result = (await sendOrResume(session, {
      method: 'prompts/get',
      name,
      send: (options) => session.client.getPrompt(name, args, options),
    })) as JsonObject;
    const blocks = blocksOf(result);
    return printReport(session, {
      kind: 'prompt',
      data: result,
      text: (view) => renderPromptResult(result, view),
      raw: () => blocks.map(rawPart).flatMap((part, i) => (i === 0 ? [part] : ['\n', part])),
      parts: blocks,
    });
  });
};

/** Arguments of a prompt are text, whatever they look like (schema, `GetPromptRequestParams`). */
async function promptArguments(
  words: readonly string[],
  { options, terminal }: Invocation,
): Promise<{ [name: string]: string }> {
  const sources = sourcesOf(terminal);
  const schema = { type: 'object', additionalProperties: { type: 'string' } };
  const args = await collect(await readWords(words, options.args, sources), schema, sources, () => {});
  for (const [key, value] of Object.entries(args)) {
    if (typeof value === 'string') continue;
    const shown = JSON.stringify(value);
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `argument ${key}: the arguments of a prompt are text, and ${shown} is not; write ${key}=...`,
    );
  }
  return args as { [name: string]: string };
}

async function askMissing(session: Session, name: string, args: { [name: string]: string }): Promise<void> {
  const prompts = await session.client.listAllPrompts(session.callOptions());
  session.facts.cache = undefined;
  const listed: unknown = prompts.find((prompt) => prompt.name === name)?.arguments;
  const missing = (Array.isArray(listed) ? listed : []).filter(
    (arg) => isObject(arg) && arg.required === true && typeof arg.name === 'string' && !Object.hasOwn(args, arg.name),
  ) as { name: string; description?: unknown }[];
  const fields = missing.map((arg): Field => {
    const words = typeof arg.description === 'string' ? `: ${arg.description}` : '';
    return {
      name: arg.name,
      label: escapeLine(arg.name + words),
      required: true,
      input: { kind: 'text', read: (value) => ({ value }) },
    };
  });
  if (fields.length === 0) return;
  const asker = await session.asker!();
  asker.say(needsMore(name, fields.length));
  const values = await fillIn(fields, asker);
  if (values === CLOSED) throw new DragomanError('INVALID_ARGUMENT', 'the form was closed; nothing was sent');
  for (const [key, value] of values) setMember(args, key, value);
}

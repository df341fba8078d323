import type { InputContext } from '@dragoman/client';
import type { ElicitRequestFormParams, ElicitResult } from '@dragoman/protocol';
import { pairs } from '../output/table.ts';
import { escapeLine, escapeText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';
import { type Asker, CLOSED } from './asker.ts';
import { fillIn } from './field.ts';
import { formFields } from './form-fields.ts';

/** Who asks, and during what: the user must be able to tell (client/elicitation, "User Interaction Model"). */
export function whoAsks(context: InputContext, style: Style): string {
  const name = context.serverInfo?.name;
  const who = name === undefined ? '' : ` (it calls itself ${escapeLine(name)})`;
  const during = context.name === undefined ? context.method : `${context.method} ${context.name}`;
  return `${style.bold(escapeLine(context.server))}${who} asks, during ${escapeLine(during)}:`;
}

/** Shows a server's form on the terminal. Nothing is sent before the user has seen all of it once more. */
export async function askForm(
  params: ElicitRequestFormParams,
  context: InputContext,
  asker: Asker,
  style: Style,
): Promise<ElicitResult> {
  asker.say(`\n${whoAsks(context, style)}\n${escapeText(params.message)}\n`);
  const fields = formFields(params.requestedSchema);
  if (fields.length === 0) return { action: await decide(asker, 'Agree?', 'yes'), content: {} };
  const first = await asker.choose({
    message: 'Do you want to answer?',
    choices: [
      { value: 'accept', label: 'fill in the form' },
      { value: 'decline', label: 'decline', hint: 'tell the server no' },
      { value: 'cancel', label: 'cancel', hint: 'tell the server nothing' },
    ] as const,
  });
  if (first === CLOSED || first !== 'accept') return { action: first === CLOSED ? 'cancel' : first };
  for (let before: Map<string, unknown> | undefined; ; ) {
    const values = await fillIn(fields, asker, before);
    if (values === CLOSED) return { action: 'cancel' };
    before = values;
    const given = fields.map(({ name }): [string, string] => [
      escapeLine(name),
      values.has(name) ? escapeLine(JSON.stringify(values.get(name))) : '(left out)',
    ]);
    asker.remark('');
    for (const line of pairs(given, style.dim)) asker.remark(line);
    const next = await asker.choose({
      message: 'Send this?',
      choices: [
        { value: 'accept', label: 'send' },
        { value: 'again', label: 'change it' },
        { value: 'decline', label: 'decline' },
        { value: 'cancel', label: 'cancel' },
      ] as const,
    });
    if (next === 'again') continue;
    if (next !== 'accept') return { action: next === CLOSED ? 'cancel' : next };
    return { action: 'accept', content: Object.fromEntries(values) as NonNullable<ElicitResult['content']> };
  }
}

/** Yes, no, or nothing. */
export async function decide(asker: Asker, message: string, yes: string): Promise<ElicitResult['action']> {
  const given = await asker.choose({
    message,
    choices: [
      { value: 'decline', label: 'no', hint: 'decline' },
      { value: 'accept', label: yes },
      { value: 'cancel', label: 'cancel', hint: 'tell the server nothing' },
    ] as const,
  });
  return given === CLOSED ? 'cancel' : given;
}

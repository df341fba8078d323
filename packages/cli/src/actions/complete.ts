import { type CompleteRequestParams, DragomanError, type JsonObject } from '@dragoman/protocol';
import { isObject } from '../arguments/schema-document.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { printRequest } from '../session/print-request.ts';
import { printReport } from '../session/report.ts';
import { withSession } from '../session/session.ts';
import { wantsRequest } from '../session/wants-request.ts';
import { escapeLine } from '../terminal/escape.ts';

/** Suggests values for an argument. */
export const run = (invocation: Invocation): Promise<ExitCode> => {
  const [reference, name, value] = invocation.operands as [string, string, string | undefined];
  const argument = { name, value: value ?? '' };
  const context = invocation.options.context === undefined ? undefined : Object.fromEntries(invocation.options.context);
  if (wantsRequest(invocation.options)) {
    return printRequest(invocation, (client, options) =>
      client.complete(referenceOf(reference), argument, context, options),
    );
  }
  return withSession(invocation, async (session) => {
    const ref = referenceOf(reference);
    const result = (await session.client.complete(
      ref,
      argument,
      context,
      session.callOptions(),
    )) as unknown as JsonObject;
    const { values, total, hasMore } = completionOf(result);
    return printReport(session, {
      kind: 'complete',
      data: result,
      items: values,
      raw: () => values.map((each) => `${each}\n`),
      text: () => {
        const more =
          typeof total === 'number' && total > values.length
            ? `${total} in all`
            : hasMore === true
              ? 'there are more'
              : '';
        if (more !== '') session.reporter.note(more);
        if (values.length === 0) session.reporter.note('no suggestions');
        return values.map(escapeLine).join('\n');
      },
    });
  });
};

function completionOf(result: JsonObject): { values: string[]; total?: unknown; hasMore?: unknown } {
  const completion = isObject(result.completion) ? result.completion : {};
  const values = Array.isArray(completion.values) ? completion.values.filter((value) => typeof value === 'string') : [];
  return { ...completion, values };
}

/** `prompt:NAME` is a prompt, everything else a URI template. */
function referenceOf(text: string): CompleteRequestParams['ref'] {
  const prompt = /^(?:ref\/)?prompt:(.*)$/s.exec(text);
  if (prompt !== null) {
    if (prompt[1] === '')
      throw new DragomanError('INVALID_ARGUMENT', `${JSON.stringify(text)}: the name of the prompt is missing`);
    return { type: 'ref/prompt', name: prompt[1]! };
  }
  const uri = text.replace(/^(?:ref\/)?resource:(?!\/\/)/, '');
  if (!uri.includes(':')) {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `${JSON.stringify(text)} is no reference: write prompt:NAME, or a URI template such as demo://city/{name}`,
    );
  }
  return { type: 'ref/resource', uri };
}

import type { JsonObject } from '@dragoman/protocol';
import type { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { renderContents } from '../render/content.ts';
import { sendOrResume } from '../session/continuation.ts';
import { printRequest } from '../session/print-request.ts';
import { printReport } from '../session/report.ts';
import { withSession } from '../session/session.ts';
import { wantsRequest } from '../session/wants-request.ts';
import { rawPart } from './call.ts';

/** Reads a resource. */
export const run = (invocation: Invocation): Promise<ExitCode> => {
  const [uri] = invocation.operands as [string];
  if (wantsRequest(invocation.options))
    return printRequest(invocation, (client, options) => client.readResource(uri, options));
  return withSession(invocation, async (session) => {
    const result = (await sendOrResume(session, {
      method: 'resources/read',
      name: uri,
      send: (options) => session.client.readResource(uri, options),
    })) as JsonObject;
    const contents = Array.isArray(result.contents) ? (result.contents as unknown[]) : [];
    if (!Array.isArray(result.contents)) session.reporter.warn('the result has no list of contents');
    return printReport(session, {
      kind: 'read',
      data: result,
      text: (view) => contents.map((each) => renderContents(each, view, contents.length > 1)).join('\n'),
      raw: () => contents.map(rawPart),
      parts: contents,
    });
  });
};

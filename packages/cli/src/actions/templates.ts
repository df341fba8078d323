import type { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { listText, templateRows } from '../render/lists.ts';
import { listAll } from '../session/list-all.ts';
import { printReport } from '../session/report.ts';
import { withSession } from '../session/session.ts';

/** Lists the resource templates. */
export const run = (invocation: Invocation): Promise<ExitCode> =>
  withSession(invocation, async (session) => {
    const { result, items } = await listAll(session, 'resources/templates/list', 'resourceTemplates', () =>
      session.client.listAllResourceTemplates(session.callOptions()),
    );
    return printReport(session, {
      kind: 'templates',
      data: result,
      items,
      text: ({ style, width }) => listText(templateRows(items, style), width, 'resource templates'),
    });
  });

import type { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { listText, resourceRows } from '../render/lists.ts';
import { listAll } from '../session/list-all.ts';
import { printReport } from '../session/report.ts';
import { withSession } from '../session/session.ts';

/** Lists the resources. */
export const run = (invocation: Invocation): Promise<ExitCode> =>
  withSession(invocation, async (session) => {
    const { result, items } = await listAll(session, 'resources/list', 'resources', () =>
      session.client.listAllResources(session.callOptions()),
    );
    return printReport(session, {
      kind: 'resources',
      data: result,
      items,
      text: ({ style, width }) => listText(resourceRows(items, style), width, 'resources'),
    });
  });

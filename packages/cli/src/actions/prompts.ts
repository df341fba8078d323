import type { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { listText, promptRows } from '../render/lists.ts';
import { listAll } from '../session/list-all.ts';
import { printReport } from '../session/report.ts';
import { withSession } from '../session/session.ts';

/** Lists the prompts. */
export const run = (invocation: Invocation): Promise<ExitCode> =>
  withSession(invocation, async (session) => {
    const { result, items } = await listAll(session, 'prompts/list', 'prompts', () =>
      session.client.listAllPrompts(session.callOptions()),
    );
    return printReport(session, {
      kind: 'prompts',
      data: result,
      items,
      text: ({ style, width }) => listText(promptRows(items, style), width, 'prompts'),
    });
  });

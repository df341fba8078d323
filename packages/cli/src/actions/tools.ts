import { DragomanError, type JsonObject } from '@dragoman/protocol';
import type { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { nearest } from '../parse/nearest.ts';
import { listText, toolRows } from '../render/lists.ts';
import { renderTool } from '../render/tool.ts';
import { listAll } from '../session/list-all.ts';
import { printReport } from '../session/report.ts';
import { type Session, withSession } from '../session/session.ts';

/** Lists the tools, or describes one. */
export const run = (invocation: Invocation): Promise<ExitCode> =>
  withSession(invocation, async (session) => {
    const { result, items } = await listTools(session);
    const [name] = invocation.operands;
    warnOfNames(session, name === undefined ? items : items.filter((item) => item.name === name));
    if (name === undefined) {
      return printReport(session, {
        kind: 'tools',
        data: result,
        items,
        text: ({ style, width }) => listText(toolRows(items, style), width, 'tools'),
      });
    }
    const tool = items.find((item) => item.name === name);
    if (tool === undefined) throw noTool(name, items, session.serverWords);
    return printReport(session, {
      kind: 'tool',
      data: tool,
      text: ({ style, width }) => renderTool(tool, style, width),
    });
  });

/** All tools, as one result. */
export const listTools = (session: Session): Promise<{ result: JsonObject; items: readonly JsonObject[] }> =>
  listAll(session, 'tools/list', 'tools', () => session.client.listAllTools(session.callOptions()));

/** That a server has no such tool. Another is suggested, never called in its place. */
export function noTool(name: string, tools: readonly JsonObject[], server: string): DragomanError {
  const names = tools.map((tool) => String(tool.name));
  const near = nearest(name, names);
  const few = names.length > 0 && names.join().length <= 60;
  const remedy =
    near !== undefined
      ? `did you mean ${JSON.stringify(near)}?`
      : few
        ? `it has ${names.join(', ')}`
        : `dragoman tools ${server} lists them`;
  return new DragomanError('INVALID_ARGUMENT', `the server has no tool ${JSON.stringify(name)}; ${remedy}`);
}

/** Names outside the recommended rule are listed and called like any other (server/tools, "Tool Names"). */
function warnOfNames(session: Session, tools: readonly JsonObject[]): void {
  for (const { name } of tools) {
    if (typeof name === 'string' && !/^[A-Za-z0-9_.-]{1,128}$/.test(name)) {
      session.reporter.warn(
        `the tool name ${JSON.stringify(name)} breaks the rule for names (1 to 128 of A-Z a-z 0-9 _ . -)`,
      );
    }
  }
}

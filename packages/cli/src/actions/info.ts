import type { ServerInfo } from '@dragoman/client';
import type { JsonObject, ServerCapabilities } from '@dragoman/protocol';
import { isObject } from '../arguments/schema-document.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { pairs } from '../output/table.ts';
import { listAll } from '../session/list-all.ts';
import { printReport } from '../session/report.ts';
import { type Session, withSession } from '../session/session.ts';
import { escapeLine, escapeText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';
import { wrapTo } from '../terminal/width.ts';

/** Who a server is and what it offers. */
export const run = (invocation: Invocation): Promise<ExitCode> =>
  withSession(invocation, async (session) => {
    const { client } = session;
    const result = (await client.discover(session.callOptions())) as unknown as JsonObject;
    const counts = await count(session, client.info.capabilities ?? {});
    const { info } = client;
    session.facts.counts = counts;
    return printReport(session, {
      kind: 'info',
      data: result,
      text: ({ style, width }) => infoText(info, result, counts, style, width),
    });
  });

/** How many there are of what the server declares. What it does not declare is not asked for. */
async function count(session: Session, capabilities: ServerCapabilities): Promise<Map<string, number>> {
  const { client } = session;
  const lists: [string, unknown, () => Promise<{ items: readonly unknown[] }>][] = [
    [
      'tools',
      capabilities.tools,
      () => listAll(session, 'tools/list', 'tools', () => client.listAllTools(session.callOptions())),
    ],
    [
      'resources',
      capabilities.resources,
      () => listAll(session, 'resources/list', 'resources', () => client.listAllResources(session.callOptions())),
    ],
    [
      'resource templates',
      capabilities.resources,
      () =>
        listAll(session, 'resources/templates/list', 'resourceTemplates', () =>
          client.listAllResourceTemplates(session.callOptions()),
        ),
    ],
    [
      'prompts',
      capabilities.prompts,
      () => listAll(session, 'prompts/list', 'prompts', () => client.listAllPrompts(session.callOptions())),
    ],
  ];
  const counts = new Map<string, number>();
  for (const [what, declared, list] of lists) {
    if (declared === undefined || declared === null) continue;
    try {
      counts.set(what, (await list()).items.length);
    } catch (reason) {
      if (session.signal.aborted) throw reason;
      session.reporter.warn(`the server declares ${what} and does not list them: ${(reason as Error).message}`);
    }
  }
  return counts;
}

const reached = new Map<ServerInfo['known'], string>([
  ['asked', 'the server was asked'],
  ['remembered', 'remembered from an earlier run'],
  ['assumed', 'taken for granted'],
]);

function infoText(
  info: ServerInfo,
  result: JsonObject,
  counts: ReadonlyMap<string, number>,
  style: Style,
  width: number,
): string {
  const server = info.serverInfo;
  const title = server?.title === undefined || server.title === server.name ? '' : ` (${escapeLine(server.title)})`;
  const lines = [
    `${style.bold(escapeLine(server?.name ?? 'a server that does not say its name'))} ${escapeLine(server?.version ?? '')}${title}`,
  ];
  if (typeof server?.description === 'string')
    lines.push(...wrapTo(escapeLine(server.description), Math.min(width, 100)));
  const supported = info.supportedVersions?.join(', ');
  const extensions = isObject(info.capabilities?.extensions) ? Object.keys(info.capabilities.extensions) : [];
  const entries: [string, string][] = [
    ['target', `${info.target} (${info.kind})`],
    ['protocol', `${info.version}, ${info.era} era (${reached.get(info.known)})`],
  ];
  if (supported !== undefined && supported !== info.version) entries.push(['supports', supported]);
  if (typeof server?.websiteUrl === 'string') entries.push(['website', server.websiteUrl]);
  entries.push(['capabilities', capabilityWords(info.capabilities ?? {}).join(', ') || 'none']);
  if (extensions.length > 0) entries.push(['extensions', extensions.join(', ')]);
  entries.push([
    'counts',
    [...counts].map(([what, n]) => `${n} ${n === 1 ? what.replace(/s$/, '') : what}`).join(', ') || 'nothing to count',
  ]);
  lines.push(
    '',
    ...pairs(
      entries.map(([name, value]) => [name, escapeLine(value)] as const),
      style.dim,
      width,
    ),
  );
  if (typeof result.instructions === 'string') {
    lines.push('', style.dim('instructions'), ...wrapTo(escapeText(result.instructions.trim()), Math.min(width, 100)));
  }
  return lines.join('\n');
}

/** `tools (listChanged)`, `logging (deprecated)`: what is declared, with what is true of it. */
function capabilityWords(capabilities: ServerCapabilities): string[] {
  return Object.entries(capabilities)
    .filter(([name, value]) => name !== 'extensions' && value !== undefined && value !== null)
    .map(([name, value]) => {
      const features = isObject(value)
        ? Object.keys(value).filter((key) => name !== 'experimental' && value[key] === true)
        : [];
      if (name === 'experimental' && isObject(value)) features.push(...Object.keys(value));
      if (name === 'logging') features.push('deprecated');
      return features.length === 0 ? name : `${name} (${features.join(', ')})`;
    });
}

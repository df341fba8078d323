import { DragomanError, type JsonObject, type ListToolsResult } from '@dragoman/protocol';
import { type ArgumentWords, collect, readWords } from '../arguments/collect.ts';
import { sourcesOf } from '../arguments/read-source.ts';
import { isObject } from '../arguments/schema-document.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import type { Failure } from '../output/failure.ts';
import { decodeBase64 } from '../output/save.ts';
import { renderCallResult } from '../render/call-result.ts';
import { callArguments } from '../session/call-arguments.ts';
import { sendOrResume } from '../session/continuation.ts';
import { printRequest } from '../session/print-request.ts';
import { printReport } from '../session/report.ts';
import { ResultFailure, type Session, withSession } from '../session/session.ts';
import { wantsRequest } from '../session/wants-request.ts';
import { listTools, noTool } from './tools.ts';

/** Calls a tool. */
export const run = async (invocation: Invocation): Promise<ExitCode> => {
  const [name, ...words] = invocation.operands as [string, ...string[]];
  const { options, terminal } = invocation;
  if (options.continuation !== undefined && (words.length > 0 || options.args !== undefined)) {
    throw new DragomanError('INVALID_ARGUMENT', '--continuation holds the arguments already: leave them out');
  }
  const sources = sourcesOf(terminal);
  const read = await readWords(words, options.args, sources);
  if (wantsRequest(options) && !read.needSchema && 'command' in invocation.server!) {
    // Nothing is started for a request that needs no server to be made.
    const args = await collect(read, undefined, sources, () => {});
    return printRequest(invocation, (client, more) => client.callTool(name, args, more));
  }
  return withSession(invocation, async (session) => {
    const { tool, list } = await findTool(session, name, read);
    const args = options.continuation === undefined ? await callArguments(session, read, tool) : undefined;
    if (wantsRequest(options)) {
      return printRequest(invocation, (client, more) => client.callTool(name, args ?? {}, more), { tools: list });
    }
    await consent(session, name, tool);
    const result = await send(session, name, args ?? {});
    const content = Array.isArray(result.content) ? (result.content as unknown[]) : [];
    const failure = result.isError === true ? toolFailure(name, content) : undefined;
    const code = await printReport(session, {
      kind: 'call',
      data: result,
      text: (view) => renderCallResult(result, view),
      raw: () => rawParts(result, content),
      parts: content,
      ...(failure === undefined ? undefined : { failure }),
    });
    if (session.reporter.format === 'text') {
      if (content.length === 0 && result.structuredContent === undefined) session.reporter.note('no content');
      if (failure !== undefined) session.reporter.note(`${name} says that it failed`);
    }
    return code;
  });
};

/**
 * The tool's definition, where the call needs it. Arguments that are JSON already go out without: a call to a known server
 * is one request, and is checked only by what is still in the cache.
 */
async function findTool(
  session: Session,
  name: string,
  words: ArgumentWords,
): Promise<{ tool?: JsonObject; list?: ListToolsResult }> {
  const { options } = session;
  if (options.continuation !== undefined) return {};
  const bare = words.objects.length === 0 && words.tokens.length === 0 && !wantsRequest(options);
  const needed = words.needSchema || bare || options.strict === true || session.target.kind === 'demo';
  const found = needed ? await listTools(session) : await session.cached(() => listTools(session));
  session.facts.cache = undefined;
  if (found === undefined) return {};
  const tool = found.items.find((item) => item.name === name);
  if (tool === undefined) {
    // What was kept may be older than the tool.
    if (needed) throw noTool(name, found.items, session.serverWords);
    return {};
  }
  return { tool, list: found.result as unknown as ListToolsResult };
}

/** A tool that says it is destructive is called only with consent. What says nothing is not held to be so. */
async function consent(session: Session, name: string, tool: JsonObject | undefined): Promise<void> {
  const hints = isObject(tool?.annotations) ? tool.annotations : {};
  if (hints.destructiveHint !== true || hints.readOnlyHint === true || session.options.yes === true) return;
  if (session.asker !== undefined) {
    const asker = await session.asker();
    const agreed = await asker.choose({
      message: `${JSON.stringify(name)} says that it is destructive. Call it?`,
      choices: [
        { value: false, label: 'no' },
        { value: true, label: 'yes' },
      ],
    });
    if (agreed === true) return;
    throw new DragomanError('REFUSED', `${JSON.stringify(name)} was not called`);
  }
  throw new DragomanError('REFUSED', `${JSON.stringify(name)} says that it is destructive, and nobody agreed to that`, {
    details: { hint: '--yes calls it without asking' },
  });
}

async function send(session: Session, name: string, args: JsonObject): Promise<JsonObject> {
  try {
    return (await sendOrResume(session, {
      method: 'tools/call',
      name,
      send: (options) => session.client.callTool(name, args, options),
    })) as JsonObject;
  } catch (reason) {
    // With --strict the result is refused, and still worth seeing.
    if (reason instanceof DragomanError && reason.code === 'OUTPUT_MISMATCH' && isObject(reason.details?.result)) {
      throw new ResultFailure(reason, reason.details.result);
    }
    throw reason;
  }
}

function toolFailure(name: string, content: readonly unknown[]): Failure {
  const texts = content
    .map((block) => (isObject(block) && typeof block.text === 'string' ? block.text : ''))
    .filter(Boolean);
  return {
    class: 'tool',
    code: 'TOOL_FAILED',
    name: 'TOOL_FAILED',
    message: texts.join('\n') || `${name} says that it failed`,
  };
}

/** The payload: text and bytes of the content; the structured output where there is no content. */
function rawParts(result: JsonObject, content: readonly unknown[]): (string | Uint8Array)[] {
  if (content.length === 0 && result.structuredContent !== undefined)
    return [`${JSON.stringify(result.structuredContent)}\n`];
  return content.map(rawPart);
}

/** One block as it is, without what the protocol wraps it in. */
export function rawPart(block: unknown): string | Uint8Array {
  const inner = isObject(block) && isObject(block.resource) ? block.resource : block;
  if (isObject(inner)) {
    if (typeof inner.text === 'string') return inner.text;
    const base64 = typeof inner.data === 'string' ? inner.data : inner.blob;
    const bytes = typeof base64 === 'string' ? decodeBase64(base64) : undefined;
    if (bytes !== undefined) return bytes;
  }
  return `${JSON.stringify(block)}\n`;
}

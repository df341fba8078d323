import {
  DragomanError,
  ErrorCode,
  type Exchange,
  type ListToolsResult,
  McpError,
  methodRow,
  type Request,
  type Result,
  type SchemaEngine,
  type SchemaIssue,
  show,
} from '@dragoman/protocol';
import type { Warning } from '../events.ts';
import type { ClientIO } from '../io.ts';
import type { Wire } from '../wires/wire.ts';
import { REPORTED, sieve } from './sieve.ts';
import type { KnownTool, ToolIndex } from './tool-index.ts';

/** What the tool memory is told once. */
export interface ToolMemorySettings {
  readonly kind: Wire['kind'];
  readonly tools: ToolIndex;
  readonly engine: () => Promise<SchemaEngine>;
  /** Default of `CallOptions.strict`. */
  readonly strict: boolean;
  /** Pages of tools that are looked at after a header mismatch, at most. */
  readonly maxPages: number;
  readonly warn: (warning: Warning) => void;
  /** Told when the server knows the tools better than this side does: what is kept of them is old. */
  readonly onStale: () => void;
}

/**
 * Learns tools from every list that passes, leaves out what cannot be used, and uses what it learnt in calls: the HTTP
 * wire mirrors arguments by it, and structured output is held against it. Where a server says that the headers of a call
 * disagree with its tool, the tools are listed once and the call is sent once more (streamable-http, "Client Behavior").
 */
export function toolMemory(next: Exchange, settings: ToolMemorySettings): Exchange {
  const unusable = new WeakSet<KnownTool>();

  const call = async (request: Request, io: ClientIO): Promise<Result> => {
    let result: Result;
    try {
      result = await next(request, io);
    } catch (reason) {
      if (!(reason instanceof McpError) || reason.code !== ErrorCode.HeaderMismatch || settings.kind !== 'http')
        throw reason;
      await relearn(next, request.params.name, io, settings);
      result = await next(request, io);
    }
    const known = settings.tools.get(request.params.name as string);
    return result.resultType === undefined || result.resultType === null || result.resultType === 'complete'
      ? checkResult(result, known, request, io)
      : result;
  };

  /** Everything about a complete result that the schema of the method itself does not say. */
  const checkResult = (
    result: Result,
    known: KnownTool | undefined,
    request: Request,
    io: ClientIO,
  ): Result | Promise<Result> => {
    const name = String(request.params.name);
    let read = result;
    if (!Array.isArray(result.content)) {
      settings.warn({
        kind: 'missing-content',
        message: `The result of tool ${show(name)} has no "content"; it was read as empty`,
        details: { tool: name },
      });
      read = { ...result, content: [] };
    }
    if (known?.outputSchema === undefined || read.isError === true || unusable.has(known)) return read;
    return checkOutput(read, known, name, io);
  };

  const checkOutput = async (result: Result, known: KnownTool, name: string, io: ClientIO): Promise<Result> => {
    let issues: readonly SchemaIssue[] | undefined;
    try {
      const engine = await settings.engine();
      const check = engine.compile(known.outputSchema as NonNullable<KnownTool['outputSchema']>);
      // Any JSON value may be there, null included (server/tools, "Structured Content"): presence decides.
      issues = 'structuredContent' in result ? check(result.structuredContent) : [missing];
    } catch (cause) {
      const error = DragomanError.from(cause, 'INVALID_SCHEMA');
      unusable.add(known);
      settings.warn({
        kind: 'output-schema',
        message: `The output of tool ${show(name)} is not checked, because its outputSchema cannot be used: ${error.message}`,
        details: { tool: name, error },
      });
      return result;
    }
    if (issues === undefined) return result;
    const list = issues
      .map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`))
      .join('; ');
    const message = `The structured output of tool ${show(name)} does not match its outputSchema: ${list}`;
    if (io.options?.strict ?? settings.strict) {
      throw new DragomanError('OUTPUT_MISMATCH', message, { details: { tool: name, issues, result } });
    }
    settings.warn({ kind: 'output-mismatch', message, details: { tool: name, issues } });
    return result;
  };

  return (request, io: ClientIO) => {
    if (request.method === 'tools/call') return call(request, io);
    const member = methodRow(request.method)?.listMember;
    if (member === undefined) return next(request, io);
    return next(request, io).then((result) => {
      if (result.resultType === 'input_required') return result;
      const list = sieve(result, member, request.method, settings.warn);
      return member === 'tools' ? learn(list as ListToolsResult, settings) : list;
    });
  };
}

const missing: SchemaIssue = {
  path: '',
  pointer: '',
  keyword: 'required',
  message: 'there is no structuredContent',
};

/**
 * Remembers a page of tools. Over HTTP those whose `x-mcp-header` annotations break a rule are left out one by one: no
 * call to them could be sent right (streamable-http, "Schema Extension").
 */
function learn<R extends Result>(result: R, settings: Pick<ToolMemorySettings, 'kind' | 'tools' | 'warn'>): R {
  const tools = (result as unknown as ListToolsResult).tools;
  let dropped: Set<string> | undefined;
  let reported = 0;
  for (const tool of tools) {
    const known = settings.tools.remember(tool);
    if (settings.kind !== 'http' || !('problem' in known.headers)) continue;
    const reason = known.headers.problem;
    dropped ??= new Set();
    dropped.add(tool.name);
    reported += 1;
    if (reported > REPORTED) continue;
    settings.warn({
      kind: 'tool-header',
      message: `The tool ${show(tool.name)} was left out: ${reason}`,
      details: { name: tool.name, reason },
    });
  }
  if (reported > REPORTED) {
    const more = reported - REPORTED;
    settings.warn({ kind: 'tool-header', message: `${more} more tools of this page were left out`, details: { more } });
  }
  return dropped === undefined ? result : { ...result, tools: tools.filter((tool) => !dropped.has(tool.name)) };
}

/** Lists tools until the one in question came by. */
async function relearn(next: Exchange, name: unknown, io: ClientIO, settings: ToolMemorySettings): Promise<void> {
  settings.onStale();
  const seen = new Set<string>();
  let cursor: string | undefined;
  // Progress and logs of the listing are not the caller's.
  const quiet: ClientIO = { ...io, notify: () => {} };
  for (let page = 0; page < settings.maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await next({ method: 'tools/list', params }, quiet);
    const list = learn(sieve(result, 'tools', 'tools/list', settings.warn), settings) as ListToolsResult;
    if (list.tools.some((tool) => tool.name === name)) return;
    const nextCursor: unknown = list.nextCursor;
    if (typeof nextCursor !== 'string' || seen.has(nextCursor)) return;
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}

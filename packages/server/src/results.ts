import {
  type CallToolResult,
  type ContentBlock,
  ErrorCode,
  type JsonObject,
  McpError,
  MetaKey,
  type Result,
  type ResultMeta,
} from '@dragoman/protocol';
import { blockProblem } from './content.ts';
import type { ToolAnswer, ToolEntry } from './registry/tool.ts';
import { type Checked, describeIssues } from './schema/check.ts';

/** What stands in `_meta` of every result; undefined where the server does not name itself. */
export type Stamp = ResultMeta | undefined;

/** Puts the server's name into a result that nobody else holds. */
export function stamped<R extends Result>(result: R, stamp: Stamp): R {
  if (stamp !== undefined)
    result._meta = result._meta === undefined || result._meta === null ? stamp : { ...stamp, ...result._meta };
  return result;
}

/** A result of one text block: what most tools return, and what a tool says when it fails. */
function textResult(text: string, stamp: Stamp): CallToolResult {
  return stamped<CallToolResult>({ resultType: 'complete', content: [{ type: 'text', text }] }, stamp);
}

/** A failure of the tool, for a model to see and react to (server/tools, "Error Handling"). */
export function errorResult(text: string, stamp: Stamp): CallToolResult {
  return stamped<CallToolResult>({ resultType: 'complete', content: [{ type: 'text', text }], isError: true }, stamp);
}

/**
 * The result of a call from what the handler returned. Objects of the handler are copied, never changed: it may hold on
 * to them, or give the same one every time.
 *
 * @throws McpError -32603 for what is no result, or breaks the tool's output schema
 */
export function toolResult(returned: unknown, tool: ToolEntry, stamp: Stamp): Result | Promise<Result> {
  if (tool.output === undefined) {
    if (typeof returned === 'string') return textResult(returned, stamp);
    return toResult(returned, tool, stamp);
  }
  const result = toResult(returned, tool, stamp);
  return result.isError === true || result.resultType !== 'complete' ? result : withOutput(result, returned, tool);
}

function toResult(returned: unknown, tool: ToolEntry, stamp: Stamp): Result {
  if (typeof returned === 'string') return textResult(returned, stamp);
  if (returned === undefined) return stamped<CallToolResult>({ resultType: 'complete', content: [] }, stamp);
  if (Array.isArray(returned)) {
    return stamped<CallToolResult>({ resultType: 'complete', content: blocks(returned, tool) }, stamp);
  }
  if (typeof returned !== 'object' || returned === null) throw noResult(tool, returned);
  const answer = returned as JsonObject & ToolAnswer;
  // An extension's own kind of result, such as a task.
  if (typeof answer.resultType === 'string' && answer.resultType !== 'complete')
    return stamped({ ...answer } as Result, stamp);
  if (typeof answer.type === 'string' && answer.content === undefined) {
    return stamped<CallToolResult>({ resultType: 'complete', content: blocks([answer], tool) }, stamp);
  }
  return fromAnswer(answer, tool, stamp);
}

function fromAnswer(answer: JsonObject & ToolAnswer, tool: ToolEntry, stamp: Stamp): Result {
  const { text, content, structured, structuredContent, ...others } = answer;
  const data = structured === undefined ? structuredContent : structured;
  if (
    text === undefined &&
    content === undefined &&
    data === undefined &&
    answer.isError === undefined &&
    answer._meta === undefined
  ) {
    throw noResult(tool, answer);
  }
  const { isError } = answer;
  if (isError !== undefined && isError !== null && typeof isError !== 'boolean') {
    throw fault(tool, `returned isError as ${JSON.stringify(isError)}; it is true or false`);
  }
  let all: ContentBlock[] = content === undefined || content === null ? [] : blocks(content, tool);
  if (typeof text === 'string') all = [{ type: 'text', text }, ...all];
  else if (text !== undefined && text !== null) throw fault(tool, `returned text that is no string but ${typeof text}`);
  // For clients that read no structured content.
  if (all.length === 0 && data !== undefined) all = [{ type: 'text', text: jsonOf(data, tool) }];
  const result = { ...others, resultType: 'complete', content: all } as CallToolResult;
  if (data !== undefined) result.structuredContent = data;
  return stamped(result, stamp);
}

/** Checks structured output against its schema, and sends it as the schema makes it (server/tools, "Output Schema"). */
function withOutput(result: Result, returned: unknown, tool: ToolEntry): Result | Promise<Result> {
  if (result.structuredContent === undefined) {
    throw fault(tool, 'returned no structured output, which its output schema promises; return { structured: … }');
  }
  const checked = tool.output?.check(result.structuredContent) as Checked | Promise<Checked>;
  return checked instanceof Promise
    ? checked.then((settled) => applied(result, returned, tool, settled))
    : applied(result, returned, tool, checked);
}

function applied(result: Result, returned: unknown, tool: ToolEntry, checked: Checked): Result {
  if (checked.issues !== undefined) {
    throw fault(tool, `returned structured output that breaks its output schema: ${describeIssues(checked.issues)}`);
  }
  if (checked.value !== result.structuredContent) {
    result.structuredContent = checked.value;
    const { text, content } = returned as ToolAnswer;
    if (text === undefined && (content === undefined || content.length === 0)) {
      result.content = [{ type: 'text', text: JSON.stringify(checked.value) }];
    }
  }
  return result;
}

function blocks(content: readonly unknown[], tool: ToolEntry): ContentBlock[] {
  if (!Array.isArray(content)) throw fault(tool, 'returned content that is no array');
  for (const block of content) {
    const problem = blockProblem(block);
    if (problem !== undefined) throw fault(tool, `returned ${problem}`);
  }
  return content as ContentBlock[];
}

function jsonOf(data: unknown, tool: ToolEntry): string {
  const text = JSON.stringify(data) as string | undefined;
  if (text === undefined) throw fault(tool, `returned structured output that is no JSON but ${typeof data}`);
  return text;
}

const noResult = (tool: ToolEntry, returned: unknown): McpError =>
  fault(
    tool,
    `returned ${typeof returned === 'object' && returned !== null ? `an object with the members ${Object.keys(returned).join(', ') || 'none'}` : String(returned)}; return a string, content blocks, or an object with text, content, structured or isError`,
  );

/** What the server did wrong is told to its people; the client learns only that the call failed. */
function fault(tool: ToolEntry, what: string): McpError {
  const cause = new Error(`Tool ${JSON.stringify(tool.key)} ${what}`);
  return new McpError(ErrorCode.InternalError, 'Internal error', { cause });
}

/** The name of a server as every result carries it. */
export const stampOf = (info: ResultMeta[typeof MetaKey.serverInfo]): ResultMeta =>
  Object.freeze({ [MetaKey.serverInfo]: info });

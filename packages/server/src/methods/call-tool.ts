import { type ExchangeIO, invalidParams, McpError, type Request, type Result } from '@dragoman/protocol';
import { CallContext } from '../context.ts';
import { InputDeclinedError } from '../input/input-required.ts';
import type { Listing } from '../registry/listing.ts';
import type { ToolEntry } from '../registry/tool.ts';
import { errorResult, toolResult } from '../results.ts';
import { type Checked, describeIssues } from '../schema/check.ts';
import { isThenable } from '../thenable.ts';
import { internal, isQuestion, isRetry, type MethodHost, outward, questions } from './host.ts';

const METHOD = 'tools/call';

/** Answers `tools/call` (server/tools, "Calling Tools"). */
export async function callTool(
  host: MethodHost,
  tools: Listing<ToolEntry>,
  request: Request,
  io: ExchangeIO,
): Promise<Result> {
  const name = request.params.name as string;
  const tool = tools.get(name);
  if (tool === undefined) throw invalidParams(`Unknown tool: ${name}`, { name });
  const ctx = new CallContext(host, request, io);
  if (isRetry(request)) await ctx.open();
  const checked = checkArguments(host, tool, request.params.arguments ?? {});
  const input = checked instanceof Promise ? await checked : checked;
  if (input.issues !== undefined) {
    return errorResult(`Invalid arguments for tool ${name}: ${describeIssues(input.issues)}`, host.stamp);
  }
  let returned: unknown;
  let failed = false;
  let error: unknown;
  try {
    const returning = tool.handler(input.value, ctx);
    returned = isThenable(returning) ? await returning : returning;
  } catch (thrown) {
    failed = true;
    error = thrown;
  }
  ctx.finish();
  try {
    if (ctx.round !== undefined || isQuestion(returned)) {
      const asked = await questions(host, ctx, returned);
      if (asked !== undefined) return asked;
    }
    if (failed) return failure(host, ctx, name, error);
    const result = toolResult(returned, tool, host.stamp);
    return result instanceof Promise ? await result : result;
  } catch (refused) {
    throw refused instanceof McpError
      ? outward(host, refused, METHOD, name)
      : outward(host, internal(refused), METHOD, name);
  }
}

/** A schema that turns out to be unusable is the server's fault, not that of the arguments. */
function checkArguments(host: MethodHost, tool: ToolEntry, args: unknown): Checked | Promise<Checked> {
  try {
    const checked = tool.input.check(args);
    return checked instanceof Promise ? checked.catch((error: unknown) => unusable(host, tool, error)) : checked;
  } catch (error) {
    return unusable(host, tool, error);
  }
}

function unusable(host: MethodHost, tool: ToolEntry, error: unknown): never {
  throw outward(host, internal(error), METHOD, tool.key);
}

/** What a tool threw is for the model to see, without the stack, unless it is an error of the protocol. */
function failure(host: MethodHost, ctx: CallContext, name: string, error: unknown): Result {
  if (error instanceof McpError) throw error;
  if (!(error instanceof InputDeclinedError) && !ctx.signal.aborted) host.reports.error(error, METHOD, name);
  return errorResult(textOf(error), host.stamp);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? error.name : error.message;
}

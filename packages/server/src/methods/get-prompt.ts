import { type ExchangeIO, type GetPromptResult, invalidParams, type Request, type Result } from '@dragoman/protocol';
import { CallContext } from '../context.ts';
import type { Listing } from '../registry/listing.ts';
import { type PromptEntry, promptResult } from '../registry/prompt.ts';
import { describeIssues } from '../schema/check.ts';
import { answer, internal, isRetry, type MethodHost } from './host.ts';

/** Answers `prompts/get` (server/prompts, "Getting a Prompt"). */
export async function getPrompt(
  host: MethodHost,
  prompts: Listing<PromptEntry>,
  request: Request,
  io: ExchangeIO,
): Promise<Result> {
  const name = request.params.name as string;
  const prompt = prompts.get(name);
  if (prompt === undefined) throw invalidParams(`Unknown prompt: ${name}`, { name });
  const ctx = new CallContext(host, request, io);
  if (isRetry(request)) await ctx.open();
  const run = async (): Promise<unknown> => {
    const checked = await prompt.input.check(request.params.arguments ?? {});
    if (checked.issues === undefined) return prompt.handler(checked.value, ctx);
    throw invalidParams(`Invalid arguments for prompt ${name}: ${describeIssues(checked.issues)}`, { name });
  };
  return answer(host, ctx, ['prompts/get', name], run, (returned) => toResult(name, returned));
}

function toResult(name: string, returned: unknown): GetPromptResult {
  const result = promptResult(returned);
  if (typeof result !== 'string') return result;
  throw internal(new Error(`Prompt ${JSON.stringify(name)} returned ${result}`));
}

import { type AuthInfo, type CompleteResult, ErrorCode, McpError } from '@dragoman/protocol';

/** The most values that one answer may hold (server/utilities/completion). */
const MAX_VALUES = 100;

/** What a completer knows besides the text typed so far. */
export interface CompletionContext {
  /** The other arguments, as far as they are settled. */
  readonly arguments: { readonly [name: string]: string };
  /** Aborts when the client gave up. */
  readonly signal: AbortSignal;
  /** Who asks, where the transport's authentication could find out. Offer nobody what they may not see. */
  readonly auth: AuthInfo | undefined;
}

/** Ways to go on, the likeliest first. `total`: how many there are in all; `hasMore`: that there are more. */
export type Completions =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };

/**
 * Completes an argument: a list of all its values, of which those that begin with what is typed come first and those that
 * contain it next, letter case aside; or a function.
 */
export type Completer =
  | readonly string[]
  | ((typed: string, context: CompletionContext) => Completions | Promise<Completions>);

/** Completers by the name of the argument or variable. */
export interface Completers {
  readonly [name: string]: Completer;
}

/** @throws McpError -32603 where a completer returns something else than text */
export async function complete(
  completer: Completer | undefined,
  typed: string,
  context: CompletionContext,
): Promise<CompleteResult> {
  if (completer === undefined) return { resultType: 'complete', completion: { values: [] } };
  const found = typeof completer === 'function' ? await completer(typed, context) : matching(completer, typed);
  const { values, total, hasMore } = isList(found) ? { values: found, total: found.length, hasMore: undefined } : found;
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    throw new McpError(ErrorCode.InternalError, 'Internal error', {
      cause: new Error(`A completer returned ${JSON.stringify(found)}; return strings`),
    });
  }
  const completion: CompleteResult['completion'] = { values: values.slice(0, MAX_VALUES) };
  if (total !== undefined) completion.total = total;
  const cut = values.length > MAX_VALUES || (total !== undefined && total > values.length);
  if (hasMore !== undefined || total !== undefined || cut) completion.hasMore = hasMore === true || cut;
  return { resultType: 'complete', completion };
}

const isList = (found: Completions): found is readonly string[] => Array.isArray(found);

function matching(all: readonly string[], typed: string): string[] {
  const sought = typed.toLowerCase();
  const first: string[] = [];
  const then: string[] = [];
  for (const value of all) {
    const at = value.toLowerCase().indexOf(sought);
    if (at === 0) first.push(value);
    else if (at > 0) then.push(value);
  }
  return [...first, ...then];
}

import {
  type CompleteRequestParams,
  type ExchangeIO,
  invalidParams,
  McpError,
  type Request,
  type Result,
} from '@dragoman/protocol';
import { type Completers, complete } from '../completion.ts';
import type { Registry } from '../registry/registry.ts';
import { stamped } from '../results.ts';
import { internal, type MethodHost, outward } from './host.ts';

const METHOD = 'completion/complete';

/** What can be completed: the names of the arguments there are, and the completers of some of them. */
interface Completable {
  readonly names: readonly string[];
  readonly completers: Completers | undefined;
}

/** Answers `completion/complete` (server/utilities/completion). An argument without a completer has no values. */
export async function completeArgument(
  host: MethodHost,
  registry: Registry,
  request: Request,
  io: ExchangeIO,
): Promise<Result> {
  const { ref, argument, context } = request.params as unknown as CompleteRequestParams;
  const subject = ref.type === 'ref/prompt' ? ref.name : ref.uri;
  const found = ref.type === 'ref/prompt' ? ofPrompt(registry, subject) : ofResource(registry, subject);
  if (found === undefined) {
    throw invalidParams(`Unknown ${ref.type === 'ref/prompt' ? 'prompt' : 'resource'}: ${subject}`, { ref });
  }
  if (!found.names.includes(argument.name)) {
    throw invalidParams(
      `${subject} has no argument ${JSON.stringify(argument.name)}; it has: ${found.names.join(', ') || 'none'}`,
    );
  }
  const completers = found.completers;
  const completer =
    completers !== undefined && Object.hasOwn(completers, argument.name) ? completers[argument.name] : undefined;
  try {
    const settled = context?.arguments ?? {};
    const result = await complete(completer, argument.value, { arguments: settled, signal: io.signal, auth: io.auth });
    return stamped(result, host.stamp);
  } catch (error) {
    throw outward(host, error instanceof McpError ? error : internal(error), METHOD, subject);
  }
}

function ofPrompt({ prompts }: Registry, name: string): Completable | undefined {
  const prompt = prompts.get(name);
  if (prompt === undefined) return undefined;
  return {
    names: prompt.row.arguments?.map((argument) => argument.name) ?? [],
    completers: prompt.definition.complete,
  };
}

/** A template by its own text, or by a URI that it matches; a resource of its own has nothing to complete. */
function ofResource({ resources, resourceTemplates }: Registry, uri: string): Completable | undefined {
  const template =
    resourceTemplates.get(uri) ?? resourceTemplates.visible().find((entry) => entry.template.match(uri) !== undefined);
  if (template !== undefined) return { names: template.template.variables, completers: template.definition.complete };
  return resources.get(uri) === undefined ? undefined : { names: [], completers: undefined };
}

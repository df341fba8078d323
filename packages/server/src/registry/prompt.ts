import {
  type ContentBlock,
  DragomanError,
  type GetPromptResult,
  type Icon,
  type InputRequiredResult,
  type JsonObject,
  type MetaObject,
  type Prompt,
  type PromptArgument,
  type PromptMessage,
} from '@dragoman/protocol';
import type { Completers } from '../completion.ts';
import { messageProblem } from '../content.ts';
import type { Context } from '../context.ts';
import type { InputRequired } from '../input/input-required.ts';
import { type AnySchema, type Checked, type OutputOf, type ValueCheck, valueCheck } from '../schema/check.ts';
import type { EngineSource } from '../schema/engine.ts';
import type { Handle } from './handle.ts';
import type { Listed } from './listing.ts';
import { makeRow } from './row.ts';

/** What describes a prompt's arguments: a schema of an object whose properties read text, or the plain list. */
export type PromptArguments = AnySchema | readonly PromptArgument[];

/** How a prompt is described to clients (server/prompts, "Prompt"). */
export interface PromptDefinition<Args extends PromptArguments | undefined = undefined> {
  /** For people. */
  readonly title?: string | undefined;
  /** What it is for. */
  readonly description?: string | undefined;
  /** Without it the prompt takes none. Values are text on the wire; a schema may make more of them. */
  readonly arguments?: Args;
  /** Pictures for it, in several sizes or themes. */
  readonly icons?: readonly Icon[] | undefined;
  /** `_meta` of the prompt. */
  readonly meta?: MetaObject | undefined;
  /** How arguments may go on, by name (server/utilities/completion). */
  readonly complete?: Completers | undefined;
}

/** What a prompt's handler may return. */
export type PromptOutput =
  /** One message of the user. */
  | string
  | ContentBlock
  | PromptMessage
  | readonly PromptMessage[]
  | GetPromptResult
  | InputRequired
  | InputRequiredResult;

/** Makes the messages of a prompt. What it throws becomes -32603, except an `McpError`, which is sent as it is. */
export type PromptHandler<Args extends PromptArguments | undefined = undefined> = (
  args: PromptArgumentsOf<Args>,
  ctx: Context,
) => PromptOutput | Promise<PromptOutput>;

/** What a handler is given for a definition's `arguments`. */
export type PromptArgumentsOf<Args> = Args extends readonly PromptArgument[]
  ? { readonly [name: string]: string | undefined }
  : Args extends AnySchema
    ? OutputOf<Args>
    : { readonly [name: string]: never };

/** What can be changed of a prompt. */
export type PromptChanges = Partial<PromptDefinition<PromptArguments | undefined>> & {
  /** Takes the arguments as the schema makes them, which may change along with it. */
  readonly handler?: ((args: never, ctx: Context) => PromptOutput | Promise<PromptOutput>) | undefined;
};

/** A registered prompt. */
export type PromptHandle = Handle<PromptChanges>;

/** A prompt made ready to be listed and got. Never changed: an update puts another in its place. */
export interface PromptEntry extends Listed {
  readonly row: Prompt;
  readonly definition: PromptDefinition<PromptArguments | undefined>;
  readonly input: ValueCheck;
  readonly handler: (args: unknown, ctx: Context) => unknown;
}

/** @throws DragomanError `INVALID_SCHEMA` or `INVALID_ARGUMENT`, naming the prompt and the member. */
export function compilePrompt(
  key: string,
  place: number,
  definition: PromptEntry['definition'],
  handler: PromptEntry['handler'],
  engines: EngineSource,
): PromptEntry {
  const what = `Prompt ${JSON.stringify(key)}`;
  const given = definition.arguments;
  const listed = given === undefined || Array.isArray(given);
  const input = listed
    ? new ArgumentList((given ?? []) as readonly PromptArgument[])
    : valueCheck(given, `${what}: its arguments' schema`, 'input', engines);
  const row = makeRow<Prompt>(what, {
    name: key,
    title: definition.title,
    description: definition.description,
    arguments: listed ? (given as PromptArgument[] | undefined) : argumentsOf(what, input.schema),
    icons: definition.icons as Icon[] | undefined,
    _meta: definition.meta,
  });
  for (const name of Object.keys(definition.complete ?? {})) {
    if (row.arguments?.some((argument) => argument.name === name)) continue;
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `${what} completes ${JSON.stringify(name)}, which is none of its arguments`,
    );
  }
  return { key, place, enabled: true, row, definition, input, handler };
}

/** The arguments that a schema describes, as prompts list them. */
function argumentsOf(what: string, schema: JsonObject): PromptArgument[] {
  if (schema.type !== 'object') {
    throw new DragomanError(
      'INVALID_SCHEMA',
      `${what}: the schema of its arguments must have "type": "object" at its root, got ${JSON.stringify(schema.type) ?? 'none'}`,
    );
  }
  const required = new Set(Array.isArray(schema.required) ? (schema.required as unknown[]) : []);
  return Object.entries((schema.properties ?? {}) as JsonObject).map(([name, property]) => {
    const { title, description } = (typeof property === 'object' ? property : {}) as {
      title?: string;
      description?: string;
    };
    return { name, title, description, required: required.has(name) };
  });
}

/** Checks text arguments against a plain list of them. Those it does not name pass: older clients send their own. */
class ArgumentList implements ValueCheck {
  readonly schema: JsonObject = {};
  readonly #required: readonly string[];

  constructor(list: readonly PromptArgument[]) {
    this.#required = list.filter((argument) => argument.required === true).map((argument) => argument.name);
  }

  check(value: unknown): Checked {
    const missing = this.#required.filter((name) => !Object.hasOwn(value as object, name));
    return missing.length === 0
      ? { value }
      : { issues: missing.map((name) => ({ path: [name], message: 'is missing' })) };
  }
}

/** The messages of a prompt from what its handler returned, or what is wrong with it. */
export function promptResult(returned: unknown): GetPromptResult | string {
  if (typeof returned === 'string') return withMessages([userMessage({ type: 'text', text: returned })]);
  if (Array.isArray(returned)) return withMessages(returned);
  if (typeof returned !== 'object' || returned === null) return noMessages;
  const answer = returned as JsonObject;
  if (Array.isArray(answer.messages)) return withMessages(answer.messages, answer);
  if (typeof answer.role === 'string') return withMessages([answer]);
  if (typeof answer.type === 'string') return withMessages([userMessage(answer as unknown as ContentBlock)]);
  return noMessages;
}

const noMessages = 'no messages; return a string, a content block, or messages';

function withMessages(messages: readonly unknown[], others?: JsonObject): GetPromptResult | string {
  for (const message of messages) {
    const problem = messageProblem(message);
    if (problem !== undefined) return problem;
  }
  return { ...others, resultType: 'complete', messages: messages as PromptMessage[] };
}

const userMessage = (content: ContentBlock): PromptMessage => ({ role: 'user', content });

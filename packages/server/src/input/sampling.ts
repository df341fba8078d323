import {
  type CreateMessageRequestParams,
  DragomanError,
  type JsonObject,
  type SamplingMessageContentBlock,
} from '@dragoman/protocol';

/**
 * Checks what a client is asked to sample: `messages`, each with its role and content, and `maxTokens`, and that tool uses
 * and their results are balanced (client/sampling, "Messages", "Tool Result Messages", "Tool Use and Result Balance").
 *
 * @throws DragomanError `INVALID_ARGUMENT`
 */
export function checkSampling(params: CreateMessageRequestParams): void {
  if (!Array.isArray(params.messages)) throw wrong('messages must be an array');
  if (!Number.isInteger(params.maxTokens) || params.maxTokens <= 0) throw wrong('maxTokens must be a positive integer');
  let open: string[] = [];
  for (const [at, message] of params.messages.entries()) {
    const problem = messageProblem(message);
    if (problem !== undefined) throw wrong(`messages[${at}] ${problem}`);
    const { role, content } = message;
    const blocks: readonly SamplingMessageContentBlock[] = Array.isArray(content) ? content : [content];
    const results = blocks.filter((block) => block.type === 'tool_result');
    if (role === 'user' && results.length > 0 && results.length < blocks.length) {
      throw wrong(`messages[${at}] mixes tool results with other content; give them a message of their own`);
    }
    const answered = new Set(results.map((block) => block.toolUseId));
    const unanswered = open.find((id) => !answered.has(id));
    if (unanswered !== undefined || answered.size !== open.length) {
      throw wrong(
        unanswered === undefined
          ? `messages[${at}] has a tool result that no tool use in the message before asked for`
          : `messages[${at}] does not answer the tool use ${JSON.stringify(unanswered)} of the message before`,
      );
    }
    open = role === 'assistant' ? blocks.filter((block) => block.type === 'tool_use').map((block) => block.id) : [];
  }
  if (open.length > 0) throw wrong(`the tool use ${JSON.stringify(open[0])} has no result`);
}

/** Says what is wrong with a message: its role, or content that is neither a block nor some (client/sampling, "Messages"). */
function messageProblem(message: unknown): string | undefined {
  if (!isObject(message)) return 'is no object';
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant')
    return `has the role ${JSON.stringify(role)}; it is "user" or "assistant"`;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.every((block) => isObject(block) && typeof block.type === 'string')
    ? undefined
    : 'has content that is no content block and no array of them';
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

const wrong = (why: string): DragomanError => new DragomanError('INVALID_ARGUMENT', `ctx.sample: ${why}`);

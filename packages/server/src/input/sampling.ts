import { type CreateMessageRequestParams, DragomanError, type SamplingMessageContentBlock } from '@dragoman/protocol';

/**
 * Checks what a client is asked to sample: `messages` and `maxTokens`, and that tool uses and their results are balanced
 * (client/sampling, "Tool Result Messages", "Tool Use and Result Balance").
 *
 * @throws DragomanError `INVALID_ARGUMENT`
 */
export function checkSampling(params: CreateMessageRequestParams): void {
  if (!Array.isArray(params.messages)) throw wrong('messages must be an array');
  if (!Number.isInteger(params.maxTokens) || params.maxTokens <= 0) throw wrong('maxTokens must be a positive integer');
  let open: string[] = [];
  for (const [at, { role, content }] of params.messages.entries()) {
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

const wrong = (why: string): DragomanError => new DragomanError('INVALID_ARGUMENT', `ctx.sample: ${why}`);

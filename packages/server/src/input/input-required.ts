import type { InputRequests } from '@dragoman/protocol';

/** Questions by hand: what a handler returns instead of calling `ctx.elicit` and its like. Made by {@link inputRequired}. */
export class InputRequired {
  /** What is asked, by keys of the handler's choice. */
  readonly requests: InputRequests;
  /** What comes back as `ctx.state`. */
  readonly state: unknown;

  constructor(requests: InputRequests, state: unknown) {
    this.requests = requests;
    this.state = state;
  }
}

/**
 * Ends this try of a call and asks the client for input; the client sends the call again with its answers
 * (basic/patterns/mrtr). Return it from the handler of a tool, prompt or resource.
 *
 * @param questions `requests`: what is asked, by keys of your choice; the answers are in `ctx.inputResponses` under the
 * same keys. `state`: any JSON value, sealed and bound to this caller and call; it comes back as `ctx.state`. At least one
 * of the two; with `state` alone the client may simply try again.
 */
export function inputRequired(questions: { requests?: InputRequests; state?: unknown }): InputRequired {
  return new InputRequired(questions.requests ?? {}, questions.state);
}

/** The user said no to a question, or closed it. Thrown by `ctx.elicit` and `ctx.elicitUrl`. */
export class InputDeclinedError extends Error {
  /** Always `InputDeclinedError`. */
  override readonly name = 'InputDeclinedError';
  /** What the user did. */
  readonly action: 'decline' | 'cancel';
  /** The key of the question. */
  readonly key: string;

  /** Makes one; `message` is the question that was put. */
  constructor(key: string, action: 'decline' | 'cancel', message: string) {
    super(`The user ${action === 'decline' ? 'declined' : 'dismissed'} the question ${JSON.stringify(message)}`);
    this.key = key;
    this.action = action;
  }
}

/**
 * Leaves a handler whose question has no answer yet. Not an Error: nothing failed, and nobody should treat it as if it
 * did. Whatever the handler makes of it, the question is asked.
 */
export class Unanswered {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

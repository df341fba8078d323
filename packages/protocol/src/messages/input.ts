import type { Result } from '../exchange.ts';
import type { RequestMeta, ResultMeta } from './base.ts';
import type { ElicitRequest, ElicitResult } from './elicitation.ts';
import type { ListRootsRequest, ListRootsResult } from './roots.ts';
import type { CreateMessageRequest, CreateMessageResult } from './sampling.ts';

/** Something a server asks of the client in the middle of a request (basic/patterns/mrtr). */
export type InputRequest = ElicitRequest | CreateMessageRequest | ListRootsRequest;

/** What the server asks, by keys of its own choice. */
export interface InputRequests {
  [key: string]: InputRequest;
}

/** What the client answers: the bare result, without a `resultType`. */
export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult;

/** The client's answers, by the keys of the questions. */
export interface InputResponses {
  [key: string]: InputResponse;
}

/** Not an answer yet: the client is to gather the input and send the request again. Holds at least one of the two members. */
export interface InputRequiredResult extends Result {
  resultType: 'input_required';
  _meta?: ResultMeta;
  inputRequests?: InputRequests | undefined;
  /** Opaque; goes back as it came with the next try, and is not sent where none came. */
  requestState?: string | undefined;
}

/** Parameters that may answer a server's questions: those of `tools/call`, `prompts/get` and `resources/read`. */
export interface InputResponseRequestParams {
  _meta?: RequestMeta;
  inputResponses?: InputResponses | undefined;
  /** The `requestState` that came with the questions. */
  requestState?: string | undefined;
}

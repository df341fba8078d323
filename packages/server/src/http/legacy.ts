import type { Malformed, Message } from '@dragoman/protocol';
import type { HttpCall } from './call.ts';

/** What serves older revisions on the same endpoint: requests that carry no mark of the modern era go to it first. */
export interface LegacyHttp {
  /** HTTP methods that it answers besides POST, such as GET and DELETE. */
  readonly methods: readonly string[];
  /**
   * Takes over a call, or leaves it by returning false.
   *
   * @param message what was posted; undefined for the other methods
   */
  receive(call: HttpCall, message: Message | Malformed | undefined): boolean;
}

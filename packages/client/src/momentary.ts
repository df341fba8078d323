import { MetaKey } from '@dragoman/protocol';

/** Members of `_meta` that belong to one sending of a request, not to what it asks. */
export const momentary: ReadonlySet<string> = new Set([
  MetaKey.traceparent,
  MetaKey.tracestate,
  MetaKey.baggage,
  MetaKey.progressToken,
]);

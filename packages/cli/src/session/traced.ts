import type { Middleware } from '@dragoman/protocol';

/** Sends a W3C trace context along with every request (basic, "`_meta`"). */
export const traced =
  (traceparent: string): Middleware =>
  (next) =>
  (request, io) =>
    next({ ...request, params: { ...request.params, _meta: { ...request.params._meta, traceparent } } }, io);

import type { ExchangeIO } from '@dragoman/protocol';

/**
 * The surroundings of a request as members of their own, so that a middleware may write `{ ...io, notify }`. Wires make
 * theirs with what costs least, and a spread would leave that behind.
 */
export const spreadable = (io: ExchangeIO): ExchangeIO => ({
  get signal() {
    return io.signal;
  },
  notify: (notification) => io.notify(notification),
  auth: io.auth,
});

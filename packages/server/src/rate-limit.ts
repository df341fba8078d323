import { DragomanError, ErrorCode, type ExchangeIO, McpError, type Middleware, type Request } from '@dragoman/protocol';

/** How often a caller may ask. */
export interface RateLimitOptions {
  /** Requests that a caller who has been quiet may send at once. Default 100. */
  readonly burst?: number | undefined;
  /** Requests per second that a caller may go on with. Default 20. */
  readonly perSecond?: number | undefined;
  /** Methods that count. Default: `tools/call` and `completion/complete`, which have to be limited (server/tools and server/utilities/completion, "Security"). */
  readonly methods?: readonly string[] | undefined;
  /** Whom a request counts for; undefined: nobody. Default: its principal, and everybody without one together. */
  readonly caller?: ((request: Request, io: ExchangeIO) => string | undefined) | undefined;
  /** Callers that are remembered; of more, whoever has been quiet for longest is forgotten. Default 10,000. */
  readonly maxCallers?: number | undefined;
  /** Milliseconds. Default `Date.now`. */
  readonly clock?: (() => number) | undefined;
}

/** What a caller may still send, as of a time. */
interface Account {
  left: number;
  at: number;
}

/**
 * A middleware that limits how often each caller may ask: `server.use(rateLimit())`. What is too much is answered with
 * -32603, over HTTP with the status 429; `data` has `limit`, `value` and `retryAfterMs`. It counts within this process.
 *
 * @throws DragomanError `INVALID_ARGUMENT` for a number that is not above 0
 */
export function rateLimit(options: RateLimitOptions = {}): Middleware {
  const burst = positive('burst', options.burst ?? 100);
  const perSecond = positive('perSecond', options.perSecond ?? 20);
  const maxCallers = positive('maxCallers', options.maxCallers ?? 10_000);
  const { caller = principalOf, clock = Date.now } = options;
  const counted = new Set(options.methods ?? ['tools/call', 'completion/complete']);
  const accounts = new Map<string, Account>();

  const spend = (name: string): void => {
    const now = clock();
    const before = accounts.get(name);
    // A clock that was set back must not take away what was earned.
    const earned = before === undefined ? burst : before.left + (Math.max(0, now - before.at) / 1000) * perSecond;
    const left = Math.min(burst, earned) - 1;
    // A Map iterates in the order of insertion, which is made the order of use.
    accounts.delete(name);
    accounts.set(name, { left: left < 0 ? left + 1 : left, at: now });
    for (const quietest of accounts.keys()) {
      if (accounts.size <= maxCallers) break;
      accounts.delete(quietest);
    }
    if (left < 0) throw tooMany(perSecond, Math.ceil((-left / perSecond) * 1000));
  };

  return (exchange) => (request, io) => {
    if (counted.has(request.method)) {
      const name = caller(request, io);
      try {
        if (name !== undefined) spend(name);
      } catch (reason) {
        return Promise.reject(reason);
      }
    }
    return exchange(request, io);
  };
}

const principalOf = (_request: Request, io: ExchangeIO): string => io.auth?.principal ?? '';

function tooMany(perSecond: number, retryAfterMs: number): McpError {
  return new McpError(ErrorCode.InternalError, `Too many requests; try again in ${retryAfterMs} ms`, {
    data: { limit: 'perSecond', value: perSecond, retryAfterMs },
    httpStatus: 429,
  });
}

function positive(name: string, value: number): number {
  if (value > 0) return value;
  throw new DragomanError('INVALID_ARGUMENT', `rateLimit: ${name} must be more than 0, not ${String(value)}`);
}

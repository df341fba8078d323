import type { Exchange } from '@dragoman/protocol';
import { raisesDoubt } from '../probe.ts';
import type { Wire } from '../wires/wire.ts';

/** What the recheck layer needs to know and to do. */
export interface RecheckSettings {
  readonly wire: Wire;
  /** Whether this client had an answer of its own from a modern server. */
  readonly isConfirmed: () => boolean;
  readonly confirm: () => void;
  /** Asks the server what it is, and throws where that is nothing that this client can talk to. */
  readonly askAgain: () => Promise<void>;
}

/**
 * Where it is only remembered that a server is modern, and the first call fails in a way that makes that doubtful, asks it
 * once more (basic/versioning, "Backward Compatibility"). The call itself is not sent again: it may have been carried out.
 */
export function recheck(next: Exchange, settings: RecheckSettings): Exchange {
  const doubt = async (reason: unknown): Promise<never> => {
    if (!settings.isConfirmed() && raisesDoubt(reason, settings.wire)) await settings.askAgain();
    throw reason;
  };
  return (request, io) => {
    const answer = next(request, io);
    if (settings.isConfirmed() || request.method === 'server/discover') return answer;
    return answer.then((result) => {
      if (typeof result.resultType === 'string') settings.confirm();
      return result;
    }, doubt);
  };
}

import type { Exchange, Result } from '@dragoman/protocol';
import { raisesDoubt } from '../probe.ts';
import type { Wire } from '../wires/wire.ts';

/** What the recheck layer needs to know and to do. */
export interface RecheckSettings {
  readonly wire: Wire;
  /** Whether this client had an answer of its own from a modern server. */
  readonly isConfirmed: () => boolean;
  readonly confirm: (result: Result) => void;
  /** Asks the server what it is, where that was only remembered, and throws where it is nothing that this client can talk to. */
  readonly askAgain: () => Promise<void>;
}

/**
 * Takes note of the first answer that only a modern server gives. Where it is only remembered that the server is modern,
 * and the first call fails in a way that makes that doubtful, asks it once more (basic/versioning, "Backward
 * Compatibility"). The call itself is not sent again: it may have been carried out.
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
      if (typeof result.resultType === 'string') settings.confirm(result);
      return result;
    }, doubt);
  };
}

import { type JsonRpcNotification, MetaKey, type Request, type RequestId, show } from '@dragoman/protocol';
import type { Observers } from './observers.ts';
import { LISTEN } from './outcomes.ts';

/**
 * What is to be done with a notification that came on the stream of a request, by the rules of what may stand there
 * (streamable-http, "Receiving Messages"). What breaks a rule is warned of; what is of use all the same is delivered.
 */
export function judgeNotification(
  { method, params }: JsonRpcNotification,
  request: Request,
  id: RequestId,
  observers: Observers,
): 'deliver' | 'drop' | 'end' {
  const meta = request.params._meta;
  const listening = request.method === LISTEN;
  if (method === 'notifications/progress') {
    if (params?.progressToken === meta?.progressToken && !listening) return 'deliver';
    const message = 'The server sent progress for a token that this request did not give';
    observers.warn('unmatched-notification', message, show(params?.progressToken));
    return 'drop';
  }
  if (method === 'notifications/cancelled') {
    if (listening && params?.requestId === id) return 'end';
    const message = 'The server cancelled what is no subscription';
    observers.warn('server-cancelled', message, show(params?.requestId));
    return 'drop';
  }
  if (listening) {
    const subscription = (params?._meta as { [key: string]: unknown } | undefined)?.[MetaKey.subscriptionId];
    if (subscription !== id) {
      const message = `The server sent ${method} on a subscription's stream under another id`;
      observers.warn('unmatched-notification', message, show(subscription));
    }
  } else if (method !== 'notifications/message' || meta?.[MetaKey.logLevel] === undefined) {
    observers.warn('unmatched-notification', `The server sent what ${request.method} did not ask for`, method);
  }
  return 'deliver';
}

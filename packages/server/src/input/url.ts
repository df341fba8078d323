import { DragomanError } from '@dragoman/protocol';
import { isLoopbackName } from '../http/host.ts';

/**
 * Checks an address that a user is to be sent to: absolute, http or https, and without a name and password, which a user
 * would hand on unseen (client/elicitation, "Safe URL Handling").
 *
 * @throws DragomanError `INVALID_ARGUMENT`
 */
export function checkUrl(url: string): void {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw new DragomanError('INVALID_ARGUMENT', `elicitUrl needs an absolute URL, got ${JSON.stringify(url)}`, {
      cause,
    });
  }
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `elicitUrl needs an https URL (http for development), got ${parsed.protocol}`,
    );
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new DragomanError('INVALID_ARGUMENT', 'elicitUrl takes no URL with a user name or password in it');
  }
}

/** What is told of a page over plain http, unless it is on this machine; else undefined. */
export function insecureProblem(url: string): string | undefined {
  const { protocol, hostname, origin } = new URL(url);
  if (protocol === 'https:' || isLoopbackName(hostname)) return undefined;
  return `A user is sent to ${origin} over plain http, where anybody on the way can read and change what is entered; use https`;
}

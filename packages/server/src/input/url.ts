import { DragomanError } from '@dragoman/protocol';

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

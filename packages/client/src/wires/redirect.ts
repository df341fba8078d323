/** How far redirections are followed where no option says otherwise. */
export const MAX_REDIRECTS = 5;

/** Whether a status says that the request belongs elsewhere. */
export const isRedirect = (status: number): boolean =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

/**
 * Where a redirected POST goes on. Only 307 and 308 keep method and body (RFC 9110 §15.4), and only the same origin gets
 * the credentials: anything else is a problem, which names what to do. A server behind a TLS proxy often writes `http://`
 * for its own https address; the request then stays on https.
 */
export function redirectTarget(
  from: URL,
  status: number,
  location: string | undefined,
): URL | { readonly problem: string } {
  if (location === undefined || !URL.canParse(location, from)) {
    return { problem: `a redirection (HTTP ${status}) without a usable Location` };
  }
  const to = new URL(location, from);
  if (status !== 307 && status !== 308) {
    return {
      problem: `a redirection (HTTP ${status}) that would lose the request; if ${shown(to)} is the endpoint, use that address`,
    };
  }
  if (
    from.protocol === 'https:' &&
    to.protocol === 'http:' &&
    to.hostname === from.hostname &&
    (to.port === '' || to.port === from.port)
  ) {
    to.protocol = 'https:';
    to.port = from.port;
  }
  if (to.origin !== from.origin) {
    return {
      problem: `a redirection to another origin, which must not get this one's credentials; if ${shown(to)} is the endpoint, use that address`,
    };
  }
  to.hash = '';
  return to;
}

const shown = (url: URL): string => `${url.origin}${url.pathname}`;

import { DragomanError } from '@dragoman/protocol';

/**
 * The proxy for an address: the one given, else the one that the environment names for its scheme. Names are read in lower
 * and upper case. Loopback is reached directly unless a proxy is given outright.
 *
 * @param onBadProxy hears of a variable that cannot be read; the connection is then made directly
 * @throws DragomanError `INVALID_ARGUMENT` where the proxy given is no address
 */
export function proxyFor(
  url: URL,
  given: string | URL | undefined,
  env: { readonly [name: string]: string | undefined },
  onBadProxy: (message: string) => void,
): URL | undefined {
  if (given !== undefined) {
    const proxy = parseProxy(String(given));
    if (proxy === undefined) {
      throw new DragomanError('INVALID_ARGUMENT', 'The proxy option is no http, https or socks5 address');
    }
    return proxy;
  }
  if (isLoopback(url.hostname)) return undefined;
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = look(env, name) ?? look(env, 'ALL_PROXY');
  if (value === undefined || isExempt(url, look(env, 'NO_PROXY'))) return undefined;
  const proxy = parseProxy(value);
  if (proxy === undefined) onBadProxy(`${name} or ALL_PROXY is no http, https or socks5 address; connecting directly`);
  return proxy;
}

/** Whether a host is this machine by name or number. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}

function look(env: { readonly [name: string]: string | undefined }, name: string): string | undefined {
  const value = (env[name.toLowerCase()] ?? env[name])?.trim();
  return value === '' ? undefined : value;
}

/** `host:port` alone is how many write it. */
function parseProxy(value: string): URL | undefined {
  const text = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^(?:https?|socks5?):$/.test(url.protocol) || url.hostname === '') return undefined;
  return isEscaped(url.username) && isEscaped(url.password) ? url : undefined;
}

/** Whether escapes can be undone, which a user name and password will have to be. */
function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** `NO_PROXY`: hosts, their subdomains, with or without a port, or `*`; parted by commas or spaces. */
function isExempt(url: URL, list: string | undefined): boolean {
  if (list === undefined) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const parts = /^(?<host>.+?|\[.+\])(?::(?<port>\d+))?$/.exec(entry.toLowerCase())?.groups;
    const name = parts?.host?.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
    if (name === undefined || (parts?.port !== undefined && parts.port !== port)) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

/** A host as an authority names it. */
export interface Host {
  /** Lower case; an IPv6 address keeps its brackets. */
  readonly hostname: string;
  readonly port: number | undefined;
}

const authority = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i;
const origin = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i;

/** Reads a `Host` value: a name or address with an optional port, and nothing else (RFC 9110 §7.2). */
export function parseHost(value: string): Host | undefined {
  const match = authority.exec(value);
  if (match === null) return undefined;
  const port = match[2] === undefined ? undefined : Number(match[2]);
  if (port !== undefined && port > 65_535) return undefined;
  return { hostname: (match[1] as string).toLowerCase(), port };
}

/** Reads an `Origin` value of the form scheme, host and port. `null` and lists are none (RFC 6454 §7). */
export function parseOrigin(value: string): (Host & { readonly scheme: string }) | undefined {
  const match = origin.exec(value);
  if (match === null) return undefined;
  const host = parseHost(match[2] as string);
  return host === undefined ? undefined : { scheme: (match[1] as string).toLowerCase(), ...host };
}

/** The port that a scheme implies where none is written. */
export function defaultPort(scheme: string): number | undefined {
  return scheme === 'https' ? 443 : scheme === 'http' ? 80 : undefined;
}

/** Whether a name or address always means this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** Whether a socket's address is this machine's own. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address);

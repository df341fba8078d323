import { DragomanError } from '@dragoman/protocol';
import { defaultPort, type Host, isLoopbackName, parseHost, parseOrigin } from './host.ts';

/** Which hosts and origins an endpoint answers: the defence against DNS rebinding and foreign pages. */
export interface HostGuardOptions {
  /**
   * Hosts that requests may be addressed to, such as `mcp.example.com`, `mcp.example.com:8443` or `[::1]:3000`; without
   * a port, any port. `'*'` turns the check off. Default: a loopback listener answers only to its own loopback names
   * and port; any other listener does not look at `Host`.
   */
  readonly allowedHosts?: readonly string[] | '*' | undefined;
  /**
   * Origins of web pages that may call, such as `https://app.example.com`. `'*'` lets every page call, except those of
   * the opaque origin `null`. Default: pages of the allowed hosts; on a loopback listener, pages of any loopback port;
   * else pages of the host that the request is addressed to.
   */
  readonly allowedOrigins?: readonly string[] | '*' | undefined;
}

/** The port of a loopback listener; undefined where the listener is not on loopback, or not known. */
export type LoopbackPort = number | undefined;

/**
 * Holds `Host` and `Origin` against what is allowed (streamable-http, "Security & Endpoint"), by their exact parts: a name
 * that only begins or ends like an allowed one is another name.
 */
export class HostGuard {
  readonly #hosts: readonly Host[] | '*' | undefined;
  readonly #origins: ReadonlySet<string> | '*' | undefined;
  /** The last host that passed on the same listener: clients of one server mostly write the same. */
  #passed: string | undefined;
  #passedPort: LoopbackPort;

  /** @throws DragomanError INVALID_ARGUMENT for an entry that is no host or no origin. */
  constructor(options: HostGuardOptions) {
    const { allowedHosts, allowedOrigins } = options;
    const hosts = listOf('allowedHosts', allowedHosts);
    const origins = listOf('allowedOrigins', allowedOrigins);
    this.#hosts = Array.isArray(hosts) ? hosts.map(readHost) : hosts;
    this.#origins = Array.isArray(origins) ? new Set(origins.map(readOrigin)) : origins;
  }

  /** Returns why the request must not be answered, or undefined. */
  check(host: string | undefined, origin: string | undefined, loopback: LoopbackPort): string | undefined {
    if (host === undefined || host !== this.#passed || loopback !== this.#passedPort) {
      if (!this.#allowsHost(host, loopback)) {
        return `Host ${quote(host)} is not served here; name it in allowedHosts if it should be`;
      }
      this.#passed = host;
      this.#passedPort = loopback;
    }
    if (origin === undefined || this.#allowsOrigin(origin, host, loopback)) return undefined;
    return `Origin ${quote(origin)} may not call this server; name it in allowedOrigins if it should`;
  }

  #allowsHost(value: string | undefined, loopback: LoopbackPort): boolean {
    if (this.#hosts === '*' || (this.#hosts === undefined && loopback === undefined)) return true;
    const host = value === undefined ? undefined : parseHost(value);
    if (host === undefined) return false;
    if (this.#hosts !== undefined) return listed(this.#hosts, host);
    if (!isLoopbackName(host.hostname)) return false;
    return host.port === loopback || (host.port === undefined && (loopback === 80 || loopback === 443));
  }

  #allowsOrigin(value: string, host: string | undefined, loopback: LoopbackPort): boolean {
    const origin = parseOrigin(value);
    if (origin === undefined) return false;
    if (this.#origins === '*') return true;
    if (this.#origins !== undefined) return this.#origins.has(originText(origin));
    if (origin.scheme !== 'http' && origin.scheme !== 'https') return false;
    if (Array.isArray(this.#hosts)) return listed(this.#hosts, origin);
    if (loopback !== undefined) return isLoopbackName(origin.hostname);
    const addressed = host === undefined ? undefined : parseHost(host);
    const implied = defaultPort(origin.scheme);
    return addressed?.hostname === origin.hostname && (addressed.port ?? implied) === (origin.port ?? implied);
  }
}

const listed = (hosts: readonly Host[], host: Host): boolean =>
  hosts.some(
    (allowed) => allowed.hostname === host.hostname && (allowed.port === undefined || allowed.port === host.port),
  );

const originText = (origin: Host & { readonly scheme: string }): string =>
  `${origin.scheme}://${origin.hostname}:${origin.port ?? defaultPort(origin.scheme) ?? ''}`;

function listOf(option: string, given: readonly string[] | '*' | undefined): string[] | '*' | undefined {
  if (given === undefined || given === '*') return given;
  if (Array.isArray(given) && given.every((entry) => typeof entry === 'string')) return given;
  throw new DragomanError('INVALID_ARGUMENT', `${option} must be a list of strings, or '*', not ${String(given)}`);
}

function readHost(entry: string): Host {
  const host = parseHost(entry);
  if (host !== undefined) return host;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `allowedHosts: ${quote(entry)} is no host; write a name or address, optionally with a port, without a scheme`,
  );
}

function readOrigin(entry: string): string {
  const origin = parseOrigin(entry);
  if (origin !== undefined) return originText(origin);
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `allowedOrigins: ${quote(entry)} is no origin; write scheme://host or scheme://host:port, without a path`,
  );
}

const quote = (value: string | undefined): string =>
  value === undefined ? '(none)' : JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);

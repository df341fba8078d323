import { delayOf, limitsOf } from '../limits.ts';
import type { Reports } from '../reports.ts';
import { type ReportOptions, reportsOf, type Served } from '../wires/served.ts';
import type { Authenticate } from './authenticate.ts';
import type { HttpCall } from './call.ts';
import { Cors, type CorsOptions } from './cors.ts';
import { HostGuard, type HostGuardOptions } from './host-guard.ts';
import { KeepAlive } from './keep-alive.ts';
import type { LegacyHttp } from './legacy.ts';
import { type HttpLimits, httpLimits } from './limits.ts';

/** Options of an HTTP endpoint, whatever carries it. */
export interface HttpEndpointOptions extends HostGuardOptions, ReportOptions {
  /** Decides who asks. Default: nobody is asked, and requests carry no principal. */
  readonly authenticate?: Authenticate | undefined;
  /** What browsers are told. `false` leaves that to whatever stands in front. Default: allowed origins may call. */
  readonly cors?: CorsOptions | false | undefined;
  /**
   * The path of the endpoint; one slash at its end more or less is the same path, other paths are 404. Default for
   * `serveHttp`: `/mcp`. Default elsewhere: every path, because something else has routed the request here.
   */
  readonly path?: string | undefined;
  /** How much of each thing; the defaults are in {@link httpLimits}. */
  readonly limits?: Partial<HttpLimits> | undefined;
  /** Takes over what belongs to older revisions. */
  readonly legacy?: LegacyHttp | undefined;
}

/** One MCP endpoint over HTTP: what all its requests share. It keeps nothing that outlives a request. */
export class HttpEndpoint {
  readonly server: Served;
  readonly guard: HostGuard;
  readonly cors: Cors | undefined;
  readonly authenticate: Authenticate | undefined;
  readonly legacy: LegacyHttp | undefined;
  readonly path: string | undefined;
  /** Methods that are answered with more than a refusal, for `Allow`. */
  readonly methods: string;
  readonly limits: HttpLimits;
  readonly keepAlive: KeepAlive;
  readonly reports: Reports;
  readonly #otherPath: string | undefined;
  readonly #calls = new Set<HttpCall>();
  #listening = 0;
  #reading = 0;
  #unfinished = 0;
  #closing = false;
  #whenIdle: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  /** @throws DragomanError INVALID_ARGUMENT for hosts and origins that are none, and limits below 0 */
  constructor(server: Served, options: HttpEndpointOptions) {
    const methods = ['POST', ...(options.legacy?.methods ?? [])];
    this.server = server;
    this.guard = new HostGuard(options);
    this.cors = options.cors === false ? undefined : new Cors(options.cors ?? {}, methods);
    this.authenticate = options.authenticate;
    this.legacy = options.legacy;
    this.path = options.path;
    this.#otherPath = this.path?.endsWith('/') ? this.path.slice(0, -1) : this.path && `${this.path}/`;
    this.methods = [...methods, 'OPTIONS'].join(', ');
    this.limits = limitsOf(httpLimits, options.limits);
    this.keepAlive = new KeepAlive(this.limits.keepAliveInterval);
    this.reports = reportsOf(server, options);
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Whether a request target, with its query, is the endpoint's. */
  serves(target: string): boolean {
    if (this.path === undefined || target === this.path || target === this.#otherPath) return true;
    const query = target.indexOf('?');
    const path = query < 0 ? target : target.slice(0, query);
    return path === this.path || path === this.#otherPath;
  }

  /** Counts a call in, unless there are too many. */
  enter(call: HttpCall): boolean {
    if (this.#busy >= this.limits.maxConcurrentRequests) return false;
    this.#calls.add(call);
    return true;
  }

  get #busy(): number {
    return this.#calls.size - this.#listening - this.#reading;
  }

  /** A call turned out to be a listen stream: those have caps of their own. */
  enterListening(): void {
    this.#listening++;
  }

  /** A call waits for its body. */
  enterReading(): void {
    this.#reading++;
  }

  /** A call has its body. Returns whether there is room to answer it. */
  leaveReading(): boolean {
    this.#reading--;
    return this.#busy <= this.limits.maxConcurrentRequests;
  }

  /** Counts bytes of unfinished bodies, unless there are too many; negative ones give back. */
  hold(bytes: number): boolean {
    if (this.#unfinished + bytes > this.limits.maxUnfinishedBytes) return false;
    this.#unfinished += bytes;
    return true;
  }

  leave(call: HttpCall): void {
    if (!this.#calls.delete(call)) return;
    if (call.isListening) this.#listening--;
    if (call.isReading) this.#reading--;
    if (this.#calls.size === 0) this.#whenIdle?.();
  }

  /**
   * Ends the endpoint: new requests are refused, listen streams end with their result, other calls have `grace`
   * milliseconds to finish and are then broken off. Always resolves.
   */
  close(grace: number): Promise<void> {
    this.#closed ??= this.#close(grace);
    return this.#closed;
  }

  async #close(grace: number): Promise<void> {
    this.#closing = true;
    for (const call of this.#calls) call.endListening();
    if (this.#calls.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayOf(grace));
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#whenIdle = undefined;
    for (const call of this.#calls) call.cut();
  }
}

import {
  type CacheScope,
  ErrorCode,
  type Exchange,
  type JsonObject,
  McpError,
  MetaKey,
  methodRow,
  type Request,
  type Result,
} from '@dragoman/protocol';
import type { Clock } from '../clock.ts';
import type { Warning } from '../events.ts';
import type { ClientIO } from '../io.ts';
import { momentary } from '../momentary.ts';
import type { CacheEntry, CacheInfo, CacheStore } from './cache-store.ts';
import { cameAfterInput } from './input-rounds.ts';

/** What the response cache is told once. */
export interface ResponseCacheSettings {
  readonly store: CacheStore;
  readonly clock: Clock;
  /** Of the wire: no two servers share an entry. */
  readonly identity: string;
  /** Of the user: nobody else gets what is private. */
  readonly credential: string;
  /** What else a result may depend on: version and capabilities of the requests. */
  readonly variant: () => string;
  /** Told of every result that was kept. */
  readonly onHit: (request: Request, result: Result) => void;
  readonly warn: (warning: Warning) => void;
}

/**
 * Keeps results as long as their server allows (server/utilities/caching). Which methods have such results is said by the
 * method table; whether one is fresh, by its `ttlMs` and this side's clock; who may share it, by its `cacheScope`, where
 * anything but `public` is private. Nothing is refreshed unasked, and nothing stale is served.
 */
export class ResponseCache {
  readonly #settings: ResponseCacheSettings;
  readonly #identity: string;
  /** Counts invalidations by method: a result that was under way when one came is not kept. */
  readonly #generations = new Map<string, number>();

  constructor(settings: ResponseCacheSettings) {
    this.#settings = settings;
    this.#identity = `${JSON.stringify(settings.identity)}\n`;
  }

  /** The layer. */
  layer(next: Exchange): Exchange {
    return (request, io: ClientIO) =>
      methodRow(request.method)?.cacheable === true ? this.#through(next, request, io) : next(request, io);
  }

  /** Drops what is kept of a method, all pages and parameters; of all methods where none is named. */
  async clear(method?: string): Promise<void> {
    this.#invalidated(method);
    await this.#guard(() => this.#settings.store.clear(this.#prefix(method)), undefined);
  }

  /** Drops what is kept of one resource, and of those watched ones that it is a part of (schema, `ResourceUpdatedNotificationParams`). */
  async clearResource(uri: string, watched: readonly string[] = []): Promise<void> {
    const method = 'resources/read';
    this.#invalidated(method);
    for (const stale of new Set([uri, ...watched.filter((whole) => uri.startsWith(whole))])) {
      const prefix = `${this.#prefix(method)}${JSON.stringify({ uri: stale })}\n`;
      await this.#guard(() => this.#settings.store.clear(prefix), undefined);
    }
  }

  async #through(next: Exchange, request: Request, io: ClientIO): Promise<Result> {
    const mode = io.options?.cache ?? 'default';
    const { params, method } = request;
    // Answers are for one request alone, and so is what comes of them.
    const single =
      (params.inputResponses ?? undefined) !== undefined || (params.requestState ?? undefined) !== undefined;
    if (mode === 'bypass' || single) {
      const result = await next(request, io);
      this.#report(io, 'bypass', 0, result);
      return result;
    }
    const key = this.#prefix(method) + paramsKey(params);
    if (mode === 'default') {
      const entry = await this.#fresh(key);
      if (entry !== undefined) {
        const result = JSON.parse(entry.text) as Result;
        this.#settings.onHit(request, result);
        this.#report(io, 'hit', this.#settings.clock.now() - entry.receivedAt, result);
        return result;
      }
    }
    const generation = this.#generation(method);
    let result: Result;
    try {
      result = await next(request, io);
    } catch (reason) {
      if (isStaleCursor(request, reason)) await this.clear(method);
      throw reason;
    }
    this.#report(io, mode === 'refresh' ? 'refresh' : 'miss', 0, result);
    await this.#keep(key, result, generation === this.#generation(method), mode === 'refresh');
    return result;
  }

  async #fresh(key: string): Promise<CacheEntry | undefined> {
    const now = this.#settings.clock.now();
    let best: CacheEntry | undefined;
    for (const scope of ['private', 'public'] as const) {
      const entry = await this.#guard(() => this.#settings.store.get(this.#scoped(key, scope)), undefined);
      // A receipt that lies ahead was dated by a clock that was set back since.
      if (entry === undefined || entry.receivedAt > now || now >= entry.receivedAt + entry.ttlMs) continue;
      if (best === undefined || entry.receivedAt > best.receivedAt) best = entry;
    }
    return best;
  }

  async #keep(key: string, result: Result, current: boolean, replace: boolean): Promise<void> {
    const { store, clock } = this.#settings;
    const complete = (result.resultType ?? 'complete') === 'complete';
    const ttlMs = complete && current && !cameAfterInput(result) ? ttlOf(result) : 0;
    const scope = scopeOf(result);
    const drop = (which: CacheScope) => this.#guard(() => store.clear(this.#scoped(key, which)), undefined);
    if (ttlMs > 0) {
      const entry: CacheEntry = { text: JSON.stringify(result), receivedAt: clock.now(), ttlMs, scope };
      await this.#guard(() => store.set(this.#scoped(key, scope), entry), undefined);
    } else if (replace) {
      await drop('private');
      await drop('public');
    }
  }

  #report(io: ClientIO, status: CacheInfo['status'], ageMs: number, result: Result): void {
    if (io.report !== undefined) io.report.cache = { status, ageMs, ttlMs: ttlOf(result), scope: scopeOf(result) };
  }

  #prefix(method: string | undefined): string {
    return method === undefined ? this.#identity : `${this.#identity}${method}\n`;
  }

  #scoped(key: string, scope: CacheScope): string {
    const owner = scope === 'public' ? '' : this.#settings.credential;
    return `${key}\n${JSON.stringify(owner)}\n${this.#settings.variant()}`;
  }

  #generation(method: string): number {
    return (this.#generations.get(method) ?? 0) + (this.#generations.get('') ?? 0);
  }

  #invalidated(method = ''): void {
    this.#generations.set(method, (this.#generations.get(method) ?? 0) + 1);
  }

  async #guard<T>(use: () => T | Promise<T>, otherwise: T): Promise<T> {
    try {
      return await use();
    } catch (cause) {
      const message = `The store of kept results failed: ${cause instanceof Error ? cause.message : String(cause)}`;
      this.#settings.warn({ kind: 'cache-store', message, details: { cause } });
      return otherwise;
    }
  }
}

/** Whether an error says that a list's cursor is not known any more (server/utilities/pagination, "Error Handling"). */
export const isStaleCursor = (request: Pick<Request, 'params'>, reason: unknown): boolean =>
  typeof request.params.cursor === 'string' && reason instanceof McpError && reason.code === ErrorCode.InvalidParams;

/** Absent, negative or no number reads as 0: stale at once. */
function ttlOf(result: Result): number {
  const ttl = result.ttlMs;
  return typeof ttl === 'number' && ttl > 0 ? ttl : 0;
}

const scopeOf = (result: Result): CacheScope => (result.cacheScope === 'public' ? 'public' : 'private');

/** All parameters that the result may depend on, whatever their order. */
function paramsKey(params: JsonObject): string {
  const names = Object.keys(params)
    .filter((name) => name !== '_meta')
    .sort();
  const key = JSON.stringify(Object.fromEntries(names.map((name) => [name, params[name]])));
  const meta = params._meta as JsonObject | undefined;
  if (meta === undefined) return key;
  const own = Object.keys(meta)
    // What a server logs is no part of what it answers.
    .filter((name) => !momentary.has(name) && name !== MetaKey.logLevel)
    .sort();
  return own.length === 0 ? key : `${key}\n${JSON.stringify(own.map((name) => [name, meta[name]]))}`;
}

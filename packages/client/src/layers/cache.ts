import {
  type CacheScope,
  DragomanError,
  ErrorCode,
  type Exchange,
  type JsonObject,
  McpError,
  MetaKey,
  methodRow,
  type Request,
  type Result,
  show,
} from '@dragoman/protocol';
import type { Clock } from '../clock.ts';
import type { Warning } from '../events.ts';
import type { ClientIO } from '../io.ts';
import { momentary } from '../momentary.ts';
import { StoreGuard } from '../store-guard.ts';
import type { CacheEntry, CacheInfo, CacheStore } from './cache-store.ts';
import { nameOf } from './deadline.ts';
import { cameAfterInput } from './input-rounds.ts';

/** What the response cache is told once. */
export interface ResponseCacheSettings {
  readonly store: CacheStore;
  readonly clock: Clock;
  /** Of the wire: no two servers share an entry. */
  readonly identity: string;
  /** Of the user: nobody else gets what is private. */
  readonly credential: string;
  /** Longest wait for the store, in milliseconds. */
  readonly storeTimeout: number;
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
  readonly #guard: StoreGuard;
  /** When the store could not be told of an invalidation, by method: what it holds from before is stale all the same. */
  readonly #untold = new Map<string, number>();
  /** Counts invalidations by method: a result that was under way when one came is not kept. */
  readonly #generations = new Map<string, number>();

  constructor(settings: ResponseCacheSettings) {
    this.#settings = settings;
    this.#identity = `${JSON.stringify(settings.identity)}\n`;
    const { clock, storeTimeout: timeout, warn } = settings;
    this.#guard = new StoreGuard({ kind: 'cache-store', name: 'The store of kept results', clock, timeout, warn });
  }

  /** The layer. */
  layer(next: Exchange): Exchange {
    const uncached = withoutCache(next);
    return (request, io: ClientIO) =>
      methodRow(request.method)?.cacheable === true ? this.#through(next, request, io) : uncached(request, io);
  }

  /** Drops what is kept of a method, all pages and parameters; of all methods where none is named. */
  async clear(method?: string): Promise<void> {
    this.#invalidated(method);
    if (!(await this.#drop(this.#prefix(method)))) this.#untold.set(method ?? '', this.#settings.clock.now());
  }

  /** Drops what is kept of one resource, and of those watched ones that it is a part of (schema, `ResourceUpdatedNotificationParams`). */
  async clearResource(uri: string, watched: readonly string[] = []): Promise<void> {
    const method = 'resources/read';
    this.#invalidated(method);
    for (const stale of new Set([uri, ...watched.filter((whole) => uri.startsWith(whole))])) {
      const prefix = `${this.#prefix(method)}${JSON.stringify({ uri: stale })}\n`;
      if (!(await this.#drop(prefix))) this.#untold.set(method, this.#settings.clock.now());
    }
  }

  /** Whether the store has forgotten all that begins so. */
  #drop(prefix: string): Promise<boolean> {
    return this.#guard.use(async () => {
      await this.#settings.store.clear(prefix);
      return true;
    }, false);
  }

  async #through(next: Exchange, request: Request, io: ClientIO): Promise<Result> {
    const mode = io.options?.cache ?? 'default';
    const { params, method } = request;
    // Answers are for one request alone, and so is what comes of them.
    const single =
      (params.inputResponses ?? undefined) !== undefined || (params.requestState ?? undefined) !== undefined;
    if (single && mode === 'only') throw notCached(request);
    if (mode === 'bypass' || single) {
      const result = await next(request, io);
      this.#report(io, 'bypass', 0, result);
      return result;
    }
    const suffix = paramsKey(params);
    // What is no JSON is the wire's to refuse.
    if (suffix === undefined) return next(request, io);
    const key = this.#prefix(method) + suffix;
    if (mode === 'default' || mode === 'only') {
      const kept = await this.#fresh(key, method);
      if (kept !== undefined) {
        this.#settings.onHit(request, kept.result);
        this.#report(io, 'hit', this.#settings.clock.now() - kept.entry.receivedAt, kept.result);
        return kept.result;
      }
      if (mode === 'only') throw notCached(request);
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

  async #fresh(key: string, method: string): Promise<Kept | undefined> {
    const now = this.#settings.clock.now();
    const never = Number.NEGATIVE_INFINITY;
    const untold = Math.max(this.#untold.get(method) ?? never, this.#untold.get('') ?? never);
    let best: CacheEntry | undefined;
    for (const scope of ['private', 'public'] as const) {
      const given: unknown = await this.#guard.use(() => this.#settings.store.get(this.#scoped(key, scope)), undefined);
      if (given === undefined || given === null) continue;
      if (!isEntry(given)) {
        this.#guard.failed(new Error(`it has ${show(given)} for an entry`));
        continue;
      }
      // A receipt that lies ahead was dated by a clock that was set back since.
      if (given.receivedAt > now || given.receivedAt <= untold || now >= given.receivedAt + given.ttlMs) continue;
      if (best === undefined || given.receivedAt > best.receivedAt) best = given;
    }
    if (best === undefined) return undefined;
    const result = readText(best.text, method);
    if (result !== undefined) return { entry: best, result };
    this.#guard.failed(new Error(`it has ${show(best.text)} for a result of ${method}`));
    return undefined;
  }

  async #keep(key: string, result: Result, current: boolean, replace: boolean): Promise<void> {
    const { store, clock } = this.#settings;
    const complete = (result.resultType ?? 'complete') === 'complete';
    const ttlMs = complete && current && !cameAfterInput(result) ? ttlOf(result) : 0;
    const scope = scopeOf(result);
    const text = ttlMs > 0 ? jsonOf(result) : undefined;
    if (text !== undefined) {
      const entry: CacheEntry = { text, receivedAt: clock.now(), ttlMs, scope };
      await this.#guard.use(() => store.set(this.#scoped(key, scope), entry), undefined);
    } else if (replace) {
      await this.#drop(this.#scoped(key, 'private'));
      await this.#drop(this.#scoped(key, 'public'));
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
}

/** An entry and its result, read. */
/** What is sent where nothing is kept: everything but what must not be sent. */
export function withoutCache(next: Exchange): Exchange {
  return (request, io: ClientIO) =>
    io.options?.cache === 'only' ? Promise.reject(notCached(request)) : next(request, io);
}

const notCached = (request: Request): DragomanError =>
  new DragomanError(
    'NOT_CACHED',
    `No fresh result of ${nameOf(request)} is kept, and cache: 'only' asks nobody; use 'default' to have it fetched`,
  );

interface Kept {
  readonly entry: CacheEntry;
  readonly result: Result;
}

/** Whether what a store has is an entry: others may write there, too. */
const isEntry = (given: unknown): given is CacheEntry =>
  isObject(given) &&
  typeof given.text === 'string' &&
  Number.isFinite(given.receivedAt) &&
  typeof given.ttlMs === 'number' &&
  given.ttlMs > 0;

/** A kept result; undefined for what could not have been kept. */
function readText(text: string, method: string): Result | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || (value.resultType ?? 'complete') !== 'complete') return undefined;
  const member = methodRow(method)?.listMember;
  const items: unknown = member === undefined ? [] : value[member];
  return Array.isArray(items) && items.every(isObject) ? (value as Result) : undefined;
}

/** A value as JSON; undefined for what has none, such as what is nested too deep to be written. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an error says that a list's cursor is not known any more (server/utilities/pagination, "Error Handling"). */
export const isStaleCursor = (request: Pick<Request, 'params'>, reason: unknown): boolean =>
  typeof request.params.cursor === 'string' && reason instanceof McpError && reason.code === ErrorCode.InvalidParams;

/** Absent, negative or no number reads as 0: stale at once. */
function ttlOf(result: Result): number {
  const ttl = result.ttlMs;
  return typeof ttl === 'number' && ttl > 0 ? ttl : 0;
}

const scopeOf = (result: Result): CacheScope => (result.cacheScope === 'public' ? 'public' : 'private');

/** All parameters that the result may depend on, whatever their order; undefined where they are no JSON. */
function paramsKey(params: JsonObject): string | undefined {
  const names = Object.keys(params)
    .filter((name) => name !== '_meta')
    .sort();
  const key = jsonOf(Object.fromEntries(names.map((name) => [name, params[name]])));
  const meta = params._meta as JsonObject | undefined;
  if (meta === undefined) return key;
  const own = Object.keys(meta)
    // What a server logs is no part of what it answers.
    .filter((name) => !momentary.has(name) && name !== MetaKey.logLevel)
    .sort();
  if (own.length === 0) return key;
  const more = jsonOf(own.map((name) => [name, meta[name]]));
  return key === undefined || more === undefined ? undefined : `${key}\n${more}`;
}

import {
  type DiscoverResult,
  type Exchange,
  type Implementation,
  isModern,
  type JsonObject,
  MetaKey,
  MODERN,
  type Request,
  type Result,
  type ServerCapabilities,
} from '@dragoman/protocol';
import { untilAborted } from './abort.ts';
import type { Clock } from './clock.ts';
import type { Warning } from './events.ts';
import { ignore, never } from './io.ts';
import { abortedError } from './layers/deadline.ts';
import { withinMaxTime } from './layers/max-time.ts';
import { type Era, type LegacyAdapter, legacyServerError, probe } from './probe.ts';
import { Starting } from './starting.ts';
import { StoreGuard } from './store-guard.ts';
import type { Verdict, VerdictStore } from './verdicts.ts';
import type { Wire } from './wires/wire.ts';

/** What is known of a server. What it says of itself is a label, never a reason for a decision. */
export interface ServerInfo {
  /** Where it is, for people; secrets masked. */
  readonly target: string;
  /** How it is reached. */
  readonly kind: Wire['kind'];
  /** `modern`: a revision with metadata in every request. `legacy`: one that opens with `initialize`. */
  readonly era: 'modern' | 'legacy';
  /** The version that requests are written in. */
  readonly version: string;
  /** How the era is known: `asked` now, `remembered` from an earlier meeting, or `assumed`. */
  readonly known: 'asked' | 'remembered' | 'assumed';
  /** Name and version, as the server gives them with its results. */
  readonly serverInfo?: Implementation | undefined;
  /** From `server/discover`; undefined until that was asked. */
  readonly supportedVersions?: readonly string[] | undefined;
  /** From `server/discover`; undefined until that was asked. */
  readonly capabilities?: ServerCapabilities | undefined;
  /** From `server/discover`; undefined until that was asked, or where there are none. Untrusted text. */
  readonly instructions?: string | undefined;
}

/** What getting to know a server takes. */
export interface AcquaintanceSettings {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly verdicts: VerdictStore;
  /** False: the server is taken to be modern. */
  readonly ask: boolean;
  /** Longest time for a first contact, whatever signs of life there are, in milliseconds; 0 for no limit. */
  readonly maxTime: number;
  /** Longest wait for the store, in milliseconds. */
  readonly storeTimeout: number;
  /** Longest wait for the first answer; undefined for that of any other call. */
  readonly startTimeout: number | undefined;
  readonly legacyAdapter: LegacyAdapter | undefined;
  readonly warn: (warning: Warning) => void;
  /** Sends requests in another version from now on. */
  readonly setVersion: (version: string) => void;
  /** Sends requests through something else than the wire from now on. */
  readonly setBase: (exchange: Exchange) => void;
}

/** What one client knows of its server, and how it came to know it. */
export class Acquaintance {
  #confirmed = false;
  readonly #store: StoreGuard;
  readonly #settings: AcquaintanceSettings;
  /** The client's own calls, from the cache down. */
  readonly #exchange: Exchange;
  #info: ServerInfo;
  #meeting: Promise<void> | undefined;
  #asking: Promise<void> | undefined;

  constructor(exchange: Exchange, settings: AcquaintanceSettings) {
    this.#exchange = exchange;
    this.#settings = settings;
    const { clock, storeTimeout: timeout, warn } = settings;
    this.#store = new StoreGuard({ kind: 'verdict-store', name: 'The store of verdicts', clock, timeout, warn });
    const { target, kind } = settings.wire;
    this.#info = Object.freeze({ target, kind, era: 'modern', version: MODERN, known: 'assumed' });
  }

  get info(): ServerInfo {
    return this.#info;
  }

  /** Whether the server has answered this client as a modern one. What another client left behind is only likely. */
  get confirmed(): boolean {
    return this.#confirmed;
  }

  /** A result came that only a modern server sends. */
  confirm(result: Result): void {
    this.#confirmed = true;
    this.introduced(result);
  }

  /** Finds out what the server is, once: from what is remembered, else by asking. */
  meet(signal: AbortSignal): Promise<void> {
    this.#meeting ??= this.#meet(signal).catch((reason: unknown) => {
      this.#meeting = undefined;
      throw reason;
    });
    if (signal === never) return this.#meeting;
    return untilAborted(this.#meeting, signal, () => abortedError(DISCOVER, signal));
  }

  /**
   * Asks a server again that was remembered as modern and does not behave so. Those who ask meanwhile share the answer.
   * Where modern was not remembered but assumed by the user, it stays so.
   */
  askAgain(): Promise<void> {
    if (this.#info.known !== 'remembered') return Promise.resolve();
    this.#asking ??= this.#askAgain().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Takes note of a `server/discover` result. */
  discovered(result: DiscoverResult): void {
    const capabilities = isObject(result.capabilities) ? (result.capabilities as ServerCapabilities) : {};
    const versions: unknown = result.supportedVersions;
    this.#note({
      capabilities,
      supportedVersions: Array.isArray(versions) ? versions.filter((version) => typeof version === 'string') : [],
      instructions: typeof result.instructions === 'string' ? result.instructions : undefined,
    });
    this.introduced(result);
  }

  /** Takes note of who answered, the first time that a result says so. */
  introduced(result: Result): void {
    if (this.#info.serverInfo !== undefined) return;
    const serverInfo = (result._meta as JsonObject | null | undefined)?.[MetaKey.serverInfo];
    if (isObject(serverInfo) && typeof serverInfo.name === 'string') {
      this.#note({ serverInfo: serverInfo as unknown as Implementation });
    }
  }

  /** The server wants another version, which was chosen. */
  versionChanged(version: string): void {
    this.#note({ version });
    // During the first contact the verdict is still to come.
    if (this.#settings.ask && this.#info.known !== 'assumed') void this.#remember();
  }

  async #meet(signal: AbortSignal): Promise<void> {
    const { ask, wire, verdicts, setVersion } = this.#settings;
    if (!ask) return;
    const verdict = await this.#store.use(() => verdicts.get(wire.identity), undefined);
    if (isUsable(verdict)) {
      setVersion(verdict.version);
      this.#note({ version: verdict.version, known: 'remembered' });
      return;
    }
    await this.#settle(await this.#probe(signal));
  }

  async #askAgain(): Promise<void> {
    const { wire, verdicts, warn } = this.#settings;
    warn({
      kind: 'era',
      message: `${wire.target} was remembered as modern and does not answer like it; it is asked again`,
    });
    await this.#store.use(() => verdicts.delete(wire.identity), undefined);
    await this.#settle(await this.#probe(never));
  }

  async #probe(signal: AbortSignal): Promise<Era> {
    const { wire, clock, startTimeout, maxTime } = this.#settings;
    const exchange: Exchange =
      maxTime > 0 && maxTime !== Number.POSITIVE_INFINITY
        ? (request, io) => withinMaxTime(this.#exchange, request, io, maxTime, clock)
        : this.#exchange;
    if (startTimeout === undefined)
      return probe(exchange, { signal, notify: ignore, options: { cache: 'refresh' } }, wire);
    const starting = new Starting(wire, clock, startTimeout, signal);
    try {
      const options = { cache: 'refresh', timeout: Number.POSITIVE_INFINITY } as const;
      return await probe(exchange, { signal: starting.signal, notify: ignore, options }, wire);
    } finally {
      starting.over();
    }
  }

  async #settle(found: Era): Promise<void> {
    const { wire, legacyAdapter, setVersion, setBase } = this.#settings;
    if (found.era === 'legacy') {
      if (legacyAdapter === undefined) throw legacyServerError(wire, found);
      setBase(await legacyAdapter(wire, found));
      this.#note({ era: 'legacy', known: 'asked' });
      this.#confirmed = true;
      return;
    }
    this.#confirmed = true;
    setVersion(found.version);
    this.#note({ version: found.version, known: 'asked' });
    if (found.discovered !== undefined) this.discovered(found.discovered);
    await this.#remember();
  }

  async #remember(): Promise<void> {
    const { wire, verdicts, clock } = this.#settings;
    const verdict: Verdict = { era: 'modern', version: this.#info.version, at: clock.now() };
    await this.#store.use(() => verdicts.set(wire.identity, verdict), undefined);
  }

  #note(news: Partial<ServerInfo>): void {
    this.#info = Object.freeze({ ...this.#info, ...news });
  }
}

/** Only what this client can act on: a modern verdict, for a version that it speaks. A store may hold anything. */
const isUsable = (verdict: unknown): verdict is Verdict =>
  isObject(verdict) && verdict.era === 'modern' && typeof verdict.version === 'string' && isModern(verdict.version);

const DISCOVER: Request = Object.freeze({ method: 'server/discover', params: {} });

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

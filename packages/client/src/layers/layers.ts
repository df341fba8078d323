import {
  type ClientCapabilities,
  type Exchange,
  type ListToolsResult,
  MODERN,
  TASKS_EXTENSION,
} from '@dragoman/protocol';
import type { Acquaintance } from '../acquaintance.ts';
import type { Clock } from '../clock.ts';
import type { Hub } from '../hub.ts';
import { type ClientLimits, type ClientOptions, DEFAULT_TIMEOUT, STORE_TIMEOUT } from '../options.ts';
import { loadSchemaEngine } from '../schema-engine.ts';
import { VERSION } from '../version.ts';
import type { Wire } from '../wires/wire.ts';
import { ResponseCache, withoutCache } from './cache.ts';
import { MemoryCache } from './cache-store.ts';
import { deadline, type Leg } from './deadline.ts';
import { inputRounds } from './input-rounds.ts';
import { recheck } from './recheck.ts';
import { type StampState, stamp } from './stamp.ts';
import type { ToolIndex } from './tool-index.ts';
import { toolMemory } from './tool-memory.ts';
import { traceMessages } from './trace.ts';

/** What the layers are made of. */
export interface LayersSettings {
  readonly wire: Wire;
  readonly tools: ToolIndex;
  readonly options: ClientOptions;
  readonly capabilities: ClientCapabilities;
  readonly limits: ClientLimits;
  readonly clock: Clock;
  readonly hub: Hub;
  /** Aborts when the connection has ended. */
  readonly ended: AbortSignal;
  /** Made after the layers, which it sends its own questions through. */
  readonly acquaintance: () => Acquaintance;
}

/** Everything between a client's middleware and its wire. */
export interface Layers {
  readonly exchange: Exchange;
  readonly responses: ResponseCache | undefined;
  /** Requests that are on their way. */
  readonly legs: Leg[];
  readonly setVersion: (version: string) => void;
  readonly setBase: (exchange: Exchange) => void;
}

/** Wraps a wire, from the inside out: deadline, stamp, recheck, tool memory, input rounds, response cache. */
export function buildLayers(settings: LayersSettings): Layers {
  const { wire, tools, options, capabilities, limits, clock, hub, ended, acquaintance } = settings;
  const timeout = options.timeout ?? DEFAULT_TIMEOUT;
  const legs: Leg[] = [];
  const state: StampState = {
    version: MODERN,
    clientInfo: options.clientInfo ?? { name: 'dragoman', version: VERSION },
    capabilities,
    timeout,
    logLevel: options.logLevel,
    onVersion: (version) => acquaintance().versionChanged(version),
  };
  const responses = options.cache === false ? undefined : responseCache(settings, state);
  const resultTypes = new Set(options.resultTypes);
  if (capabilities.extensions?.[TASKS_EXTENSION] !== undefined) resultTypes.add('task');

  let base = wire.observe === undefined ? traceMessages(wire.exchange, hub) : wire.exchange;
  let exchange: Exchange = (request, io) => base(request, io);
  exchange = deadline(exchange, { clock, timeout, target: wire.target, legs });
  exchange = stamp(exchange, state);
  exchange = recheck(exchange, {
    wire,
    isConfirmed: () => acquaintance().confirmed,
    confirm: (result) => acquaintance().confirm(result),
    askAgain: () => acquaintance().askAgain(),
  });
  exchange = toolMemory(exchange, {
    kind: wire.kind,
    tools,
    engine: loadSchemaEngine,
    strict: options.strict ?? false,
    maxPages: limits.pages,
    warn: hub.warn,
    onStale: () => void responses?.clear('tools/list'),
  });
  exchange = inputRounds(exchange, {
    handlers: options.handlers ?? {},
    capabilities,
    limits,
    resultTypes,
    clock,
    target: wire.target,
    identity: wire.identity,
    serverInfo: () => acquaintance().info.serverInfo,
    ended,
    warn: hub.warn,
    callBack: hub.callBack,
    engine: loadSchemaEngine,
  });
  exchange = responses === undefined ? withoutCache(exchange) : responses.layer(exchange);
  return {
    exchange,
    responses,
    legs,
    setVersion: (version) => {
      state.version = version;
    },
    setBase: (other) => {
      base = other;
    },
  };
}

function responseCache({ wire, tools, options, clock, hub }: LayersSettings, state: StampState): ResponseCache {
  return new ResponseCache({
    store: options.cache || new MemoryCache(),
    clock,
    identity: wire.identity,
    // Without a name for its credentials a client shares what is private with nobody.
    credential: options.credential ?? crypto.getRandomValues(new Uint32Array(4)).join('-'),
    storeTimeout: options.storeTimeout ?? STORE_TIMEOUT,
    variant: () => state.version + JSON.stringify(state.capabilities),
    onHit: (request, result) => {
      if (request.method !== 'tools/list') return;
      // Kept by another process: this one has not seen these tools yet.
      for (const tool of (result as unknown as ListToolsResult).tools) {
        if (tools.get(tool.name) === undefined) tools.remember(tool);
      }
    },
    warn: hub.warn,
  });
}

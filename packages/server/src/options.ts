import {
  DragomanError,
  type Icon,
  type Implementation,
  isExtensionId,
  type JsonObject,
  type SchemaEngine,
} from '@dragoman/protocol';
import type { StateOptions } from './input/seal.ts';
import { type CacheHint, checkCacheHint } from './registry/listing.ts';
import type { ErrorHook, WarningHook } from './reports.ts';
import type { Bus } from './subscriptions/bus.ts';
import type { SubscriptionLimits } from './subscriptions/limits.ts';

/** What a server is and how it behaves. */
export interface ServerOptions {
  /** Names the software to programs. */
  readonly name: string;
  /** Of the software, such as `1.2.0`. */
  readonly version: string;
  /** For people. */
  readonly title?: string | undefined;
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** A page about it. */
  readonly websiteUrl?: string | undefined;
  /** Pictures for it, in several sizes or themes. */
  readonly icons?: readonly Icon[] | undefined;
  /** Guidance for a model on how to use this server, beyond what the tools' descriptions say. */
  readonly instructions?: string | undefined;

  /**
   * Which results name the server in their `_meta`: every one (`always`, as basic, "`_meta`" recommends), that of
   * `server/discover` only, or none. Default `always`.
   */
  readonly identify?: 'always' | 'discover' | 'never' | undefined;
  /**
   * Rows on a page of a list at most. Default 1,000: few clients read past the first page unasked, and the page of a
   * thousand is still some hundred kilobytes.
   */
  readonly pageSize?: number | undefined;
  /** How long what the server says of itself may be kept. Default for each: not at all, by nobody else. */
  readonly cache?:
    | {
        readonly discover?: CacheHint | undefined;
        readonly tools?: CacheHint | undefined;
        readonly prompts?: CacheHint | undefined;
        readonly resources?: CacheHint | undefined;
        readonly resourceTemplates?: CacheHint | undefined;
      }
    | undefined;
  /** Whether `ctx.log` sends anything, and the `logging` capability is declared. Default true. */
  readonly logging?: boolean | undefined;
  /** Whether clients can listen for changes of the lists. Default true. */
  readonly listChanged?: boolean | undefined;
  /** Whether clients can listen for changes of single resources. Default true. */
  readonly subscribe?: boolean | undefined;
  /** Extensions that are offered, by identifier, each with its settings (basic/versioning, "Extension Negotiation"). */
  readonly extensions?: { readonly [identifier: string]: JsonObject } | undefined;
  /** Non-standard capabilities by name. */
  readonly experimental?: { readonly [name: string]: JsonObject } | undefined;

  /** How `requestState` is protected: what a call that asks for input sends through the client. */
  readonly requestState?: StateOptions | undefined;
  /** Carries changes between the processes of a fleet. Default: within this process. */
  readonly bus?: Bus | undefined;
  /** Limits of `subscriptions/listen`. */
  readonly subscriptions?: Partial<SubscriptionLimits> | undefined;
  /**
   * Whether a change of `dir/file` also goes to whoever subscribed to `dir`: subscribed URIs then stand for everything
   * below them, by the slashes of the URI. Default false: URIs are compared as they are.
   */
  readonly subResources?: boolean | undefined;
  /** Checks values against JSON Schemas. Default: that of `@dragoman/protocol/json-schema`, loaded when first needed. */
  readonly schemaEngine?: SchemaEngine | undefined;

  /** Hears of what handlers threw and of faults of the server. Default: prints to standard error. */
  readonly onError?: ErrorHook | undefined;
  /** Hears of what was tolerated. Default: prints to standard error. */
  readonly onWarning?: WarningHook | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: (() => number) | undefined;
  /** Fills the bytes at random, unpredictably. Default `crypto.getRandomValues`. */
  readonly random?: ((bytes: Uint8Array<ArrayBuffer>) => void) | undefined;
}

/** @throws DragomanError `INVALID_ARGUMENT`, naming the option and its value. */
export function checkOptions(options: ServerOptions): void {
  for (const member of ['name', 'version'] as const) {
    if (typeof options?.[member] === 'string' && options[member] !== '') continue;
    throw wrong(`${member} must be a non-empty string, got ${JSON.stringify(options?.[member]) ?? 'nothing'}`);
  }
  const { pageSize, identify, requestState } = options;
  if (pageSize !== undefined && !(Number.isSafeInteger(pageSize) && pageSize > 0)) {
    throw wrong(`pageSize must be a positive integer, got ${pageSize}`);
  }
  if (identify !== undefined && !['always', 'discover', 'never'].includes(identify)) {
    throw wrong(`identify must be "always", "discover" or "never", got ${JSON.stringify(identify)}`);
  }
  for (const [list, hint] of Object.entries(options.cache ?? {})) checkCacheHint(`The server's ${list}`, hint);
  for (const id of Object.keys(options.extensions ?? {})) {
    if (!isExtensionId(id))
      throw wrong(
        `extensions: ${JSON.stringify(id)} is no identifier; it needs a reverse-DNS prefix, as in "com.example/name"`,
      );
  }
  for (const member of ['ttlMs', 'maxLength'] as const) {
    const value = requestState?.[member];
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      throw wrong(`requestState.${member} must be a positive integer, got ${value}`);
    }
  }
}

const wrong = (why: string): DragomanError => new DragomanError('INVALID_ARGUMENT', `Server: ${why}`);

/** The server as clients are told of it. */
export function implementationOf(options: ServerOptions): Implementation {
  const { name, version, title, description, websiteUrl, icons } = options;
  return JSON.parse(JSON.stringify({ name, version, title, description, websiteUrl, icons })) as Implementation;
}

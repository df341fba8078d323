import {
  modernRevisions,
  preserialized,
  type Result,
  type ResultMeta,
  type ServerCapabilities,
} from '@dragoman/protocol';
import type { ServerOptions } from '../options.ts';

/** Answers `server/discover`; made and serialised once for each state of the capabilities (server/discover). */
export class Discovery {
  readonly #options: ServerOptions;
  readonly #stamp: ResultMeta | undefined;
  #capabilities: ServerCapabilities | undefined;
  #result: Result | undefined;

  /** @param stamp `_meta` of the result */
  constructor(options: ServerOptions, stamp: ResultMeta | undefined) {
    this.#options = options;
    this.#stamp = stamp;
  }

  result(capabilities: ServerCapabilities): Result {
    if (this.#result === undefined || this.#capabilities !== capabilities) {
      this.#capabilities = capabilities;
      this.#result = preserialized(this.#make(capabilities));
    }
    return this.#result;
  }

  #make(capabilities: ServerCapabilities): Result {
    const { instructions, cache } = this.#options;
    const result: Result = { resultType: 'complete', supportedVersions: [...modernRevisions], capabilities };
    if (instructions !== undefined) result.instructions = instructions;
    result.ttlMs = cache?.discover?.ttlMs ?? 0;
    result.cacheScope = cache?.discover?.scope ?? 'private';
    if (this.#stamp !== undefined) result._meta = this.#stamp;
    return result;
  }
}

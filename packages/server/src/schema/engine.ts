import type { SchemaEngine } from '@dragoman/protocol';

/**
 * The JSON Schema engine, loaded when a JSON Schema is first used to check something: a server whose schemas are all
 * Standard Schemas, and one that is only asked what it offers, never loads it.
 */
export class EngineSource {
  #engine: SchemaEngine | undefined;
  #loading: Promise<SchemaEngine> | undefined;

  constructor(engine?: SchemaEngine) {
    this.#engine = engine;
  }

  /** The engine; a promise only until it is there. */
  get(): SchemaEngine | Promise<SchemaEngine> {
    if (this.#engine !== undefined) return this.#engine;
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<SchemaEngine> {
    try {
      const { engine } = await import('@dragoman/protocol/json-schema');
      this.#engine = engine;
      return engine;
    } finally {
      this.#loading = undefined;
    }
  }
}

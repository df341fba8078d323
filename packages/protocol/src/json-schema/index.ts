export { createEngine, type EngineOptions } from './engine.ts';

import { createEngine } from './engine.ts';
import type { SchemaEngine } from './port.ts';

/** The engine with its defaults: formats are annotations; code is generated for an author's own schemas where `eval` is allowed. */
export const engine: SchemaEngine = /* @__PURE__ */ createEngine();

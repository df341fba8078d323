import { type CacheScope, modernRevisions, type ResultMeta, type ServerCapabilities } from '@dragoman/protocol';
import type { ServerOptions } from '../options.ts';
import type { Admission, AdmittedTool } from '../validation.ts';
import { type CacheHint, Listing, type PageFormat } from './listing.ts';
import type { PromptEntry } from './prompt.ts';
import type { ResourceEntry } from './resource.ts';
import type { ResourceTemplateEntry } from './resource-template.ts';
import type { ToolEntry } from './tool.ts';

/** All that a server offers, and the capabilities that follow from it. */
export class Registry implements Admission {
  readonly versions: readonly string[] = modernRevisions;
  readonly tools: Listing<ToolEntry>;
  readonly prompts: Listing<PromptEntry>;
  readonly resources: Listing<ResourceEntry>;
  readonly resourceTemplates: Listing<ResourceTemplateEntry>;
  readonly #options: ServerOptions;
  #completes = false;
  #capabilities: ServerCapabilities | undefined;

  /** @param stamp `_meta` of the lists' pages */
  constructor(options: ServerOptions, stamp: ResultMeta | undefined) {
    this.#options = options;
    const { cache, pageSize: size = 1000 } = options;
    this.tools = new Listing(pageFormat('tools', size, cache?.tools, stamp));
    this.prompts = new Listing(pageFormat('prompts', size, cache?.prompts, stamp));
    this.resources = new Listing(pageFormat('resources', size, cache?.resources, stamp));
    this.resourceTemplates = new Listing(pageFormat('resourceTemplates', size, cache?.resourceTemplates, stamp));
  }

  /** What is declared to clients. What was offered once stays so: only its list may become empty. */
  get capabilities(): ServerCapabilities {
    this.#capabilities ??= this.#derive();
    return this.#capabilities;
  }

  tool(name: string): AdmittedTool | undefined {
    return this.tools.get(name);
  }

  /** Something was registered. @param completes whether it completes arguments */
  grown(completes: boolean): void {
    this.#completes ||= completes;
    this.#capabilities = undefined;
  }

  #derive(): ServerCapabilities {
    const { listChanged = true, subscribe = true, logging = true, extensions, experimental } = this.#options;
    const capabilities: ServerCapabilities = {};
    if (this.tools.used) capabilities.tools = listChanged ? { listChanged } : {};
    if (this.prompts.used) capabilities.prompts = listChanged ? { listChanged } : {};
    if (this.resources.used || this.resourceTemplates.used) {
      capabilities.resources = {};
      if (listChanged) capabilities.resources.listChanged = true;
      if (subscribe) capabilities.resources.subscribe = true;
    }
    if (this.#completes) capabilities.completions = {};
    if (logging) capabilities.logging = {};
    if (extensions !== undefined) capabilities.extensions = extensions;
    if (experimental !== undefined) capabilities.experimental = experimental;
    return capabilities;
  }
}

function pageFormat(
  member: PageFormat['member'],
  size: number,
  hint: CacheHint | undefined,
  meta: ResultMeta | undefined,
): PageFormat {
  const scope: CacheScope = hint?.scope ?? 'private';
  return { member, size, ttlMs: hint?.ttlMs ?? 0, scope, meta };
}

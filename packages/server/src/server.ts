import {
  type Exchange,
  type ExchangeIO,
  type HeaderLookup,
  type Implementation,
  type McpError,
  type Middleware,
  methodNotFound,
  modernRevisions,
  type Notification,
  type Request,
  type Result,
  type ServerCapabilities,
} from '@dragoman/protocol';
import { Changes } from './changes.ts';
import { Forms } from './input/form.ts';
import { type StateKey, StateSeal } from './input/seal.ts';
import { callTool } from './methods/call-tool.ts';
import { completeArgument } from './methods/complete.ts';
import { Discovery } from './methods/discover.ts';
import { getPrompt } from './methods/get-prompt.ts';
import type { MethodHost } from './methods/host.ts';
import { listPage, listResources } from './methods/list.ts';
import { readResource } from './methods/read-resource.ts';
import { checkOptions, implementationOf, type ServerOptions } from './options.ts';
import { EntryHandle, type Revision } from './registry/handle.ts';
import type { Listed } from './registry/listing.ts';
import { checkFree, checkHandler, checkMirrored, checkToolName } from './registry/names.ts';
import {
  compilePrompt,
  type PromptArguments,
  type PromptDefinition,
  type PromptEntry,
  type PromptHandle,
  type PromptHandler,
} from './registry/prompt.ts';
import { Registry } from './registry/registry.ts';
import {
  compileResource,
  type ResourceChanges,
  type ResourceDefinition,
  type ResourceEntry,
  type ResourceHandle,
  type ResourceHandler,
} from './registry/resource.ts';
import {
  compileResourceTemplate,
  type ResourceTemplateDefinition,
  type ResourceTemplateEntry,
  type ResourceTemplateHandle,
  type ResourceTemplateHandler,
} from './registry/resource-template.ts';
import {
  compileTool,
  type ToolDefinition,
  type ToolEntry,
  type ToolHandle,
  type ToolHandler,
} from './registry/tool.ts';
import { Reports } from './reports.ts';
import { stamped, stampOf } from './results.ts';
import type { AnySchema } from './schema/check.ts';
import { EngineSource } from './schema/engine.ts';
import { warnOfSlowPatterns } from './schema/slow-patterns.ts';
import { spreadable } from './spreadable.ts';
import { Subscriptions } from './subscriptions/subscriptions.ts';
import { validate } from './validation.ts';

/**
 * A server: what it offers is registered once and then answers requests from any number of clients and connections at
 * once. It holds nothing of any request (basic, "Statelessness"). A wire such as `serveHttp` or `serveStdio` puts it where
 * clients are; {@link Server.exchange} answers them in this process.
 *
 * ```ts
 * const server = new Server({ name: 'clock', version: '1.0.0' });
 * server.tool('now', { description: 'The time in UTC' }, () => new Date().toISOString());
 * await serveHttp(server, { port: 3000 });
 * ```
 */
export class Server {
  /** Who the server says it is. */
  readonly info: Implementation;
  /** Revisions that requests may be written in. */
  readonly versions: readonly string[] = modernRevisions;
  /** Tells listeners of changes that the server cannot see by itself. */
  readonly changed: Changes;
  /** Answers a request that did not come over a wire: the checks, then the answer. */
  readonly exchange: Exchange;
  /** The hooks of the options, for what the wires have to tell. */
  readonly reports: Reports;
  readonly #registry: Registry;
  readonly #host: MethodHost & { readonly seal: StateSeal };
  readonly #engines: EngineSource;
  readonly #discovery: Discovery;
  readonly #subscriptions: Subscriptions;
  readonly #core: Exchange = (request, io) => this.#route(request, io);
  readonly #middleware: { readonly middleware: Middleware }[] = [];
  #answer: Exchange = this.#core;

  /** @throws DragomanError `INVALID_ARGUMENT`, naming the option and its value. */
  constructor(options: ServerOptions) {
    checkOptions(options);
    const { identify = 'always', logging = true, clock = Date.now, random = secureRandom } = options;
    const reports = new Reports(options.onError, options.onWarning);
    this.reports = reports;
    this.info = implementationOf(options);
    const stamp = stampOf(this.info);
    const everywhere = identify === 'always' ? stamp : undefined;
    this.#engines = new EngineSource(options.schemaEngine);
    this.#registry = new Registry(options, everywhere);
    this.#discovery = new Discovery(options, identify === 'never' ? undefined : stamp);
    const seal = new StateSeal(options.requestState ?? {}, { clock, random, reports });
    this.#host = { reports, seal, logging, stamp: everywhere, forms: new Forms(this.#engines, reports) };
    this.#subscriptions = new Subscriptions({
      capabilities: () => this.capabilities,
      bus: options.bus,
      limits: options.subscriptions,
      subResources: options.subResources,
    });
    this.changed = new Changes((event) => {
      try {
        this.#subscriptions.publish(event);
      } catch (error) {
        reports.error(error);
      }
    });
    this.exchange = (request, io) => {
      const refused = this.admit(request);
      return refused === undefined ? this.dispatch(request, io) : Promise.reject(refused);
    };
  }

  /** What the server declares, as it follows from what is registered. */
  get capabilities(): ServerCapabilities {
    return this.#registry.capabilities;
  }

  /**
   * Registers a tool (server/tools).
   *
   * @throws DragomanError `INVALID_ARGUMENT` for a name that is taken, `INVALID_SCHEMA` for a schema that cannot be used or
   * an invalid `x-mcp-header`
   */
  tool<const In extends AnySchema | undefined = undefined, const Out extends AnySchema | undefined = undefined>(
    name: string,
    definition: ToolDefinition<In, Out>,
    handler: ToolHandler<In, Out>,
  ): ToolHandle {
    const { tools } = this.#registry;
    checkFree('Tool', name, tools);
    checkHandler('Tool', name, handler);
    checkToolName(name, this.#host.reports);
    const entry = compileTool(name, tools.nextPlace(), definition, handler as ToolEntry['handler'], this.#engines);
    checkMirrored(name, entry.headers, this.#host.reports);
    warnOfSlowPatterns(`Tool ${JSON.stringify(name)}`, entry.input, this.#host.reports);
    return this.#register(entry, {
      listing: tools,
      announce: () => this.changed.tools(),
      compile: ({ key, place, definition, handler }, changes) =>
        compileTool(
          key,
          place,
          { ...definition, ...changes },
          (changes.handler as ToolEntry['handler']) ?? handler,
          this.#engines,
        ),
    });
  }

  /**
   * Registers a prompt (server/prompts).
   *
   * @throws DragomanError `INVALID_ARGUMENT` for a name that is taken, `INVALID_SCHEMA` for a schema that cannot be used
   */
  prompt<const Args extends PromptArguments | undefined = undefined>(
    name: string,
    definition: PromptDefinition<Args>,
    handler: PromptHandler<Args>,
  ): PromptHandle {
    const { prompts } = this.#registry;
    checkFree('Prompt', name, prompts);
    checkHandler('Prompt', name, handler);
    const entry = compilePrompt(
      name,
      prompts.nextPlace(),
      definition,
      handler as PromptEntry['handler'],
      this.#engines,
    );
    warnOfSlowPatterns(`Prompt ${JSON.stringify(name)}`, entry.input, this.#host.reports);
    return this.#register(entry, {
      listing: prompts,
      announce: () => this.changed.prompts(),
      compile: ({ key, place, definition, handler }, changes) =>
        compilePrompt(
          key,
          place,
          { ...definition, ...changes },
          (changes.handler as PromptEntry['handler']) ?? handler,
          this.#engines,
        ),
    });
  }

  /**
   * Registers a resource under a URI, by whose very text it is read (server/resources).
   *
   * @throws DragomanError `INVALID_ARGUMENT` for a URI that is taken or none
   */
  resource(uri: string, definition: ResourceDefinition, handler: ResourceHandler): ResourceHandle {
    const { resources } = this.#registry;
    checkFree('Resource', uri, resources);
    checkHandler('Resource', uri, handler);
    const entry = compileResource(uri, resources.nextPlace(), definition, handler);
    const handle = this.#register<ResourceEntry, ResourceChanges>(entry, {
      listing: resources,
      announce: () => this.changed.resources(),
      compile: ({ key, place, definition, handler }, changes) =>
        compileResource(key, place, { ...definition, ...changes }, changes.handler ?? handler),
    });
    return Object.assign(handle, { changed: () => this.changed.resource(uri) });
  }

  /**
   * Registers a pattern of URIs (server/resources, "Resource Templates"; RFC 6570).
   *
   * @throws DragomanError `INVALID_ARGUMENT` for a template that is taken or cannot be used
   */
  resourceTemplate<const T extends string>(
    template: T,
    definition: ResourceTemplateDefinition,
    handler: ResourceTemplateHandler<T>,
  ): ResourceTemplateHandle {
    const { resourceTemplates } = this.#registry;
    checkFree('Resource template', template, resourceTemplates);
    checkHandler('Resource template', template, handler);
    const entry = compileResourceTemplate(
      template,
      resourceTemplates.nextPlace(),
      definition,
      handler as ResourceTemplateEntry['handler'],
    );
    return this.#register(entry, {
      listing: resourceTemplates,
      announce: () => this.changed.resources(),
      compile: ({ key, place, definition, handler }, changes) =>
        compileResourceTemplate(
          key,
          place,
          { ...definition, ...changes },
          (changes.handler as ResourceTemplateEntry['handler']) ?? handler,
        ),
    });
  }

  #register<E extends Listed & { readonly definition: object }, Changes>(
    entry: E,
    revision: Revision<E, Changes>,
  ): EntryHandle<E, Changes> {
    const registry = this.#registry;
    revision.listing.set(entry);
    registry.grown(hasCompleters(entry.definition));
    revision.announce();
    const compile: typeof revision.compile = (before, changes) => {
      const after = revision.compile(before, changes);
      registry.grown(hasCompleters(after.definition));
      return after;
    };
    return new EntryHandle({ ...revision, compile }, entry);
  }

  /**
   * Checks a request before it is dispatched: version, `_meta`, headers, method, capabilities and the shape of its
   * parameters, in the order of `validate`.
   *
   * @param headers looks HTTP headers up by lower-case name; only for wires that mirror the body in headers
   * @returns the error that answers the request, or undefined
   */
  admit(request: Request, headers?: HeaderLookup): McpError | undefined {
    return validate(this.#registry, request, headers);
  }

  /** Answers a request that was admitted. Rejects with an McpError where the answer is an error. */
  dispatch(request: Request, io: ExchangeIO): Promise<Result> {
    return this.#answer(request, io);
  }

  /** Takes a notification that a wire has no use for. In 2026-07-28 there is none that a server has to heed. */
  receive(_notification: Notification): void {}

  /**
   * Puts something round every answer from now on: policy, tracing, limits. What is added first is outermost. It sees
   * requests that were admitted, and results that may be frozen: copy what you change.
   *
   * @returns takes the middleware out again
   */
  use(middleware: Middleware): () => void {
    // The same function may be put in twice, and either be taken out.
    const entry = { middleware };
    this.#middleware.push(entry);
    try {
      this.#answer = this.#wrap();
    } catch (reason) {
      this.#middleware.pop();
      throw reason;
    }
    return () => {
      const at = this.#middleware.indexOf(entry);
      if (at < 0) return;
      this.#middleware.splice(at, 1);
      this.#answer = this.#wrap();
    };
  }

  #wrap(): Exchange {
    if (this.#middleware.length === 0) return this.#core;
    const wrapped = this.#middleware.reduceRight((exchange, { middleware }) => middleware(exchange), this.#core);
    // What is no promise, or is thrown at once, is an answer and a refusal like any other.
    return (request, io) => {
      try {
        return Promise.resolve(wrapped(request, spreadable(io)));
      } catch (reason) {
        return Promise.reject(reason);
      }
    };
  }

  /**
   * Puts another key ring in place for `requestState`: the first key seals, all of them open.
   *
   * @throws DragomanError `INVALID_ARGUMENT`
   */
  useStateKeys(keys: readonly StateKey[]): void {
    this.#host.seal.use(keys);
  }

  /** Ends every `subscriptions/listen` stream with a result, and opens no more. Everything else goes on. */
  close(): void {
    this.#subscriptions.close();
  }

  async #route(request: Request, io: ExchangeIO): Promise<Result> {
    const registry = this.#registry;
    switch (request.method) {
      case 'tools/call':
        return callTool(this.#host, registry.tools, request, io);
      case 'tools/list':
        return listPage(registry.tools, request);
      case 'resources/read':
        return readResource(this.#host, registry, request, io);
      case 'resources/list':
        return listResources(this.#host, registry, request, io);
      case 'resources/templates/list':
        return listPage(registry.resourceTemplates, request);
      case 'prompts/get':
        return getPrompt(this.#host, registry.prompts, request, io);
      case 'prompts/list':
        return listPage(registry.prompts, request);
      case 'completion/complete':
        return completeArgument(this.#host, registry, request, io);
      case 'server/discover':
        return this.#discovery.result(registry.capabilities);
      case 'subscriptions/listen':
        // Not awaited: what this function keeps would be kept by every open stream.
        return this.#subscriptions.listen(request, io).then((result) => stamped(result, this.#host.stamp));
      default:
        throw methodNotFound(request.method);
    }
  }
}

const hasCompleters = (definition: { readonly complete?: object }): boolean =>
  Object.keys(definition.complete ?? {}).length > 0;

function secureRandom(bytes: Uint8Array<ArrayBuffer>): void {
  crypto.getRandomValues(bytes);
}

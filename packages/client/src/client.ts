import {
  type CallToolResult,
  type CompleteRequestParams,
  type CompleteResult,
  checkParams,
  type DiscoverResult,
  DragomanError,
  type Exchange,
  type GetPromptResult,
  type InputResponses,
  type JsonObject,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListToolsResult,
  type MethodName,
  type Middleware,
  type ParamsOf,
  type Prompt,
  type ReadResourceResult,
  type Request,
  type RequestParams,
  type Resource,
  type ResourceTemplate,
  type Result,
  type ResultOf,
  type SubscriptionFilter,
  show,
  type Tool,
} from '@dragoman/protocol';
import { Acquaintance, type ServerInfo } from './acquaintance.ts';
import { Calls } from './calls.ts';
import { checkDuration, checkWait } from './check-options.ts';
import { type Clock, systemClock } from './clock.ts';
import type { ClientEvents } from './events.ts';
import { Hub } from './hub.ts';
import { type Continuation, type InputRequired, resumed } from './input/continuation.ts';
import { declaredCapabilities } from './input/handlers.ts';
import { never } from './io.ts';
import { isStaleCursor, type ResponseCache } from './layers/cache.ts';
import { nameOf } from './layers/deadline.ts';
import { buildLayers } from './layers/layers.ts';
import { ToolIndex } from './layers/tool-index.ts';
import { type CallOptions, type ClientLimits, type ClientOptions, completeLimits, STORE_TIMEOUT } from './options.ts';
import { type Page, type Walk, walk, walkAll } from './pages.ts';
import { type ListenOptions, Subscription } from './subscriptions/subscription.ts';
import { processVerdicts } from './verdicts.ts';
import { closedHere } from './wires/outcomes.ts';
import type { CloseReason, Wire } from './wires/wire.ts';

/** What a call returns: questions in place of the result only where `onInputRequired` may say `return`. */
export type Answer<R, A extends WhenAsked> = 'return' extends A ? R | InputRequired : R;

/** Where to go on in a paged list; nothing for its first page. */
export interface PageParams {
  /** A `nextCursor`, as it came. */
  cursor?: string | undefined;
}

/** What `onInputRequired` may say. */
export type WhenAsked = 'handle' | 'return';

/** Options of a call whose `onInputRequired` is known. Only that is inferred, so that callbacks keep their types. */
export type OptionsOf<A extends WhenAsked> = CallOptions & { readonly onInputRequired?: A | undefined };

/**
 * A client of one server. Made by {@link connect}; the constructor takes a wire as it is and sends nothing.
 *
 * Every call rejects with an `McpError` that the server answered with, or a `DragomanError` for what went wrong on this
 * side: among others `TIMEOUT`, `ABORTED`, `CONNECTION_CLOSED`, `INPUT_REQUIRED`, `INPUT_LOOP`, `PROTOCOL_VIOLATION`.
 */
export class Client {
  /** Resolves to the reason when the connection has ended. Never rejects. */
  readonly closed: Promise<CloseReason>;
  /** What is kept of this server's results (server/utilities/caching). */
  readonly cache: {
    /** Drops what is kept, of one method or of all. */
    clear(method?: MethodName): Promise<void>;
  };
  readonly #wire: Wire;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #limits: ClientLimits;
  readonly #hub: Hub;
  readonly #calls: Calls;
  readonly #responses: ResponseCache | undefined;
  readonly #acquaintance: Acquaintance;
  readonly #subscriptions = new Set<Subscription>();
  /** Aborts when the connection has ended, and with it whatever nobody else ends. */
  readonly #ended = new AbortController();
  #closing: Promise<void> | undefined;

  /**
   * @param tools what an HTTP wire mirrors arguments by: the object that it was given
   * @throws DragomanError `INVALID_ARGUMENT` for an option that cannot be
   */
  constructor(wire: Wire, options: ClientOptions = {}, tools: ToolIndex = new ToolIndex()) {
    checkDuration('timeout', options.timeout);
    checkDuration('startTimeout', options.startTimeout);
    checkDuration('storeTimeout', options.storeTimeout);
    checkWait('maxTime', options.maxTime);
    this.#wire = wire;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#limits = completeLimits(options.limits);
    this.#hub = new Hub(wire, this.#clock);
    this.closed = this.#hub.closed;
    const layers = buildLayers({
      wire,
      tools,
      options,
      capabilities: Object.freeze(declaredCapabilities(options.handlers, options.capabilities)),
      limits: this.#limits,
      clock: this.#clock,
      hub: this.#hub,
      ended: this.#ended.signal,
      acquaintance: () => this.#acquaintance,
    });
    this.#responses = layers.responses;
    this.cache = { clear: async (method) => layers.responses?.clear(method) };
    this.#acquaintance = new Acquaintance(layers.exchange, {
      wire,
      clock: this.#clock,
      verdicts: options.verdicts ?? processVerdicts,
      ask: options.era !== 'modern',
      maxTime: options.maxTime ?? 0,
      storeTimeout: options.storeTimeout ?? STORE_TIMEOUT,
      startTimeout: wire.kind === 'stdio' || wire.kind === 'stream' ? (options.startTimeout ?? 60_000) : undefined,
      legacyAdapter: options.legacyAdapter,
      warn: this.#hub.warn,
      setVersion: layers.setVersion,
      setBase: layers.setBase,
    });
    this.#calls = new Calls({
      core: layers.exchange,
      middleware: options.middleware,
      clock: this.#clock,
      maxTime: options.maxTime ?? 0,
      onLog: options.onLog,
      hub: this.#hub,
      legs: layers.legs,
      target: wire.target,
    });
    if (options.onWarning !== undefined) this.#hub.on('warning', options.onWarning);
    if (options.onTrace !== undefined) this.#hub.on('trace', options.onTrace);
    if (options.onStderr !== undefined) this.#hub.on('stderr', options.onStderr);
    this.#hub.start();
    void this.closed.then(({ by, error }) => {
      this.#ended.abort(error ?? closedHere(wire.target));
      for (const subscription of [...this.#subscriptions]) subscription.wireClosed(by);
    });
  }

  /** What is known of the server so far. A new object whenever that changes. */
  get info(): ServerInfo {
    return this.#acquaintance.info;
  }

  /**
   * This client as an exchange, with everything that is wrapped around its wire: for a gateway, a recorder, or whoever
   * needs the parts. Requests need no `_meta`; what they have of it wins.
   */
  get exchange(): Exchange {
    return this.#calls.exchange;
  }

  /**
   * Finds out what the server is, where that is neither remembered nor assumed: one `server/discover`. `connect` has done
   * it.
   *
   * @throws DragomanError `LEGACY_SERVER`, `VERSION_MISMATCH`, or whatever kept the server from answering.
   */
  meet(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#acquaintance.meet(options.signal ?? never);
  }

  /** Asks what the server speaks and offers (server/discover). */
  async discover(options?: CallOptions): Promise<DiscoverResult> {
    const result = (await this.#call('server/discover', {}, options)) as DiscoverResult;
    this.#acquaintance.discovered(result);
    return result;
  }

  /** One page of the tools (server/tools, "Listing Tools"). Those that cannot be used are left out with a warning each. */
  listTools(params: PageParams = {}, options?: CallOptions): Promise<ListToolsResult> {
    return this.#call('tools/list', params, options) as Promise<ListToolsResult>;
  }

  /** All tools, page after page, each name once. */
  listAllTools(options?: CallOptions): Promise<Tool[]> {
    return walkAll(this.#walk<Tool>('tools/list', 'tools', nameKey, options));
  }

  /** The tools one by one; the next page is asked for when it is needed. */
  tools(options?: CallOptions): AsyncGenerator<Tool, void, undefined> {
    return walk(this.#walk<Tool>('tools/list', 'tools', nameKey, options));
  }

  /** One page of the resources (server/resources, "Listing Resources"). */
  listResources(params: PageParams = {}, options?: CallOptions): Promise<ListResourcesResult> {
    return this.#call('resources/list', params, options) as Promise<ListResourcesResult>;
  }

  /** All resources, page after page, each URI once. */
  listAllResources(options?: CallOptions): Promise<Resource[]> {
    return walkAll(this.#walk<Resource>('resources/list', 'resources', uriKey, options));
  }

  /** The resources one by one; the next page is asked for when it is needed. */
  resources(options?: CallOptions): AsyncGenerator<Resource, void, undefined> {
    return walk(this.#walk<Resource>('resources/list', 'resources', uriKey, options));
  }

  /** One page of the resource templates (server/resources, "Resource Templates"). */
  listResourceTemplates(params: PageParams = {}, options?: CallOptions): Promise<ListResourceTemplatesResult> {
    return this.#call('resources/templates/list', params, options) as Promise<ListResourceTemplatesResult>;
  }

  /** All resource templates, page after page, each once. */
  listAllResourceTemplates(options?: CallOptions): Promise<ResourceTemplate[]> {
    return walkAll(this.#walk<ResourceTemplate>('resources/templates/list', 'resourceTemplates', templateKey, options));
  }

  /** The resource templates one by one; the next page is asked for when it is needed. */
  resourceTemplates(options?: CallOptions): AsyncGenerator<ResourceTemplate, void, undefined> {
    return walk(this.#walk<ResourceTemplate>('resources/templates/list', 'resourceTemplates', templateKey, options));
  }

  /** One page of the prompts (server/prompts, "Listing Prompts"). */
  listPrompts(params: PageParams = {}, options?: CallOptions): Promise<ListPromptsResult> {
    return this.#call('prompts/list', params, options) as Promise<ListPromptsResult>;
  }

  /** All prompts, page after page, each name once. */
  listAllPrompts(options?: CallOptions): Promise<Prompt[]> {
    return walkAll(this.#walk<Prompt>('prompts/list', 'prompts', nameKey, options));
  }

  /** The prompts one by one; the next page is asked for when it is needed. */
  prompts(options?: CallOptions): AsyncGenerator<Prompt, void, undefined> {
    return walk(this.#walk<Prompt>('prompts/list', 'prompts', nameKey, options));
  }

  /**
   * Calls a tool (server/tools, "Calling Tools"). A tool that fails returns a result with `isError`. Structured output is
   * held against the tool's `outputSchema` where the tool was listed before.
   */
  callTool<A extends WhenAsked = 'handle'>(
    name: string,
    args?: JsonObject,
    options?: OptionsOf<A>,
  ): Promise<Answer<CallToolResult, A>> {
    const params = args === undefined ? { name } : { name, arguments: args };
    return this.#call('tools/call', params, options) as Promise<Answer<CallToolResult, A>>;
  }

  /** Reads a resource (server/resources, "Reading Resources"). The URI goes out exactly as it is given. */
  readResource<A extends WhenAsked = 'handle'>(
    uri: string,
    options?: OptionsOf<A>,
  ): Promise<Answer<ReadResourceResult, A>> {
    return this.#call('resources/read', { uri }, options) as Promise<Answer<ReadResourceResult, A>>;
  }

  /** Gets a prompt (server/prompts, "Getting a Prompt"). */
  getPrompt<A extends WhenAsked = 'handle'>(
    name: string,
    args?: { [argument: string]: string },
    options?: OptionsOf<A>,
  ): Promise<Answer<GetPromptResult, A>> {
    const params = args === undefined ? { name } : { name, arguments: args };
    return this.#call('prompts/get', params, options) as Promise<Answer<GetPromptResult, A>>;
  }

  /**
   * Asks how an argument of a prompt or resource template may go on (server/utilities/completion).
   *
   * @param context arguments that are settled already
   */
  complete(
    ref: CompleteRequestParams['ref'],
    argument: CompleteRequestParams['argument'],
    context?: { [argument: string]: string },
    options?: CallOptions,
  ): Promise<CompleteResult> {
    const params = context === undefined ? { ref, argument } : { ref, argument, context: { arguments: context } };
    return this.#call('completion/complete', params, options) as Promise<CompleteResult>;
  }

  /**
   * Opens a stream of changes (basic/patterns/subscriptions) and resolves when the server has acknowledged it. Whatever
   * changed is forgotten by this client's cache before the event is handed over.
   *
   * @throws McpError where the server refuses; DragomanError `TIMEOUT` where it does not acknowledge in time.
   */
  async listen(filter: SubscriptionFilter, options: ListenOptions = {}): Promise<Subscription> {
    const request: Request = { method: 'subscriptions/listen', params: { notifications: filter } };
    const problem = checkParams(request.method, request.params);
    if (problem !== undefined) throw wrongParams(request, problem);
    const subscription = new Subscription(filter, options, {
      exchange: this.#calls.exchange,
      wire: this.#wire,
      clock: this.#clock,
      random: this.#random,
      maxBuffered: this.#limits.bufferedEvents,
      maxBytes: this.#limits.bufferedBytes,
      responses: this.#responses,
      hub: this.#hub,
    });
    this.#subscriptions.add(subscription);
    void subscription.closed.then(() => this.#subscriptions.delete(subscription));
    await subscription.opened;
    return subscription;
  }

  /**
   * Sends any request, extensions and unknown methods too. Parameters go out as they are given, unchecked; the result
   * comes back as it came.
   */
  request<M extends MethodName, A extends WhenAsked = 'handle'>(
    method: M,
    params: ParamsOf<M>,
    options?: OptionsOf<A>,
  ): Promise<Answer<ResultOf<M>, A>>;
  request(method: string, params?: JsonObject, options?: CallOptions): Promise<Result>;
  request(method: string, params: object = {}, options?: CallOptions): Promise<Result> {
    if (typeof method !== 'string' || typeof params !== 'object' || (params as object | null) === null) {
      const what = `a request needs a method and an object of parameters, not ${show(method)} and ${show(params)}`;
      return Promise.reject(new DragomanError('INVALID_ARGUMENT', `Nothing was sent: ${what}`));
    }
    return this.#calls.send({ method, params: params as RequestParams }, options);
  }

  /**
   * Goes on with a call that waits for input, from a continuation that may be from another time or process
   * (basic/patterns/mrtr). `inputResponses` answers every question of it, by the same keys; leave it out where there is
   * none.
   *
   * @throws DragomanError `INVALID_ARGUMENT` where the continuation is another server's, or an answer is missing or wrong.
   */
  async resume<A extends WhenAsked = 'handle'>(
    continuation: Continuation,
    inputResponses?: InputResponses,
    options?: OptionsOf<A>,
  ): Promise<Answer<CallToolResult | GetPromptResult | ReadResourceResult, A>> {
    const request = await resumed(continuation, inputResponses ?? {}, this.#wire.identity);
    return this.#calls.send(request, options) as Promise<
      Answer<CallToolResult | GetPromptResult | ReadResourceResult, A>
    >;
  }

  /**
   * Wraps every request from now on, listen requests included. What is added first is outermost. A middleware that changes
   * `io` hands on `{ ...io, … }`, so that the call's options reach the layers below.
   *
   * @returns takes the middleware out again
   */
  use(middleware: Middleware): () => void {
    return this.#calls.use(middleware);
  }

  /**
   * Listens to what happens besides answers.
   *
   * @returns stops listening
   */
  on<E extends keyof ClientEvents>(event: E, listener: (event: ClientEvents[E]) => void): () => void {
    return this.#hub.on(event, listener);
  }

  /** Ends everything that is under way with `CONNECTION_CLOSED` and closes the wire. Idempotent; never rejects. */
  close(): Promise<void> {
    if (this.#closing === undefined) {
      for (const subscription of [...this.#subscriptions]) void subscription.close();
      this.#calls.close();
      this.#ended.abort(closedHere(this.#wire.target));
      this.#closing = this.#closeWire();
    }
    return this.#closing;
  }

  async #closeWire(): Promise<void> {
    try {
      await this.#wire.close();
    } catch (cause) {
      // A wire of the user's that breaks its word.
      const message = `The wire to ${this.#wire.target} could not be closed: ${cause instanceof Error ? cause.message : String(cause)}`;
      this.#hub.warn({ kind: 'callback-failed', message, details: { cause } });
    }
  }

  /** {@link close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** A call whose parameters this client makes: what it sends is right. */
  #call(method: MethodName, params: object, options: CallOptions | undefined): Promise<Result> {
    const request: Request = { method, params: params as RequestParams };
    const problem = checkParams(method, params);
    if (problem !== undefined) return Promise.reject(wrongParams(request, problem));
    return this.#calls.send(request, options);
  }

  #walk<T>(method: MethodName, member: string, key: (item: T) => string, options: CallOptions | undefined): Walk<T> {
    return {
      method,
      maxPages: this.#limits.pages,
      key,
      page: async (cursor, afresh): Promise<Page<T>> => {
        let kept = false;
        const pageOptions: CallOptions = {
          ...options,
          onReply: (info) => {
            kept = info.cache?.status === 'hit';
            options?.onReply?.(info);
          },
        };
        if (afresh && (options?.cache ?? 'default') === 'default') pageOptions.cache = 'refresh';
        const result = await this.#call(method, cursor === undefined ? {} : { cursor }, pageOptions);
        return { items: result[member] as T[], nextCursor: result.nextCursor, kept };
      },
      isStale: (cursor, reason) => isStaleCursor({ params: { cursor } }, reason),
      warn: this.#hub.warn,
    };
  }
}

const nameKey = (item: { name: string }): string => item.name;
const uriKey = (item: { uri: string }): string => item.uri;
const templateKey = (item: { uriTemplate: string }): string => item.uriTemplate;

const wrongParams = (request: Request, problem: string): DragomanError =>
  new DragomanError('INVALID_ARGUMENT', `${nameOf(request)} was not sent: ${problem}`);

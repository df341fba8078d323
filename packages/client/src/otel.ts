import { DragomanError, McpError, type Middleware, type Request, type RequestMeta } from '@dragoman/protocol';
import type { ServerInfo } from './acquaintance.ts';

/** The part of a tracer of `@opentelemetry/api` that is used. */
export interface OtelTracer {
  /** Begins a span for a call. `kind` 2 is a client's. */
  startSpan(name: string, options?: { kind?: number; attributes?: { [key: string]: string | number } }): OtelSpan;
}

/** The part of a span of `@opentelemetry/api` that is used. */
export interface OtelSpan {
  /** Adds an attribute of the semantic conventions for MCP. */
  setAttribute(key: string, value: string | number): unknown;
  /** `code` 2 is an error. */
  setStatus(status: { code: number; message?: string }): unknown;
  /** What goes into `traceparent` and `tracestate` of the request. */
  spanContext(): {
    traceId: string;
    spanId: string;
    traceFlags: number;
    traceState?: { serialize(): string } | undefined;
  };
  /** The call is over. */
  end(): void;
}

/** What can be said about tracing with OpenTelemetry. */
export interface OtelOptions {
  /** What is known of the server, for the attributes that name it: `() => client.info`. */
  readonly info?: (() => ServerInfo) | undefined;
  /**
   * Puts the context of a span into a request's `_meta`, by propagators of your own. Default: `traceparent` and
   * `tracestate` (W3C Trace Context).
   */
  readonly inject?: ((span: OtelSpan, meta: RequestMeta) => void) | undefined;
}

/** `SpanKind.CLIENT` of `@opentelemetry/api`. */
const CLIENT = 2;
/** `SpanStatusCode.ERROR` of `@opentelemetry/api`. */
const ERROR = 2;

/**
 * A span for every call, by the semantic conventions of OpenTelemetry for MCP, whose context travels in the request's
 * `_meta` (basic, "`_meta`"; SEP-414). Arguments and results are not recorded. A subscription's span ends with its
 * acknowledgement.
 *
 * ```ts
 * import { trace } from '@opentelemetry/api';
 * client.use(otel(trace.getTracer('my-app'), { info: () => client.info }));
 * ```
 */
export function otel(tracer: OtelTracer, options: OtelOptions = {}): Middleware {
  const inject = options.inject ?? injectW3c;
  return (exchange) => async (request, io) => {
    const span = tracer.startSpan(spanName(request), {
      kind: CLIENT,
      attributes: attributes(request, options.info?.()),
    });
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      span.end();
    };
    const meta: RequestMeta = { ...request.params._meta };
    inject(span, meta);
    const inner =
      request.method === 'subscriptions/listen'
        ? {
            ...io,
            notify: (notification: Parameters<typeof io.notify>[0]) => {
              end();
              io.notify(notification);
            },
          }
        : io;
    try {
      const result = await exchange({ method: request.method, params: { ...request.params, _meta: meta } }, inner);
      if (result.isError === true) fail(span, 'tool_error', undefined);
      return result;
    } catch (reason) {
      if (reason instanceof McpError) span.setAttribute('rpc.response.status_code', String(reason.code));
      fail(span, errorType(reason), reason instanceof Error ? reason.message : undefined);
      throw reason;
    } finally {
      end();
    }
  };
}

/** `{mcp.method.name} {target}`, where the target is one of few: a tool or a prompt, never a URI. */
function spanName({ method, params }: Request): string {
  const named = method === 'tools/call' || method === 'prompts/get';
  return named && typeof params.name === 'string' ? `${method} ${params.name}` : method;
}

function attributes({ method, params }: Request, info: ServerInfo | undefined): { [key: string]: string | number } {
  const all: { [key: string]: string | number } = { 'mcp.method.name': method };
  if (method === 'tools/call') {
    all['gen_ai.operation.name'] = 'execute_tool';
    if (typeof params.name === 'string') all['gen_ai.tool.name'] = params.name;
  } else if (method === 'prompts/get') {
    if (typeof params.name === 'string') all['gen_ai.prompt.name'] = params.name;
  } else if (method === 'resources/read' && typeof params.uri === 'string') {
    all['mcp.resource.uri'] = params.uri;
  }
  if (info === undefined) return all;
  all['mcp.protocol.version'] = info.version;
  if (info.kind === 'stdio') all['network.transport'] = 'pipe';
  if (info.kind !== 'http' || !URL.canParse(info.target)) return all;
  const url = new URL(info.target);
  all['network.transport'] = 'tcp';
  all['network.protocol.name'] = 'http';
  all['server.address'] = url.hostname;
  all['server.port'] = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return all;
}

function fail(span: OtelSpan, type: string, message: string | undefined): void {
  span.setAttribute('error.type', type);
  span.setStatus(message === undefined ? { code: ERROR } : { code: ERROR, message });
}

function errorType(reason: unknown): string {
  if (reason instanceof McpError) return String(reason.code);
  if (reason instanceof DragomanError) return reason.code === 'TIMEOUT' ? 'timeout' : reason.code;
  return reason instanceof Error ? reason.name : '_OTHER';
}

function injectW3c(span: OtelSpan, meta: RequestMeta): void {
  // Whoever put one in by hand knows better.
  if (meta.traceparent !== undefined) return;
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  // A tracer that does not record hands out spans of zeros.
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return;
  meta.traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  const state = traceState?.serialize();
  if (state !== undefined && state !== '') meta.tracestate = state;
}

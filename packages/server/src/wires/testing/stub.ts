import {
  checkStandardHeaders,
  checkVersionHeader,
  type ExchangeIO,
  type HeaderLookup,
  headerMismatch,
  invalidParams,
  isModern,
  McpError,
  MetaKey,
  methodNotFound,
  modernRevisions,
  type Notification,
  type Request,
  type Result,
  unsupportedVersion,
} from '@dragoman/protocol';
import { Reports, type Warning } from '../../reports.ts';
import type { SubscriptionLimits } from '../../subscriptions/limits.ts';
import { Subscriptions } from '../../subscriptions/subscriptions.ts';
import type { Served } from '../served.ts';

/** A tool of the stub. */
export type StubTool = (
  args: { [name: string]: unknown },
  io: ExchangeIO,
  request: Request,
) => Promise<Result> | Result;

/** The least that a wire takes for a server: enough to see what the wire does, without an engine behind it. */
export class Stub implements Served {
  readonly tools = new Map<string, StubTool>([['echo', (args) => text(String(args.text))]]);
  readonly warnings: Warning[] = [];
  readonly errors: unknown[] = [];
  readonly received: Notification[] = [];
  readonly reports = new Reports(
    (error) => this.errors.push(error),
    (warning) => this.warnings.push(warning),
  );
  readonly subscriptions: Subscriptions;

  constructor(limits: Partial<SubscriptionLimits> = {}) {
    const capabilities = () => ({ tools: { listChanged: true }, resources: { subscribe: true } });
    this.subscriptions = new Subscriptions({ capabilities, limits });
  }

  admit(request: Request, headers?: HeaderLookup): McpError | undefined {
    const wrongVersion = headers && checkVersionHeader(request, headers);
    if (wrongVersion !== undefined) return headerMismatch(wrongVersion);
    const version = request.params?._meta?.[MetaKey.protocolVersion];
    if (typeof version !== 'string') {
      return new McpError(-32602, 'protocolVersion is missing in _meta', { httpStatus: 400 });
    }
    if (!isModern(version)) return unsupportedVersion(version, modernRevisions);
    const wrong = headers && checkStandardHeaders(request, headers);
    if (wrong !== undefined) return headerMismatch(wrong);
    return ['tools/call', 'subscriptions/listen'].includes(request.method) ? undefined : methodNotFound(request.method);
  }

  async dispatch(request: Request, io: ExchangeIO): Promise<Result> {
    if (request.method === 'subscriptions/listen') return this.subscriptions.listen(request, io);
    const tool = this.tools.get(String(request.params.name));
    if (tool === undefined) throw invalidParams(`Unknown tool: ${String(request.params.name)}`);
    return tool((request.params.arguments ?? {}) as { [name: string]: unknown }, io, request);
  }

  receive(notification: Notification): void {
    this.received.push(notification);
  }
}

export const text = (value: string): Result => ({ resultType: 'complete', content: [{ type: 'text', text: value }] });

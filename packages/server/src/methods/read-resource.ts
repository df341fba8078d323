import { type ExchangeIO, invalidParams, type McpError, type Request, type Result } from '@dragoman/protocol';
import { CallContext } from '../context.ts';
import type { Registry } from '../registry/registry.ts';
import { type Readable, readResult } from '../registry/resource.ts';
import { answer, isRetry, type MethodHost } from './host.ts';

/**
 * Answers `resources/read` (server/resources, "Reading Resources"). A resource is found by the very text of its URI, else
 * by the first template that matches.
 */
export async function readResource(
  host: MethodHost,
  registry: Registry,
  request: Request,
  io: ExchangeIO,
): Promise<Result> {
  const uri = request.params.uri as string;
  const found = find(registry, uri);
  if (found === undefined) throw unknown(uri);
  const ctx = new CallContext(host, request, io);
  if (isRetry(request)) await ctx.open();
  const run = async (): Promise<unknown> => found.read(ctx);
  return answer(host, ctx, ['resources/read', uri], run, (returned) => {
    const result = readResult(returned, uri, found.from);
    if (result === undefined) throw unknown(uri);
    return result;
  });
}

function find(registry: Registry, uri: string): { from: Readable; read: (ctx: CallContext) => unknown } | undefined {
  const resource = registry.resources.get(uri);
  if (resource !== undefined) return { from: resource, read: (ctx) => resource.handler(uri, ctx) };
  for (const template of registry.resourceTemplates.visible()) {
    const variables = template.template.match(uri);
    if (variables !== undefined) {
      return { from: template, read: (ctx) => template.handler(uri, variables as never, ctx) };
    }
  }
  return undefined;
}

const unknown = (uri: string): McpError => invalidParams(`Unknown resource: ${uri}`, { uri });

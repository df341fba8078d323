import {
  type ExchangeIO,
  invalidParams,
  type McpError,
  type Request,
  type Resource,
  type Result,
} from '@dragoman/protocol';
import { CallContext } from '../context.ts';
import { indexAfter, type Listed, type Listing, writeCursor } from '../registry/listing.ts';
import type { Registry } from '../registry/registry.ts';
import type { ResourceTemplateEntry } from '../registry/resource-template.ts';
import type { MethodHost } from './host.ts';

/** Answers a list method from what was registered. @throws McpError -32602 for a cursor that was never given out */
export function listPage(listing: Listing<Listed>, request: Request): Result {
  const cursor = request.params.cursor as string | null | undefined;
  const page = listing.page(cursor);
  if (page === undefined) throw unknownCursor(cursor);
  return page;
}

/** Answers `resources/list`: what was registered, then what templates list by themselves. */
export async function listResources(
  host: MethodHost,
  registry: Registry,
  request: Request,
  io: ExchangeIO,
): Promise<Result> {
  const templates = registry.resourceTemplates.visible().filter((entry) => entry.definition.list !== undefined);
  if (templates.length === 0) return listPage(registry.resources, request);
  const from = readPosition(registry, request.params.cursor as string | null | undefined);
  if (from === undefined) throw unknownCursor(request.params.cursor);
  const ctx = new CallContext(host, request, io);
  const { rows, next } = await collect(host, registry, templates, from, ctx);
  ctx.finish();
  return registry.resources.result(rows, next);
}

/** A place among the registered resources, or a number of resources of a template. */
type Position = { readonly place: number } | { readonly template: number; readonly index: number };

function readPosition(
  { resources, resourceTemplates }: Registry,
  cursor: string | null | undefined,
): Position | undefined {
  if (cursor === undefined || cursor === null) return { place: 0 };
  const [first = '', second, ...more] = cursor.split('.', 3);
  if (second === undefined) {
    const place = resources.readCursor(first);
    return place === undefined ? undefined : { place };
  }
  const template = resourceTemplates.readCursor(first);
  if (template === undefined || more.length > 0 || !/^[0-9a-z]{1,10}$/.test(second)) return undefined;
  return { template, index: Number.parseInt(second, 36) };
}

/** The rows of a page, asking only the templates that it may hold. */
async function collect(
  host: MethodHost,
  { resources }: Registry,
  templates: readonly ResourceTemplateEntry[],
  from: Position,
  ctx: CallContext,
): Promise<{ rows: object[]; next: string | undefined }> {
  const { size } = resources.format;
  const rows: object[] = [];
  if ('place' in from) {
    const entries = resources.visible();
    const start = indexAfter(entries, from.place);
    const slice = entries.slice(start, start + size);
    rows.push(...slice.map((entry) => entry.row));
    const last = slice.at(-1);
    if (last !== undefined && rows.length === size) return { rows, next: writeCursor(last.place) };
  }
  for (const entry of templates) {
    if ('template' in from && entry.place < from.template) continue;
    const listed = await listOf(host, entry, ctx);
    let index = 'template' in from && entry.place === from.template ? from.index : 0;
    for (; index < listed.length; index++) {
      if (rows.length === size) return { rows, next: `${writeCursor(entry.place)}.${index.toString(36)}` };
      const row = listed[index] as Resource;
      if (!resources.has(row.uri)) rows.push(row);
    }
  }
  return { rows, next: undefined };
}

/** What a template lists. One that fails, or lists what is no resource, hides nothing but that. */
async function listOf(host: MethodHost, entry: ResourceTemplateEntry, ctx: CallContext): Promise<readonly Resource[]> {
  try {
    const listed = (await entry.definition.list?.(ctx)) ?? [];
    return listed.filter((row) => {
      if (typeof row?.uri === 'string' && typeof row.name === 'string') return true;
      host.reports.error(
        new Error(`listed ${JSON.stringify(row)}, which has no uri or no name`),
        'resources/list',
        entry.key,
      );
      return false;
    });
  } catch (error) {
    host.reports.error(error, 'resources/list', entry.key);
    return [];
  }
}

const unknownCursor = (cursor: unknown): McpError => {
  const text = String(cursor);
  return invalidParams(`Unknown cursor: ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`, { cursor });
};

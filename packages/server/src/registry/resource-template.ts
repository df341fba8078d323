import {
  type Annotations,
  DragomanError,
  type Icon,
  type MetaObject,
  type Resource,
  type ResourceTemplate,
} from '@dragoman/protocol';
import type { Completers } from '../completion.ts';
import type { Context } from '../context.ts';
import { type UriTemplate, uriTemplate, type VariablesOf } from '../uri-template.ts';
import type { Handle } from './handle.ts';
import { type CacheHint, checkCacheHint, type Listed } from './listing.ts';
import { checkName } from './names.ts';
import type { Readable, ResourceOutput } from './resource.ts';
import { makeRow } from './row.ts';

/** How a resource template is described to clients (server/resources, "Resource Templates"). */
export interface ResourceTemplateDefinition {
  /** For programs. */
  readonly name: string;
  /** For people. */
  readonly title?: string | undefined;
  /** What it is for, for a model as much as for people. */
  readonly description?: string | undefined;
  /** Only where all resources of the template are of this type. */
  readonly mimeType?: string | undefined;
  /** For whom its resources are, and how much they matter (server/resources, "Annotations"). */
  readonly annotations?: Annotations | undefined;
  /** Pictures for it, in several sizes or themes. */
  readonly icons?: readonly Icon[] | undefined;
  /** `_meta` of the template. */
  readonly meta?: MetaObject | undefined;
  /** How long what was read may be kept. Default: not at all, by nobody else. */
  readonly cache?: CacheHint | undefined;
  /**
   * Resources of the template that are worth listing by their own URIs, in a stable order. Called for every page of
   * `resources/list` that may hold them.
   */
  readonly list?: ((ctx: Context) => readonly Resource[] | Promise<readonly Resource[]>) | undefined;
  /** How variables may go on, by name (server/utilities/completion). */
  readonly complete?: Completers | undefined;
}

/**
 * Reads a resource of the template. Null or undefined: there is no such resource. What it throws becomes -32603, except an
 * `McpError`, which is sent as it is.
 *
 * @param variables percent-decoded, and as hostile as the URI: a path may hold `..`
 */
export type ResourceTemplateHandler<T extends string = string> = (
  uri: string,
  variables: VariablesOf<T>,
  ctx: Context,
) => ResourceOutput | Promise<ResourceOutput>;

/** What can be changed of a resource template. */
export type ResourceTemplateChanges = Partial<ResourceTemplateDefinition> & {
  readonly handler?: ResourceTemplateHandler | undefined;
};

/** A registered resource template. */
export type ResourceTemplateHandle = Handle<ResourceTemplateChanges>;

/** A template made ready to be listed and read. Never changed: an update puts another in its place. */
export interface ResourceTemplateEntry extends Listed, Readable {
  readonly row: ResourceTemplate;
  readonly definition: ResourceTemplateDefinition;
  readonly template: UriTemplate;
  readonly handler: (uri: string, variables: never, ctx: Context) => unknown;
}

/** @throws DragomanError `INVALID_ARGUMENT`, naming the template and the member. */
export function compileResourceTemplate(
  key: string,
  place: number,
  definition: ResourceTemplateDefinition,
  handler: ResourceTemplateEntry['handler'],
): ResourceTemplateEntry {
  const what = `Resource template ${JSON.stringify(key)}`;
  const template = uriTemplate(key);
  const { name, title, description, mimeType, annotations, icons, meta, cache, complete } = definition;
  checkName(what, name);
  checkCacheHint(what, cache);
  for (const variable of Object.keys(complete ?? {})) {
    if (template.variables.includes(variable)) continue;
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `${what} completes ${JSON.stringify(variable)}, which is none of its variables`,
    );
  }
  const row = makeRow<ResourceTemplate>(what, {
    uriTemplate: key,
    name,
    title,
    description,
    mimeType,
    annotations,
    icons: icons as Icon[] | undefined,
    _meta: meta,
  });
  return { key, place, enabled: true, row, definition, template, mimeType, cache, handler };
}

import type { Notification, Request } from '../exchange.ts';
import type {
  Annotations,
  BaseMetadata,
  CacheableResult,
  Icons,
  MetaObject,
  NotificationMeta,
  NotificationParams,
  PaginatedRequestParams,
  PaginatedResult,
  ResultMeta,
} from './base.ts';
import type { BlobResourceContents, Resource, TextResourceContents } from './content.ts';
import type { InputResponseRequestParams } from './input.ts';

/** A pattern of URIs of resources that can be read (server/resources, "Resource Templates"). */
export interface ResourceTemplate extends BaseMetadata, Icons {
  /** RFC 6570. */
  uriTemplate: string;
  /** What it is for, for a model as much as for people. */
  description?: string | undefined;
  /** Only where all that match are of this type. */
  mimeType?: string | undefined;
  annotations?: Annotations | undefined;
  _meta?: MetaObject | undefined;
}

/** Asks for a page of the resources. */
export type ListResourcesRequest = Request<'resources/list', PaginatedRequestParams>;

/** A page of the resources. */
export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  resultType?: 'complete';
  _meta?: ResultMeta;
  resources: Resource[];
}

/** Asks for a page of the resource templates. */
export type ListResourceTemplatesRequest = Request<'resources/templates/list', PaginatedRequestParams>;

/** A page of the resource templates. */
export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  resultType?: 'complete';
  _meta?: ResultMeta;
  resourceTemplates: ResourceTemplate[];
}

/** Parameters of `resources/read`. */
export interface ReadResourceRequestParams extends InputResponseRequestParams {
  /** Of any scheme; the server knows what it means. */
  uri: string;
}

/** Reads a resource. */
export type ReadResourceRequest = Request<'resources/read', ReadResourceRequestParams>;

/** What was read: one item, or the parts of a larger one, such as the files of a directory. */
export interface ReadResourceResult extends CacheableResult {
  resultType?: 'complete';
  contents: (TextResourceContents | BlobResourceContents)[];
}

/** The list of resources changed. Only on a listen stream that asked for `resourcesListChanged`. */
export type ResourceListChangedNotification = Notification<'notifications/resources/list_changed', NotificationParams>;

/** Parameters of `notifications/resources/updated`. */
export interface ResourceUpdatedNotificationParams {
  _meta?: NotificationMeta;
  /** What changed; possibly a part of what was subscribed to. */
  uri: string;
}

/** A resource changed. Only on a listen stream that named it in `resourceSubscriptions`. */
export interface ResourceUpdatedNotification {
  readonly method: 'notifications/resources/updated';
  readonly params: ResourceUpdatedNotificationParams;
}

import type { Annotations, BaseMetadata, Icons, MetaObject } from './base.ts';

/** Text to or from a model. */
export interface TextContent {
  type: 'text';
  text: string;
  annotations?: Annotations | undefined;
  _meta?: MetaObject | undefined;
}

/** An image to or from a model. */
export interface ImageContent {
  type: 'image';
  /** Base64 (RFC 4648 §4). */
  data: string;
  mimeType: string;
  annotations?: Annotations | undefined;
  _meta?: MetaObject | undefined;
}

/** Sound to or from a model. */
export interface AudioContent {
  type: 'audio';
  /** Base64 (RFC 4648 §4). */
  data: string;
  mimeType: string;
  annotations?: Annotations | undefined;
  _meta?: MetaObject | undefined;
}

/** What the contents of a resource have in common. */
export interface ResourceContents {
  /** Of this resource, or of the part of a larger one that this is. */
  uri: string;
  mimeType?: string | undefined;
  _meta?: MetaObject | undefined;
}

/** Contents that are text. */
export interface TextResourceContents extends ResourceContents {
  text: string;
}

/** Contents that are bytes. */
export interface BlobResourceContents extends ResourceContents {
  /** Base64 (RFC 4648 §4). */
  blob: string;
}

/** A resource that can be read (server/resources). */
export interface Resource extends BaseMetadata, Icons {
  uri: string;
  /** What it is, for a model as much as for people. */
  description?: string | undefined;
  mimeType?: string | undefined;
  /** Bytes of the raw content, before base64. */
  size?: number | undefined;
  annotations?: Annotations | undefined;
  _meta?: MetaObject | undefined;
}

/** A pointer to a resource, in place of its contents. It need not be in `resources/list`. */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

/** The contents of a resource, put into a prompt or a tool's result. */
export interface EmbeddedResource {
  type: 'resource';
  resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations | undefined;
  _meta?: MetaObject | undefined;
}

/** A piece of a tool's result or a prompt. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

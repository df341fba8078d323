import type * as Official from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { officialSchema } from '../../test/official-schema.ts';
import type * as Ours from './index.ts';

type Primitive = string | number | boolean | null | undefined;

/** Members that are declared by name, without those that an index signature admits. */
type Named<T> = { [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K] };

/**
 * Members that the official package's types leave out of 2026-07-28's shapes, or keep of older ones. `schema.test.ts` holds
 * ours against the JSON Schema member by member.
 */
type Passed =
  /* Its functions add these to what the types say. */
  | '_meta'
  | 'resultType'
  | 'ttlMs'
  | 'cacheScope'
  | 'inputResponses'
  | 'requestState'
  /* Of 2025-11-25 only. */
  | 'task'
  | 'tasks'
  | 'execution'
  | 'elicitationId'
  /* The Tasks extension, which it does not have. */
  | 'taskIds'
  /* It names some JSON Schema keywords where we name none. */
  | 'inputSchema'
  | '$schema';

type Without<T, Members extends PropertyKey> = Omit<Named<T>, Members>;

type Compared<T> = Without<T, Passed>;

/**
 * A type without what the two sides write differently on purpose: index signatures beside named members, `readonly`,
 * `undefined` for optional members, and what is known of the values in a JSON object of free form.
 */
type Plain<T> = unknown extends T
  ? unknown
  : T extends Primitive
    ? T
    : T extends readonly (infer Item)[]
      ? Plain<Item>[]
      : [keyof Named<T>] extends [never]
        ? T extends { [member: string]: infer Value }
          ? { [member: string]: Official.JSONObject extends T ? unknown : Plain<Value> }
          : object
        : { -readonly [K in keyof Compared<T>]: Exclude<Plain<Compared<T>[K]>, undefined> };

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** `true` in its type only where the two say the same. */
const same = <A, B>(): Equal<Plain<A>, Plain<B>> => true as unknown as Equal<Plain<A>, Plain<B>>;

const compared = {
  Annotations: same<Ours.Annotations, Official.Annotations>(),
  AudioContent: same<Ours.AudioContent, Official.AudioContent>(),
  BaseMetadata: same<Ours.BaseMetadata, Official.BaseMetadata>(),
  BlobResourceContents: same<Ours.BlobResourceContents, Official.BlobResourceContents>(),
  BooleanSchema: same<Ours.BooleanSchema, Official.BooleanSchema>(),
  CallToolRequest: same<Ours.CallToolRequest, Official.CallToolRequest>(),
  CallToolRequestParams: same<Ours.CallToolRequestParams, Official.CallToolRequestParams>(),
  CallToolResult: same<Ours.CallToolResult, Official.CallToolResult>(),
  /* `requestId` is optional there, for the sake of the tasks of 2025-11-25. */
  CancelledNotificationParams: same<
    Without<Ours.CancelledNotificationParams, 'requestId'>,
    Without<Official.CancelledNotificationParams, 'requestId'>
  >(),
  /* Form elicitation has an option of its own there in place of free settings. */
  ClientCapabilities: same<
    Without<Ours.ClientCapabilities, 'elicitation'>,
    Without<Official.ClientCapabilities, 'elicitation'>
  >(),
  CompleteRequestParams: same<
    Without<Ours.CompleteRequestParams, 'ref'>,
    Without<Official.CompleteRequestParams, 'ref'>
  >(),
  CompleteResult: same<Ours.CompleteResult, Official.CompleteResult>(),
  ContentBlock: same<Ours.ContentBlock, Official.ContentBlock>(),
  CreateMessageRequest: same<Ours.CreateMessageRequest, Official.CreateMessageRequest>(),
  CreateMessageRequestParams: same<Ours.CreateMessageRequestParams, Official.CreateMessageRequestParams>(),
  CreateMessageResult: same<Ours.CreateMessageResult, Official.CreateMessageResultWithTools>(),
  Cursor: same<Ours.Cursor, Official.Cursor>(),
  DiscoverResult: same<Ours.DiscoverResult, Official.DiscoverResult>(),
  ElicitRequest: same<Ours.ElicitRequest, Official.ElicitRequest>(),
  ElicitRequestFormParams: same<Ours.ElicitRequestFormParams, Official.ElicitRequestFormParams>(),
  ElicitRequestURLParams: same<Ours.ElicitRequestURLParams, Official.ElicitRequestURLParams>(),
  ElicitRequestParams: same<Ours.ElicitRequestParams, Official.ElicitRequestParams>(),
  ElicitResult: same<Ours.ElicitResult, Official.ElicitResult>(),
  EmbeddedResource: same<Ours.EmbeddedResource, Official.EmbeddedResource>(),
  EmptyResult: same<Ours.EmptyResult, Official.EmptyResult>(),
  EnumSchema: same<Ours.EnumSchema, Official.EnumSchema>(),
  GetPromptRequest: same<Ours.GetPromptRequest, Official.GetPromptRequest>(),
  GetPromptRequestParams: same<Ours.GetPromptRequestParams, Official.GetPromptRequestParams>(),
  GetPromptResult: same<Ours.GetPromptResult, Official.GetPromptResult>(),
  Icon: same<Ours.Icon, Official.Icon>(),
  Icons: same<Ours.Icons, Official.Icons>(),
  ImageContent: same<Ours.ImageContent, Official.ImageContent>(),
  Implementation: same<Ours.Implementation, Official.Implementation>(),
  InputRequest: same<Ours.InputRequest, Official.InputRequest>(),
  InputRequests: same<Ours.InputRequests, Official.InputRequests>(),
  JSONObject: same<Ours.JsonObject, Official.JSONObject>(),
  LegacyTitledEnumSchema: same<Ours.LegacyTitledEnumSchema, Official.LegacyTitledEnumSchema>(),
  ListPromptsResult: same<Without<Ours.ListPromptsResult, 'prompts'>, Without<Official.ListPromptsResult, 'prompts'>>(),
  ListResourceTemplatesResult: same<Ours.ListResourceTemplatesResult, Official.ListResourceTemplatesResult>(),
  ListResourcesResult: same<Ours.ListResourcesResult, Official.ListResourcesResult>(),
  ListRootsRequest: same<Ours.ListRootsRequest, Official.ListRootsRequest>(),
  ListRootsResult: same<Ours.ListRootsResult, Official.ListRootsResult>(),
  ListToolsResult: same<Ours.ListToolsResult, Official.ListToolsResult>(),
  LoggingLevel: same<Ours.LoggingLevel, Official.LoggingLevel>(),
  LoggingMessageNotification: same<Ours.LoggingMessageNotification, Official.LoggingMessageNotification>(),
  LoggingMessageNotificationParams: same<
    Ours.LoggingMessageNotificationParams,
    Official.LoggingMessageNotificationParams
  >(),
  MetaObject: same<Ours.MetaObject, Official.MetaObject>(),
  ModelHint: same<Ours.ModelHint, Official.ModelHint>(),
  ModelPreferences: same<Ours.ModelPreferences, Official.ModelPreferences>(),
  MultiSelectEnumSchema: same<Ours.MultiSelectEnumSchema, Official.MultiSelectEnumSchema>(),
  NotificationParams: same<Ours.NotificationParams, Official.NotificationParams>(),
  NumberSchema: same<Ours.NumberSchema, Official.NumberSchema>(),
  PaginatedRequestParams: same<Ours.PaginatedRequestParams, Official.PaginatedRequestParams>(),
  PaginatedResult: same<Ours.PaginatedResult, Official.PaginatedResult>(),
  PrimitiveSchemaDefinition: same<Ours.PrimitiveSchemaDefinition, Official.PrimitiveSchemaDefinition>(),
  ProgressNotification: same<Ours.ProgressNotification, Official.ProgressNotification>(),
  ProgressNotificationParams: same<Ours.ProgressNotificationParams, Official.ProgressNotificationParams>(),
  ProgressToken: same<Ours.ProgressToken, Official.ProgressToken>(),
  Prompt: same<Without<Ours.Prompt, 'arguments'>, Without<Official.Prompt, 'arguments'>>(),
  /* `title`, which every BaseMetadata has, is not there. */
  PromptArgument: same<Without<Ours.PromptArgument, 'title'>, Official.PromptArgument>(),
  PromptListChangedNotification: same<Ours.PromptListChangedNotification, Official.PromptListChangedNotification>(),
  PromptMessage: same<Ours.PromptMessage, Official.PromptMessage>(),
  PromptReference: same<Without<Ours.PromptReference, 'title'>, Official.PromptReference>(),
  ReadResourceRequest: same<Ours.ReadResourceRequest, Official.ReadResourceRequest>(),
  ReadResourceRequestParams: same<Ours.ReadResourceRequestParams, Official.ReadResourceRequestParams>(),
  ReadResourceResult: same<Ours.ReadResourceResult, Official.ReadResourceResult>(),
  RequestId: same<Ours.RequestId, Official.RequestId>(),
  Resource: same<Ours.Resource, Official.Resource>(),
  ResourceContents: same<Ours.ResourceContents, Official.ResourceContents>(),
  ResourceLink: same<Ours.ResourceLink, Official.ResourceLink>(),
  ResourceListChangedNotification: same<
    Ours.ResourceListChangedNotification,
    Official.ResourceListChangedNotification
  >(),
  ResourceTemplate: same<Ours.ResourceTemplate, Official.ResourceTemplateType>(),
  ResourceTemplateReference: same<Ours.ResourceTemplateReference, Official.ResourceTemplateReference>(),
  ResourceUpdatedNotification: same<Ours.ResourceUpdatedNotification, Official.ResourceUpdatedNotification>(),
  ResourceUpdatedNotificationParams: same<
    Ours.ResourceUpdatedNotificationParams,
    Official.ResourceUpdatedNotificationParams
  >(),
  ResultMetaObject: same<Without<Ours.ResultMeta, keyof Ours.TraceMeta>, Official.ResultMetaObject>(),
  Role: same<Ours.Role, Official.Role>(),
  Root: same<Ours.Root, Official.Root>(),
  SamplingMessage: same<Ours.SamplingMessage, Official.SamplingMessage>(),
  SamplingMessageContentBlock: same<Ours.SamplingMessageContentBlock, Official.SamplingMessageContentBlock>(),
  ServerCapabilities: same<Ours.ServerCapabilities, Official.ServerCapabilities>(),
  SingleSelectEnumSchema: same<Ours.SingleSelectEnumSchema, Official.SingleSelectEnumSchema>(),
  StringSchema: same<Ours.StringSchema, Official.StringSchema>(),
  SubscriptionFilter: same<Ours.SubscriptionFilter, Official.SubscriptionFilter>(),
  SubscriptionsAcknowledgedNotification: same<
    Ours.SubscriptionsAcknowledgedNotification,
    Official.SubscriptionsAcknowledgedNotification
  >(),
  SubscriptionsAcknowledgedNotificationParams: same<
    Ours.SubscriptionsAcknowledgedNotificationParams,
    Official.SubscriptionsAcknowledgedNotificationParams
  >(),
  SubscriptionsListenRequest: same<Ours.SubscriptionsListenRequest, Official.SubscriptionsListenRequest>(),
  SubscriptionsListenRequestParams: same<
    Ours.SubscriptionsListenRequestParams,
    Official.SubscriptionsListenRequestParams
  >(),
  SubscriptionsListenResult: same<Ours.SubscriptionsListenResult, Official.SubscriptionsListenResult>(),
  /* The wire fills in the id, which is mandatory there. The final schema calls it SubscriptionsListenResultMetaObject. */
  SubscriptionsListenResultMeta: same<
    Required<Without<Ours.SubscriptionsListenResultMeta, keyof Ours.TraceMeta | keyof Ours.ResultMeta>>,
    Without<Official.SubscriptionsListenResultMeta, keyof Ours.ResultMeta>
  >(),
  TextContent: same<Ours.TextContent, Official.TextContent>(),
  TextResourceContents: same<Ours.TextResourceContents, Official.TextResourceContents>(),
  TitledMultiSelectEnumSchema: same<Ours.TitledMultiSelectEnumSchema, Official.TitledMultiSelectEnumSchema>(),
  TitledSingleSelectEnumSchema: same<Ours.TitledSingleSelectEnumSchema, Official.TitledSingleSelectEnumSchema>(),
  Tool: same<Ours.Tool, Official.Tool>(),
  ToolAnnotations: same<Ours.ToolAnnotations, Official.ToolAnnotations>(),
  ToolChoice: same<Ours.ToolChoice, Official.ToolChoice>(),
  ToolListChangedNotification: same<Ours.ToolListChangedNotification, Official.ToolListChangedNotification>(),
  ToolResultContent: same<Ours.ToolResultContent, Official.ToolResultContent>(),
  ToolUseContent: same<Ours.ToolUseContent, Official.ToolUseContent>(),
  UntitledMultiSelectEnumSchema: same<Ours.UntitledMultiSelectEnumSchema, Official.UntitledMultiSelectEnumSchema>(),
  UntitledSingleSelectEnumSchema: same<Ours.UntitledSingleSelectEnumSchema, Official.UntitledSingleSelectEnumSchema>(),
} satisfies { [type: string]: true };

/** Definitions that have no row above, and why. */
const without = new Map([
  [
    'of the wire: the codec makes and checks these',
    [
      'JSONRPCErrorResponse',
      'JSONRPCMessage',
      'JSONRPCNotification',
      'JSONRPCRequest',
      'JSONRPCResponse',
      'JSONRPCResultResponse',
      'Error',
      'ParseError',
      'InvalidRequestError',
      'MethodNotFoundError',
      'InvalidParamsError',
      'InternalError',
      'HeaderMismatchError',
      'MissingRequiredClientCapabilityError',
      'UnsupportedProtocolVersionError',
      'CallToolResultResponse',
      'CompleteResultResponse',
      'DiscoverResultResponse',
      'GetPromptResultResponse',
      'ListPromptsResultResponse',
      'ListResourceTemplatesResultResponse',
      'ListResourcesResultResponse',
      'ListToolsResultResponse',
      'ReadResourceResultResponse',
    ],
  ],
  [
    'unions over methods: the method table takes their place',
    ['ClientNotification', 'ClientRequest', 'ClientResult', 'ServerNotification', 'ServerResult'],
  ],
  [
    'what all requests, notifications and results have in common: exchange.ts',
    ['Notification', 'PaginatedRequest', 'Request', 'RequestParams', 'Result', 'ResultType'],
  ],
  ['JSON as such', ['JSONArray', 'JSONValue']],
  [
    'absent from the official types, or mandatory parameters are optional there; schema.test.ts has them',
    [
      'CacheableResult',
      'CancelledNotification',
      'CompleteRequest',
      'DiscoverRequest',
      'InputRequiredResult',
      'InputResponse',
      'InputResponseRequestParams',
      'InputResponses',
      'ListPromptsRequest',
      'ListResourceTemplatesRequest',
      'ListResourcesRequest',
      'ListToolsRequest',
      'NotificationMetaObject',
      'RequestMetaObject',
      'ResourceRequestParams',
    ],
  ],
]);

test('every definition of the schema is compared with the official types, or it is said why not', () => {
  const names = [...Object.keys(compared), ...[...without.values()].flat()].sort();
  expect(names).toEqual(Object.keys(officialSchema('2026-07-28').definitions).sort());
});

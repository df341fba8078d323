import { describe, expect, test } from 'vitest';
import { officialSchema } from '../../test/official-schema.ts';
import type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  BooleanSchema,
  CallToolRequest,
  CallToolRequestParams,
  CallToolResult,
  CancelledNotification,
  CancelledNotificationParams,
  ClientCapabilities,
  CompleteRequest,
  CompleteRequestParams,
  CompleteResult,
  ContentBlock,
  CreateMessageRequest,
  CreateMessageRequestParams,
  CreateMessageResult,
  DiscoverRequest,
  DiscoverResult,
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitRequestParams,
  ElicitRequestURLParams,
  ElicitResult,
  EmbeddedResource,
  EmptyResult,
  EnumSchema,
  GetPromptRequest,
  GetPromptRequestParams,
  GetPromptResult,
  Icon,
  ImageContent,
  Implementation,
  InputRequest,
  InputRequests,
  InputRequiredResult,
  InputResponseRequestParams,
  InputResponses,
  LegacyTitledEnumSchema,
  ListPromptsRequest,
  ListPromptsResult,
  ListResourcesRequest,
  ListResourcesResult,
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ListRootsRequest,
  ListRootsResult,
  ListToolsRequest,
  ListToolsResult,
  LoggingMessageNotification,
  LoggingMessageNotificationParams,
  ModelHint,
  ModelPreferences,
  NotificationMeta,
  NotificationParams,
  NumberSchema,
  PaginatedRequestParams,
  PaginatedResult,
  PrimitiveSchemaDefinition,
  ProgressNotification,
  ProgressNotificationParams,
  Prompt,
  PromptArgument,
  PromptListChangedNotification,
  PromptMessage,
  PromptReference,
  ReadResourceRequest,
  ReadResourceRequestParams,
  ReadResourceResult,
  RequestMeta,
  Resource,
  ResourceContents,
  ResourceLink,
  ResourceListChangedNotification,
  ResourceTemplate,
  ResourceTemplateReference,
  ResourceUpdatedNotification,
  ResourceUpdatedNotificationParams,
  ResultMeta,
  Root,
  SamplingMessage,
  SamplingMessageContentBlock,
  ServerCapabilities,
  StringSchema,
  SubscriptionFilter,
  SubscriptionsAcknowledgedNotification,
  SubscriptionsAcknowledgedNotificationParams,
  SubscriptionsListenRequest,
  SubscriptionsListenRequestParams,
  SubscriptionsListenResult,
  SubscriptionsListenResultMeta,
  TextContent,
  TextResourceContents,
  TitledMultiSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  Tool,
  ToolAnnotations,
  ToolChoice,
  ToolListChangedNotification,
  ToolResultContent,
  ToolUseContent,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema,
} from './index.ts';

const schema = officialSchema('2026-07-28');

type Named<T> = { [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K] };
type Mandatory<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** An example in which no member is missing. */
type Whole<T> = { [K in keyof Named<T>]-?: Exclude<Named<T>[K], undefined> };
/** The members that our type demands, each by name. */
type Demands<T> = { readonly [K in Mandatory<Named<T>>]: 1 };

/** Mandatory on the wire, optional in our types, because it is not the author of a message who fills them in. */
const filledIn = new Set([
  '_meta',
  'resultType',
  'ttlMs',
  'cacheScope',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/subscriptionId',
]);
/** Members of the JSON-RPC frame, which our types leave to the wire. */
const frame = new Set(['jsonrpc', 'id']);
/** Members that no definition of the core schema has: trace context, extensions, and what only 2025-11-25 has. */
const beyond = new Set(['traceparent', 'tracestate', 'baggage', 'taskIds', 'elicitationId']);

/** Holds one of our types against the definition of the same name: the same members, the same ones mandatory, valid both in full and at the least. */
function type<T extends object>(name: string, demands: Demands<T>, whole: Whole<T>): void {
  test(`${name} is the schema's`, () => {
    let definition = schema.definitions[name];
    if (definition?.$ref !== undefined) definition = schema.definitions[definition.$ref.replace('#/$defs/', '')];
    if (definition === undefined) throw new Error(`The schema has no ${name}`);
    const { properties = {}, required = [] } = definition;
    const framed = 'jsonrpc' in properties;
    const ourPart = (member: string): boolean => !framed || !frame.has(member);
    const example = framed ? { jsonrpc: '2.0', id: 0, ...whole } : whole;

    const members = Object.keys(whole).filter((member) => !beyond.has(member));
    expect(members.sort(), 'members').toEqual(Object.keys(properties).filter(ourPart).sort());

    const demanded = Object.keys(demands);
    expect(required, 'mandatory here').toEqual(expect.arrayContaining(demanded));
    expect(
      required.filter((member) => ourPart(member) && !demanded.includes(member) && !filledIn.has(member)),
      'mandatory there, optional here',
    ).toEqual([]);

    expect(schema.problems(name, example), 'in full').toEqual([]);
    const least = Object.fromEntries(Object.entries(example).filter(([member]) => required.includes(member)));
    expect(schema.problems(name, least), 'at the least').toEqual([]);
  });
}

const meta: RequestMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const free = { 'com.example/note': 'kept' };
const resultMeta: ResultMeta = { 'io.modelcontextprotocol/serverInfo': { name: 'clock', version: '1.0.0' } };
const notificationMeta: NotificationMeta = { 'io.modelcontextprotocol/subscriptionId': 0 };
const icon: Icon = { src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48', 'any'], theme: 'dark' };
const icons = [icon];
const annotations: Annotations = {
  audience: ['user', 'assistant'],
  priority: 0.5,
  lastModified: '2026-07-28T00:00:00Z',
};
const text: TextContent = { type: 'text', text: '' };
const tool: Tool = { name: 'tell', inputSchema: { type: 'object' } };
const cached = { ttlMs: 0, cacheScope: 'private', resultType: 'complete', _meta: resultMeta } as const;

describe('[META] metadata', () => {
  type<RequestMeta>(
    'RequestMetaObject',
    {},
    {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
      'io.modelcontextprotocol/logLevel': 'warning',
      progressToken: 0,
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      tracestate: 'a=1',
      baggage: 'b=2',
    },
  );
  type<NotificationMeta>(
    'NotificationMetaObject',
    {},
    {
      'io.modelcontextprotocol/subscriptionId': '',
      traceparent: '',
      tracestate: '',
      baggage: '',
    },
  );
  type<ResultMeta>(
    'ResultMetaObject',
    {},
    {
      'io.modelcontextprotocol/serverInfo': { name: 'clock', version: '1' },
      traceparent: '',
      tracestate: '',
      baggage: '',
    },
  );
  type<Icon>(
    'Icon',
    { src: 1 },
    { src: 'data:image/png;base64,AA==', mimeType: 'image/png', sizes: ['any'], theme: 'light' },
  );
  type<Annotations>('Annotations', {}, { audience: ['user'], priority: 1, lastModified: '2026-07-28T00:00:00Z' });
  type<Implementation>(
    'Implementation',
    { name: 1, version: 1 },
    {
      name: 'clock',
      title: 'Clock',
      version: '1.0.0',
      description: 'Tells the time',
      websiteUrl: 'https://example.com',
      icons,
    },
  );
  type<ClientCapabilities>(
    'ClientCapabilities',
    {},
    {
      experimental: { 'com.example/x': {} },
      extensions: { 'io.modelcontextprotocol/tasks': {} },
      elicitation: { form: {}, url: {} },
      sampling: { context: {}, tools: {} },
      roots: { listChanged: true },
    },
  );
  type<ServerCapabilities>(
    'ServerCapabilities',
    {},
    {
      experimental: { 'com.example/x': {} },
      extensions: { 'io.modelcontextprotocol/tasks': {} },
      completions: {},
      logging: {},
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: false },
      tools: { listChanged: true },
    },
  );
  type<NotificationParams>('NotificationParams', {}, { _meta: notificationMeta });
  type<PaginatedRequestParams>('PaginatedRequestParams', {}, { _meta: meta, cursor: '' });
  type<PaginatedResult & { resultType?: string }>(
    'PaginatedResult',
    {},
    { _meta: resultMeta, nextCursor: '', resultType: 'complete' },
  );
  type<EmptyResult>('EmptyResult', {}, { _meta: resultMeta, resultType: 'complete' });
});

describe('content', () => {
  type<TextContent>('TextContent', { type: 1, text: 1 }, { type: 'text', text: 'hello', annotations, _meta: free });
  type<ImageContent>(
    'ImageContent',
    { type: 1, data: 1, mimeType: 1 },
    { type: 'image', data: 'AA==', mimeType: 'image/png', annotations, _meta: free },
  );
  type<AudioContent>(
    'AudioContent',
    { type: 1, data: 1, mimeType: 1 },
    { type: 'audio', data: 'AA==', mimeType: 'audio/wav', annotations, _meta: free },
  );
  type<ResourceContents>('ResourceContents', { uri: 1 }, { uri: 'file:///a', mimeType: 'text/plain', _meta: free });
  type<TextResourceContents>(
    'TextResourceContents',
    { uri: 1, text: 1 },
    { uri: 'file:///a', mimeType: 'text/plain', text: '', _meta: free },
  );
  type<BlobResourceContents>(
    'BlobResourceContents',
    { uri: 1, blob: 1 },
    { uri: 'file:///a', mimeType: 'image/png', blob: '', _meta: free },
  );
  const resource = {
    uri: 'file:///a',
    name: 'a',
    title: 'A',
    description: 'the letter',
    mimeType: 'text/plain',
    size: 0,
    annotations,
    icons,
    _meta: free,
  };
  type<Resource>('Resource', { uri: 1, name: 1 }, resource);
  type<ResourceLink>('ResourceLink', { type: 1, uri: 1, name: 1 }, { type: 'resource_link', ...resource });
  type<EmbeddedResource>(
    'EmbeddedResource',
    { type: 1, resource: 1 },
    {
      type: 'resource',
      resource: { uri: 'file:///a', blob: 'AA==' },
      annotations,
      _meta: free,
    },
  );

  const blocks: ContentBlock[] = [
    text,
    { type: 'image', data: '', mimeType: 'image/png' },
    { type: 'audio', data: '', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
    { type: 'resource', resource: { uri: 'file:///a', text: '' } },
  ];
  test.each(blocks)('ContentBlock may be $type', (block) => {
    expect(schema.problems('ContentBlock', block)).toEqual([]);
  });
});

describe('[DISC-01] discovery', () => {
  type<DiscoverRequest>(
    'DiscoverRequest',
    { method: 1, params: 1 },
    { method: 'server/discover', params: { _meta: meta } },
  );
  type<DiscoverResult>(
    'DiscoverResult',
    { supportedVersions: 1, capabilities: 1 },
    {
      ...cached,
      supportedVersions: ['2026-07-28'],
      capabilities: {},
      instructions: '',
    },
  );
});

describe('tools', () => {
  type<ToolAnnotations>(
    'ToolAnnotations',
    {},
    {
      title: 'Tell',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  );
  type<Tool>(
    'Tool',
    { name: 1, inputSchema: 1 },
    {
      name: 'tell',
      title: 'Tell',
      description: 'Tells the time',
      inputSchema: {
        type: 'object',
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } },
      },
      outputSchema: { type: ['string', 'null'] },
      annotations: {},
      icons,
      _meta: free,
    },
  );
  type<ListToolsRequest>(
    'ListToolsRequest',
    { method: 1, params: 1 },
    { method: 'tools/list', params: { _meta: meta } },
  );
  type<ListToolsResult>('ListToolsResult', { tools: 1 }, { ...cached, tools: [tool], nextCursor: '' });
  type<CallToolRequestParams>(
    'CallToolRequestParams',
    { name: 1 },
    {
      _meta: meta,
      name: 'tell',
      arguments: { zone: 'UTC', deep: { __proto__: null, list: [1, null] } },
      inputResponses: { when: { action: 'decline' } },
      requestState: '',
    },
  );
  type<CallToolRequest>(
    'CallToolRequest',
    { method: 1, params: 1 },
    { method: 'tools/call', params: { _meta: meta, name: 'tell' } },
  );
  type<CallToolResult>(
    'CallToolResult',
    { content: 1 },
    {
      _meta: resultMeta,
      resultType: 'complete',
      content: [text],
      structuredContent: [1, 'two', null],
      isError: false,
    },
  );
  type<ToolListChangedNotification>(
    'ToolListChangedNotification',
    { method: 1 },
    {
      method: 'notifications/tools/list_changed',
      params: { _meta: notificationMeta },
    },
  );
});

describe('resources', () => {
  type<ResourceTemplate>(
    'ResourceTemplate',
    { uriTemplate: 1, name: 1 },
    {
      uriTemplate: 'file:///{path}',
      name: 'files',
      title: 'Files',
      description: 'any file',
      mimeType: 'text/plain',
      annotations,
      icons,
      _meta: free,
    },
  );
  type<ListResourcesRequest>(
    'ListResourcesRequest',
    { method: 1, params: 1 },
    { method: 'resources/list', params: { _meta: meta, cursor: 'x' } },
  );
  type<ListResourcesResult>(
    'ListResourcesResult',
    { resources: 1 },
    { ...cached, resources: [{ uri: 'file:///a', name: 'a' }], nextCursor: 'x' },
  );
  type<ListResourceTemplatesRequest>(
    'ListResourceTemplatesRequest',
    { method: 1, params: 1 },
    { method: 'resources/templates/list', params: { _meta: meta } },
  );
  type<ListResourceTemplatesResult>(
    'ListResourceTemplatesResult',
    { resourceTemplates: 1 },
    {
      ...cached,
      resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'files' }],
      nextCursor: 'x',
    },
  );
  type<ReadResourceRequestParams>(
    'ReadResourceRequestParams',
    { uri: 1 },
    { _meta: meta, uri: 'file:///a', inputResponses: {}, requestState: 's' },
  );
  type<ReadResourceRequest>(
    'ReadResourceRequest',
    { method: 1, params: 1 },
    { method: 'resources/read', params: { _meta: meta, uri: 'file:///a' } },
  );
  type<ReadResourceResult>(
    'ReadResourceResult',
    { contents: 1 },
    {
      ...cached,
      contents: [
        { uri: 'file:///a', text: '' },
        { uri: 'file:///b', blob: '' },
      ],
    },
  );
  type<ResourceListChangedNotification>(
    'ResourceListChangedNotification',
    { method: 1 },
    {
      method: 'notifications/resources/list_changed',
      params: { _meta: notificationMeta },
    },
  );
  type<ResourceUpdatedNotificationParams>(
    'ResourceUpdatedNotificationParams',
    { uri: 1 },
    { _meta: notificationMeta, uri: 'file:///a' },
  );
  type<ResourceUpdatedNotification>(
    'ResourceUpdatedNotification',
    { method: 1, params: 1 },
    {
      method: 'notifications/resources/updated',
      params: { uri: 'file:///a' },
    },
  );
});

describe('prompts and completion', () => {
  type<PromptArgument>(
    'PromptArgument',
    { name: 1 },
    { name: 'topic', title: 'Topic', description: 'of the poem', required: true },
  );
  type<Prompt>(
    'Prompt',
    { name: 1 },
    { name: 'poem', title: 'Poem', description: 'A poem', arguments: [{ name: 'topic' }], icons, _meta: free },
  );
  type<PromptMessage>('PromptMessage', { role: 1, content: 1 }, { role: 'assistant', content: text });
  type<ListPromptsRequest>(
    'ListPromptsRequest',
    { method: 1, params: 1 },
    { method: 'prompts/list', params: { _meta: meta } },
  );
  type<ListPromptsResult>(
    'ListPromptsResult',
    { prompts: 1 },
    { ...cached, prompts: [{ name: 'poem' }], nextCursor: 'x' },
  );
  type<GetPromptRequestParams>(
    'GetPromptRequestParams',
    { name: 1 },
    {
      _meta: meta,
      name: 'poem',
      arguments: { topic: 'sea' },
      inputResponses: {},
      requestState: 's',
    },
  );
  type<GetPromptRequest>(
    'GetPromptRequest',
    { method: 1, params: 1 },
    { method: 'prompts/get', params: { _meta: meta, name: 'poem' } },
  );
  type<GetPromptResult>(
    'GetPromptResult',
    { messages: 1 },
    {
      _meta: resultMeta,
      resultType: 'complete',
      description: 'A poem',
      messages: [{ role: 'user', content: text }],
    },
  );
  type<PromptListChangedNotification>(
    'PromptListChangedNotification',
    { method: 1 },
    {
      method: 'notifications/prompts/list_changed',
      params: { _meta: notificationMeta },
    },
  );
  type<PromptReference>('PromptReference', { type: 1, name: 1 }, { type: 'ref/prompt', name: 'poem', title: 'Poem' });
  type<ResourceTemplateReference>(
    'ResourceTemplateReference',
    { type: 1, uri: 1 },
    { type: 'ref/resource', uri: 'file:///{path}' },
  );
  type<CompleteRequestParams>(
    'CompleteRequestParams',
    { ref: 1, argument: 1 },
    {
      _meta: meta,
      ref: { type: 'ref/prompt', name: 'poem' },
      argument: { name: 'topic', value: '' },
      context: { arguments: { mood: 'grave' } },
    },
  );
  type<CompleteRequest>(
    'CompleteRequest',
    { method: 1, params: 1 },
    {
      method: 'completion/complete',
      params: {
        _meta: meta,
        ref: { type: 'ref/resource', uri: 'file:///{path}' },
        argument: { name: 'path', value: 'a' },
      },
    },
  );
  type<CompleteResult>(
    'CompleteResult',
    { completion: 1 },
    {
      _meta: resultMeta,
      resultType: 'complete',
      completion: { values: ['sea'], total: 1, hasMore: false },
    },
  );
});

describe('notifications about requests', () => {
  type<LoggingMessageNotificationParams>(
    'LoggingMessageNotificationParams',
    { level: 1, data: 1 },
    {
      _meta: notificationMeta,
      level: 'emergency',
      logger: 'db',
      data: null,
    },
  );
  type<LoggingMessageNotification>(
    'LoggingMessageNotification',
    { method: 1, params: 1 },
    {
      method: 'notifications/message',
      params: { level: 'debug', data: { rows: 1 } },
    },
  );
  type<ProgressNotificationParams>(
    'ProgressNotificationParams',
    { progressToken: 1, progress: 1 },
    {
      _meta: notificationMeta,
      progressToken: '',
      progress: 0.5,
      total: 1,
      message: 'half',
    },
  );
  type<ProgressNotification>(
    'ProgressNotification',
    { method: 1, params: 1 },
    {
      method: 'notifications/progress',
      params: { progressToken: 0, progress: 0 },
    },
  );
  type<CancelledNotificationParams>(
    'CancelledNotificationParams',
    { requestId: 1 },
    { _meta: notificationMeta, requestId: 0, reason: 'enough' },
  );
  type<CancelledNotification>(
    'CancelledNotification',
    { method: 1, params: 1 },
    { method: 'notifications/cancelled', params: { requestId: '' } },
  );
});

describe('subscriptions', () => {
  type<SubscriptionFilter>(
    'SubscriptionFilter',
    {},
    {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['file:///a'],
      taskIds: ['t'],
    },
  );
  type<SubscriptionsListenRequestParams>(
    'SubscriptionsListenRequestParams',
    { notifications: 1 },
    { _meta: meta, notifications: {} },
  );
  type<SubscriptionsListenRequest>(
    'SubscriptionsListenRequest',
    { method: 1, params: 1 },
    {
      method: 'subscriptions/listen',
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    },
  );
  /* The final schema calls it SubscriptionsListenResultMetaObject. */
  type<SubscriptionsListenResultMeta>(
    'SubscriptionsListenResultMeta',
    {},
    {
      'io.modelcontextprotocol/subscriptionId': 0,
      'io.modelcontextprotocol/serverInfo': { name: 'clock', version: '1' },
      traceparent: '',
      tracestate: '',
      baggage: '',
    },
  );
  type<SubscriptionsListenResult>(
    'SubscriptionsListenResult',
    {},
    {
      _meta: { 'io.modelcontextprotocol/subscriptionId': 0 },
      resultType: 'complete',
    },
  );
  type<SubscriptionsAcknowledgedNotificationParams>(
    'SubscriptionsAcknowledgedNotificationParams',
    { notifications: 1 },
    {
      _meta: notificationMeta,
      notifications: {},
    },
  );
  type<SubscriptionsAcknowledgedNotification>(
    'SubscriptionsAcknowledgedNotification',
    { method: 1, params: 1 },
    {
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: {} },
    },
  );
});

describe('[ELIC] elicitation', () => {
  const words = { title: 'City', description: 'Where' };
  type<StringSchema>(
    'StringSchema',
    { type: 1 },
    { type: 'string', ...words, minLength: 0, maxLength: 9, format: 'date-time', default: '' },
  );
  type<NumberSchema>('NumberSchema', { type: 1 }, { type: 'integer', ...words, minimum: 0, maximum: 9, default: 0 });
  type<BooleanSchema>('BooleanSchema', { type: 1 }, { type: 'boolean', ...words, default: false });
  type<UntitledSingleSelectEnumSchema>(
    'UntitledSingleSelectEnumSchema',
    { type: 1, enum: 1 },
    { type: 'string', ...words, enum: ['a'], default: 'a' },
  );
  type<TitledSingleSelectEnumSchema>(
    'TitledSingleSelectEnumSchema',
    { type: 1, oneOf: 1 },
    {
      type: 'string',
      ...words,
      oneOf: [{ const: 'a', title: 'A' }],
      default: 'a',
    },
  );
  const several = { type: 'array', ...words, minItems: 0, maxItems: 1, default: ['a'] } as const;
  type<UntitledMultiSelectEnumSchema>(
    'UntitledMultiSelectEnumSchema',
    { type: 1, items: 1 },
    {
      ...several,
      default: ['a'],
      items: { type: 'string', enum: ['a'] },
    },
  );
  type<TitledMultiSelectEnumSchema>(
    'TitledMultiSelectEnumSchema',
    { type: 1, items: 1 },
    {
      ...several,
      default: ['a'],
      items: { anyOf: [{ const: 'a', title: 'A' }] },
    },
  );
  type<LegacyTitledEnumSchema>(
    'LegacyTitledEnumSchema',
    { type: 1, enum: 1 },
    { type: 'string', ...words, enum: ['a'], enumNames: ['A'], default: 'a' },
  );

  const choices: EnumSchema[] = [
    { type: 'string', enum: ['a'] },
    { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    { type: 'array', items: { type: 'string', enum: ['a'] } },
    { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    { type: 'string', enum: ['a'], enumNames: ['A'] },
  ];
  test.each(choices)('EnumSchema may be %j', (choice) => {
    expect(schema.problems('EnumSchema', choice)).toEqual([]);
  });
  const fields: PrimitiveSchemaDefinition[] = [...choices, { type: 'string' }, { type: 'number' }, { type: 'boolean' }];
  test.each(fields)('PrimitiveSchemaDefinition may be %j', (field) => {
    expect(schema.problems('PrimitiveSchemaDefinition', field)).toEqual([]);
  });

  const form: ElicitRequestFormParams = {
    message: 'When?',
    requestedSchema: { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] },
  };
  type<ElicitRequestFormParams>(
    'ElicitRequestFormParams',
    { message: 1, requestedSchema: 1 },
    {
      mode: 'form',
      message: 'When?',
      requestedSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: Object.fromEntries(fields.map((field, i) => [`f${i}`, field])),
        required: ['f0'],
      },
    },
  );
  type<ElicitRequestURLParams>(
    'ElicitRequestURLParams',
    { mode: 1, message: 1, url: 1 },
    {
      mode: 'url',
      message: 'Sign in',
      url: 'https://example.com/sign-in',
      elicitationId: 'e',
    },
  );
  const either: ElicitRequestParams[] = [form, { mode: 'url', message: 'Sign in', url: 'https://example.com/' }];
  test.each(either)('ElicitRequestParams may be %j', (params) => {
    expect(schema.problems('ElicitRequestParams', params)).toEqual([]);
  });
  type<ElicitRequest>('ElicitRequest', { method: 1, params: 1 }, { method: 'elicitation/create', params: form });
  type<ElicitResult>(
    'ElicitResult',
    { action: 1 },
    {
      action: 'accept',
      content: { text: '', number: 1, yes: false, several: ['a'] },
    },
  );
});

describe('sampling and roots', () => {
  const use: ToolUseContent = { type: 'tool_use', id: 'u', name: 'tell', input: {} };
  const used: ToolResultContent = { type: 'tool_result', toolUseId: 'u', content: [text] };
  type<ToolUseContent>(
    'ToolUseContent',
    { type: 1, id: 1, name: 1, input: 1 },
    {
      type: 'tool_use',
      id: 'u',
      name: 'tell',
      input: { zone: 'UTC' },
      _meta: free,
    },
  );
  type<ToolResultContent>(
    'ToolResultContent',
    { type: 1, toolUseId: 1, content: 1 },
    {
      type: 'tool_result',
      toolUseId: 'u',
      content: [text],
      structuredContent: 12,
      isError: true,
      _meta: free,
    },
  );
  const pieces: SamplingMessageContentBlock[] = [
    text,
    { type: 'image', data: '', mimeType: 'image/png' },
    { type: 'audio', data: '', mimeType: 'audio/wav' },
    use,
    used,
  ];
  test.each(pieces)('SamplingMessageContentBlock may be $type', (piece) => {
    expect(schema.problems('SamplingMessageContentBlock', piece)).toEqual([]);
  });
  type<SamplingMessage>('SamplingMessage', { role: 1, content: 1 }, { role: 'user', content: pieces, _meta: free });
  type<ModelHint>('ModelHint', {}, { name: 'sonnet' });
  type<ModelPreferences>(
    'ModelPreferences',
    {},
    {
      hints: [{ name: 'sonnet' }, {}],
      costPriority: 0,
      speedPriority: 0.5,
      intelligencePriority: 1,
    },
  );
  type<ToolChoice>('ToolChoice', {}, { mode: 'required' });
  type<CreateMessageRequestParams>(
    'CreateMessageRequestParams',
    { messages: 1, maxTokens: 1 },
    {
      messages: [{ role: 'user', content: text }],
      modelPreferences: {},
      systemPrompt: 'Be brief',
      includeContext: 'none',
      temperature: 0.1,
      maxTokens: 1,
      stopSequences: ['.'],
      metadata: { 'com.example/tier': 1 },
      tools: [tool],
      toolChoice: { mode: 'auto' },
    },
  );
  type<CreateMessageRequest>(
    'CreateMessageRequest',
    { method: 1, params: 1 },
    {
      method: 'sampling/createMessage',
      params: { messages: [], maxTokens: 1 },
    },
  );
  type<CreateMessageResult>(
    'CreateMessageResult',
    { role: 1, content: 1, model: 1 },
    {
      role: 'assistant',
      content: [use],
      model: 'm',
      stopReason: 'toolUse',
      _meta: free,
    },
  );
  type<Root>('Root', { uri: 1 }, { uri: 'file:///home', name: 'home', _meta: free });
  type<ListRootsRequest>('ListRootsRequest', { method: 1 }, { method: 'roots/list', params: { _meta: free } });
  type<ListRootsResult>('ListRootsResult', { roots: 1 }, { roots: [{ uri: 'file:///home' }] });
});

describe('[MRTR] input', () => {
  const asked: InputRequest[] = [
    { method: 'elicitation/create', params: { mode: 'url', message: '', url: 'https://example.com/' } },
    { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    { method: 'roots/list' },
  ];
  test.each(asked)('InputRequest may be $method', (request) => {
    expect(schema.problems('InputRequest', request)).toEqual([]);
  });
  const inputRequests: InputRequests = Object.fromEntries(asked.map((request) => [request.method, request]));
  const inputResponses: InputResponses = {
    'elicitation/create': { action: 'cancel' },
    'sampling/createMessage': { role: 'assistant', content: text, model: 'm' },
    'roots/list': { roots: [] },
  };
  test('[RT-07] InputRequests and InputResponses are maps by key, the responses bare', () => {
    expect(schema.problems('InputRequests', inputRequests)).toEqual([]);
    expect(schema.problems('InputResponses', inputResponses)).toEqual([]);
  });
  type<InputRequiredResult>(
    'InputRequiredResult',
    { resultType: 1 },
    {
      _meta: resultMeta,
      resultType: 'input_required',
      inputRequests,
      requestState: '',
    },
  );
  type<InputResponseRequestParams>('InputResponseRequestParams', {}, { _meta: meta, inputResponses, requestState: '' });
});

test('the validator rejects what is wrong', () => {
  expect(schema.problems('Tool', { name: 1, inputSchema: { type: 'array' } })).toEqual([
    'Tool/inputSchema/type: must be equal to constant',
    'Tool/name: must be string',
  ]);
});

import { checks, type ParamsCheck } from './check-params.ts';
import type { Result } from './exchange.ts';
import type { EmptyResult, PaginatedRequestParams } from './messages/base.ts';
import type { CompleteRequestParams, CompleteResult } from './messages/completion.ts';
import type { DiscoverRequestParams, DiscoverResult } from './messages/discover.ts';
import type { ElicitRequestParams, ElicitResult } from './messages/elicitation.ts';
import type { InputRequiredResult } from './messages/input.ts';
import type {
  EmptyRequestParams,
  GetTaskPayloadRequestParams,
  InitializeRequestParams,
  InitializeResult,
  ListTasksResult,
  SetLevelRequestParams,
  SubscribeRequestParams,
  UnsubscribeRequestParams,
} from './messages/legacy.ts';
import type { GetPromptRequestParams, GetPromptResult, ListPromptsResult } from './messages/prompts.ts';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceRequestParams,
  ReadResourceResult,
} from './messages/resources.ts';
import type { ListRootsRequestParams, ListRootsResult } from './messages/roots.ts';
import type { CreateMessageRequestParams, CreateMessageResult } from './messages/sampling.ts';
import {
  type GetSkillRequestParams,
  type GetSkillResult,
  type ListSkillsResult,
  type ReadResourceDirectoryRequestParams,
  type ReadResourceDirectoryResult,
  SKILLS_EXTENSION,
} from './messages/skills.ts';
import type { SubscriptionsListenRequestParams, SubscriptionsListenResult } from './messages/subscriptions.ts';
import {
  type CancelTaskRequestParams,
  type CancelTaskResult,
  type CreateTaskResult,
  type GetTaskRequestParams,
  type GetTaskResult,
  TASKS_EXTENSION,
  type UpdateTaskRequestParams,
  type UpdateTaskResult,
} from './messages/tasks.ts';
import type { CallToolRequestParams, CallToolResult, ListToolsResult } from './messages/tools.ts';
import { revisions as always, legacyRevisions, MODERN, modernRevisions, type Revision } from './revisions.ts';

/** Parameters and final result of every method. What may come instead of the result is in {@link AnswerOf}. */
export interface Methods {
  'server/discover': { params: DiscoverRequestParams; result: DiscoverResult };
  'tools/list': { params: PaginatedRequestParams; result: ListToolsResult };
  'tools/call': { params: CallToolRequestParams; result: CallToolResult };
  'prompts/list': { params: PaginatedRequestParams; result: ListPromptsResult };
  'prompts/get': { params: GetPromptRequestParams; result: GetPromptResult };
  'resources/list': { params: PaginatedRequestParams; result: ListResourcesResult };
  'resources/templates/list': { params: PaginatedRequestParams; result: ListResourceTemplatesResult };
  'resources/read': { params: ReadResourceRequestParams; result: ReadResourceResult };
  'completion/complete': { params: CompleteRequestParams; result: CompleteResult };
  'subscriptions/listen': { params: SubscriptionsListenRequestParams; result: SubscriptionsListenResult };

  'elicitation/create': { params: ElicitRequestParams; result: ElicitResult };
  'sampling/createMessage': { params: CreateMessageRequestParams; result: CreateMessageResult };
  'roots/list': { params: ListRootsRequestParams; result: ListRootsResult };

  'tasks/get': { params: GetTaskRequestParams; result: GetTaskResult };
  'tasks/update': { params: UpdateTaskRequestParams; result: UpdateTaskResult };
  'tasks/cancel': { params: CancelTaskRequestParams; result: CancelTaskResult };

  'skills/list': { params: PaginatedRequestParams; result: ListSkillsResult };
  'skills/get': { params: GetSkillRequestParams; result: GetSkillResult };
  'resources/directory/read': { params: ReadResourceDirectoryRequestParams; result: ReadResourceDirectoryResult };

  initialize: { params: InitializeRequestParams; result: InitializeResult };
  ping: { params: EmptyRequestParams; result: EmptyResult };
  'logging/setLevel': { params: SetLevelRequestParams; result: EmptyResult };
  'resources/subscribe': { params: SubscribeRequestParams; result: EmptyResult };
  'resources/unsubscribe': { params: UnsubscribeRequestParams; result: EmptyResult };
  'tasks/result': { params: GetTaskPayloadRequestParams; result: Result };
  'tasks/list': { params: PaginatedRequestParams; result: ListTasksResult };
}

/** A method that the table knows. */
export type MethodName = keyof Methods;

/** What a method takes. */
export type ParamsOf<M extends MethodName> = Methods[M]['params'];

/** What a method comes to in the end. */
export type ResultOf<M extends MethodName> = Methods[M]['result'];

/** Methods that may answer with questions first (basic/patterns/mrtr). */
export type InputMethodName = 'tools/call' | 'prompts/get' | 'resources/read';

/** What one exchange of a method may answer: its result, questions, or a task. */
export type AnswerOf<M extends MethodName> =
  | ResultOf<M>
  | (M extends InputMethodName ? InputRequiredResult : never)
  | (M extends 'tools/call' ? CreateTaskResult : never);

/** Where a list's items stand in its result. */
export type ListMember = 'tools' | 'prompts' | 'resources' | 'resourceTemplates' | 'skills' | 'tasks';

/** All there is to know of a method besides its types. */
export interface MethodRow {
  readonly kind: 'request';
  readonly method: MethodName;
  /** `input`: asked by a server inside `inputRequests`, and up to 2025-11-25 as a request. `both`: `ping`. */
  readonly direction: 'client-to-server' | 'input' | 'both';
  /** Revisions that have it, newest first. */
  readonly revisions: readonly Revision[];
  /** Whether 2026-07-28 has it as such: a request from client to server, in the core or an extension. */
  readonly modern: boolean;
  /** The parameter that the `Mcp-Name` header repeats (basic/transports/streamable-http, "Standard Request Headers"). */
  readonly nameParam?: 'name' | 'uri' | 'taskId';
  /** Whether the result says how long it may be kept (server/utilities/caching). */
  readonly cacheable: boolean;
  /** Whether it may answer `input_required` and takes `inputResponses` and `requestState`. */
  readonly mayRequireInput: boolean;
  /** Path in the server's capabilities that has to be there; without it the method does not exist. 2024-11-05 knows no `completions`. */
  readonly capability?: readonly string[];
  /** Path in the client's capabilities that has to be there for it to be asked, or to ask it. */
  readonly clientCapability?: readonly string[];
  /** For paged lists: where the items stand in the result. */
  readonly listMember?: ListMember;
  /** The extension that it belongs to in 2026-07-28. */
  readonly extension?: string;
  /** Checks the shape of its parameters; see {@link checkParams}. */
  readonly check?: ParamsCheck;
}

const sinceElicitation = Object.freeze<Revision[]>([MODERN, '2025-11-25', '2025-06-18']);
const tasksExperiment = Object.freeze<Revision[]>(['2025-11-25']);
const tasksOfBoth = Object.freeze<Revision[]>([MODERN, '2025-11-25']);

const tasksCapability = Object.freeze(['extensions', TASKS_EXTENSION]);
const skillsCapability = Object.freeze(['extensions', SKILLS_EXTENSION]);

type Facts = Partial<Omit<MethodRow, 'kind' | 'method' | 'modern' | 'check'>>;

function row(method: MethodName, facts: Facts): [string, MethodRow] {
  const direction = facts.direction ?? 'client-to-server';
  const revisions = facts.revisions ?? always;
  const check = checks.get(method);
  const full: MethodRow = {
    cacheable: false,
    mayRequireInput: false,
    ...facts,
    kind: 'request',
    method,
    direction,
    revisions,
    modern: direction === 'client-to-server' && revisions.includes(MODERN),
    ...(check === undefined ? undefined : { check }),
  };
  return [method, Object.freeze(full)];
}

const tools = Object.freeze(['tools']);
const prompts = Object.freeze(['prompts']);
const resources = Object.freeze(['resources']);

/** The methods of all revisions, by name. What derives from a method's name derives from its row. */
export const methods: ReadonlyMap<string, MethodRow> = new Map([
  row('server/discover', { revisions: modernRevisions, cacheable: true }),
  row('tools/list', { capability: tools, cacheable: true, listMember: 'tools' }),
  row('tools/call', { capability: tools, nameParam: 'name', mayRequireInput: true }),
  row('prompts/list', { capability: prompts, cacheable: true, listMember: 'prompts' }),
  row('prompts/get', { capability: prompts, nameParam: 'name', mayRequireInput: true }),
  row('resources/list', { capability: resources, cacheable: true, listMember: 'resources' }),
  row('resources/templates/list', { capability: resources, cacheable: true, listMember: 'resourceTemplates' }),
  row('resources/read', { capability: resources, nameParam: 'uri', cacheable: true, mayRequireInput: true }),
  row('completion/complete', { capability: Object.freeze(['completions']) }),
  row('subscriptions/listen', { revisions: modernRevisions }),

  row('elicitation/create', {
    direction: 'input',
    revisions: sinceElicitation,
    clientCapability: Object.freeze(['elicitation']),
  }),
  row('sampling/createMessage', { direction: 'input', clientCapability: Object.freeze(['sampling']) }),
  row('roots/list', { direction: 'input', clientCapability: Object.freeze(['roots']) }),

  row('tasks/get', {
    revisions: tasksOfBoth,
    extension: TASKS_EXTENSION,
    capability: tasksCapability,
    clientCapability: tasksCapability,
    nameParam: 'taskId',
  }),
  row('tasks/update', {
    revisions: modernRevisions,
    extension: TASKS_EXTENSION,
    capability: tasksCapability,
    clientCapability: tasksCapability,
    nameParam: 'taskId',
  }),
  row('tasks/cancel', {
    revisions: tasksOfBoth,
    extension: TASKS_EXTENSION,
    capability: tasksCapability,
    clientCapability: tasksCapability,
    nameParam: 'taskId',
  }),

  row('skills/list', {
    revisions: modernRevisions,
    extension: SKILLS_EXTENSION,
    capability: skillsCapability,
    cacheable: true,
    listMember: 'skills',
  }),
  row('skills/get', {
    revisions: modernRevisions,
    extension: SKILLS_EXTENSION,
    capability: skillsCapability,
    cacheable: true,
  }),
  row('resources/directory/read', {
    revisions: modernRevisions,
    extension: SKILLS_EXTENSION,
    capability: Object.freeze(['extensions', SKILLS_EXTENSION, 'directoryRead']),
    cacheable: true,
    listMember: 'resources',
  }),

  row('initialize', { revisions: legacyRevisions }),
  row('ping', { revisions: legacyRevisions, direction: 'both' }),
  row('logging/setLevel', { revisions: legacyRevisions, capability: Object.freeze(['logging']) }),
  row('resources/subscribe', { revisions: legacyRevisions, capability: Object.freeze(['resources', 'subscribe']) }),
  row('resources/unsubscribe', { revisions: legacyRevisions, capability: Object.freeze(['resources', 'subscribe']) }),
  row('tasks/result', { revisions: tasksExperiment, capability: Object.freeze(['tasks']) }),
  row('tasks/list', {
    revisions: tasksExperiment,
    capability: Object.freeze(['tasks', 'list']),
    listMember: 'tasks',
  }),
]);

/** The row of a method; undefined for a name that no revision knows. */
export function methodRow(name: string): MethodRow | undefined {
  return methods.get(name);
}

/**
 * Whether 2026-07-28 has a method as a request from client to server, in its core or in an extension of the table. Not so
 * `ping` and its like, which are gone, nor `elicitation/create` and its like, which now ride inside results.
 */
export function isModernMethod(name: string): name is MethodName {
  return methods.get(name)?.modern === true;
}

/**
 * Checks the shape of a method's parameters, as far as the method itself says: whether a tool exists or its arguments fit
 * is another matter. Null for an optional member counts as absence, and unknown members pass.
 *
 * @returns what is wrong, naming the member and its value, or undefined where all is right or the method is not known.
 */
export function checkParams(method: string, params: unknown): string | undefined {
  return methods.get(method)?.check?.(params);
}

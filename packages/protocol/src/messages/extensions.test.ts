import type * as Official from '@modelcontextprotocol/client';
import {
  GetSkillRequestParamsSchema,
  GetSkillResultSchema,
  ListSkillsResultSchema,
  ReadResourceDirectoryRequestParamsSchema,
  ReadResourceDirectoryResultSchema,
} from '@modelcontextprotocol/core/ext/skills';
import { expect, test } from 'vitest';
import { officialSchema } from '../../test/official-schema.ts';
import type {
  DetailedTask,
  GetSkillRequestParams,
  GetSkillResult,
  InitializeRequest,
  InitializeResult,
  LegacyCreateTaskResult,
  LegacyTask,
  LegacyTaskStatusNotification,
  LegacyTool,
  ListSkillsResult,
  ListTasksResult,
  ReadResourceDirectoryRequestParams,
  ReadResourceDirectoryResult,
  ServerCapabilities,
  Skill,
  Task,
  TaskStatus,
} from './index.ts';

test('the skills are those of the official extension', () => {
  const skill: Skill = {
    uri: 'skill://mend/SKILL.md',
    frontmatter: { name: 'mend', description: 'Mends nets', license: 'MIT' },
    resources: [{ uri: 'skill://mend/SKILL.md', digest: `sha256:${'0'.repeat(64)}`, size: 0 }],
    _meta: {},
  };
  const cached = { resultType: 'complete', ttlMs: 0, cacheScope: 'public' } as const;
  const listed: ListSkillsResult = { ...cached, skills: [skill, { ...skill, resources: 'dynamic' }], nextCursor: '' };
  expect(ListSkillsResultSchema.parse(listed)).toMatchObject({ skills: listed.skills, nextCursor: '' });
  const got: GetSkillResult = { ...cached, skill };
  expect(GetSkillResultSchema.parse(got)).toMatchObject({ skill });
  const wanted: GetSkillRequestParams = { uri: skill.uri };
  expect(GetSkillRequestParamsSchema.parse(wanted)).toEqual(wanted);
  const directory: ReadResourceDirectoryRequestParams = { uri: 'skill://mend/', cursor: '' };
  expect(ReadResourceDirectoryRequestParamsSchema.parse(directory)).toEqual(directory);
  const inside: ReadResourceDirectoryResult = {
    ...cached,
    resources: [{ uri: skill.uri, name: 'SKILL.md' }],
    nextCursor: '',
  };
  expect(ReadResourceDirectoryResultSchema.parse(inside)).toMatchObject({ resources: inside.resources });
});

const task: Task = {
  taskId: 't',
  status: 'working',
  statusMessage: 'on it',
  createdAt: '2026-07-28T00:00:00Z',
  lastUpdatedAt: '2026-07-28T00:00:01Z',
  ttlMs: null,
  pollIntervalMs: 500,
};

test('[TASK-11] a task has the five statuses that it had as an experiment', () => {
  const statuses: { [S in TaskStatus]: 1 } & { [S in Official.TaskStatus]: 1 } = {
    working: 1,
    input_required: 1,
    completed: 1,
    failed: 1,
    cancelled: 1,
  };
  expect(Object.keys(statuses).sort()).toEqual(
    [...(officialSchema('2025-11-25').definitions.TaskStatus?.enum ?? [])].sort(),
  );
});

test('[TASK-10] a task is the one of 2025-11-25 with two members renamed', () => {
  const { ttlMs, pollIntervalMs, ...rest } = task;
  const legacy: LegacyTask = { ...rest, ttl: ttlMs, pollInterval: pollIntervalMs };
  const definition = officialSchema('2025-11-25').definitions.Task;
  expect(Object.keys(legacy).sort()).toEqual(Object.keys(definition?.properties ?? {}).sort());
  expect(officialSchema('2025-11-25').problems('Task', legacy)).toEqual([]);
});

test('[TASK-19] what a status brings along is of the core schema', () => {
  const tasks: DetailedTask[] = [
    { ...task, status: 'working' },
    { ...task, status: 'input_required', inputRequests: { where: { method: 'roots/list' } } },
    { ...task, status: 'completed', result: { content: [], resultType: 'complete' } },
    { ...task, status: 'failed', error: { code: -32603, message: 'Internal error' } },
    { ...task, status: 'cancelled' },
  ];
  const schema = officialSchema('2026-07-28');
  for (const detailed of tasks) {
    if (detailed.status === 'input_required') {
      expect(schema.problems('InputRequests', detailed.inputRequests)).toEqual([]);
    } else if (detailed.status === 'completed') {
      expect(schema.problems('CallToolResult', detailed.result)).toEqual([]);
    } else if (detailed.status === 'failed') {
      expect(schema.problems('Error', detailed.error)).toEqual([]);
    }
  }
});

test('the legacy messages are those of 2025-11-25', () => {
  const { problems } = officialSchema('2025-11-25');
  const frame = { jsonrpc: '2.0', id: 0 };
  const initialize: InitializeRequest = {
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: 'host', version: '1' },
    },
  };
  expect(problems('InitializeRequest', { ...frame, ...initialize })).toEqual([]);
  const capabilities: ServerCapabilities = { tools: { listChanged: true }, completions: {} };
  const initialized: InitializeResult = {
    protocolVersion: '2025-11-25',
    capabilities,
    serverInfo: { name: 'clock', version: '1' },
    instructions: '',
  };
  expect(problems('InitializeResult', initialized)).toEqual([]);
  const tool: LegacyTool = { name: 'tell', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } };
  expect(problems('Tool', tool)).toEqual([]);
  const legacy: LegacyTask = {
    taskId: 't',
    status: 'working',
    createdAt: '',
    lastUpdatedAt: '',
    ttl: 0,
    pollInterval: 1,
  };
  const created: LegacyCreateTaskResult = { task: legacy };
  expect(problems('CreateTaskResult', created)).toEqual([]);
  const listed: ListTasksResult = { tasks: [legacy], nextCursor: '' };
  expect(problems('ListTasksResult', listed)).toEqual([]);
  const status: LegacyTaskStatusNotification = { method: 'notifications/tasks/status', params: legacy };
  expect(problems('TaskStatusNotification', { jsonrpc: '2.0', ...status })).toEqual([]);
});

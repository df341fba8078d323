import { describe, expect, test } from 'vitest';
import { checkParams, methods } from './methods.ts';

const no = Symbol('absent');

/** Parameters that are right, and for each member what is wrong with other values: [path, wrong values, what is expected]. */
interface Case {
  readonly right: { readonly [member: string]: unknown };
  readonly members: readonly (readonly [path: string, wrong: readonly unknown[], expected: string])[];
}

const notStrings = [0, true, null, {}, [], no];
const notOptionalStrings = [0, false, {}, ['x']];
const notOptionalBooleans = ['true', 1, {}, []];
const notObjects = ['x', 0, true, [], null, no];
const notOptionalObjects = ['x', 0, false, []];

const input = [
  ['inputResponses', notOptionalObjects, 'an object'],
  ['requestState', notOptionalStrings, 'a string'],
] as const;

const page: Case = { right: { cursor: '' }, members: [['cursor', notOptionalStrings, 'a string']] };
const task: Case = { right: { taskId: '' }, members: [['taskId', notStrings, 'a string']] };

const cases = new Map<string, Case>([
  ['server/discover', { right: {}, members: [] }],
  ['tools/list', page],
  ['prompts/list', page],
  ['resources/list', page],
  ['resources/templates/list', page],
  ['skills/list', page],
  [
    'tools/call',
    {
      right: { name: '', arguments: { zone: 0 }, inputResponses: {}, requestState: '' },
      members: [['name', notStrings, 'a string'], ['arguments', notOptionalObjects, 'an object'], ...input],
    },
  ],
  [
    'prompts/get',
    {
      right: { name: 'poem', arguments: { topic: '' }, inputResponses: {}, requestState: '' },
      members: [
        ['name', notStrings, 'a string'],
        ['arguments', notOptionalObjects, 'an object of strings'],
        ['arguments["topic"]', [0, true, null, {}, []], 'a string'],
        ...input,
      ],
    },
  ],
  ['resources/read', { right: { uri: 'x:' }, members: [['uri', notStrings, 'a string'], ...input] }],
  [
    'completion/complete',
    {
      right: {
        ref: { type: 'ref/prompt', name: 'poem' },
        argument: { name: 'topic', value: '' },
        context: { arguments: { mood: '' } },
      },
      members: [
        ['ref', notObjects, 'an object'],
        ['ref.type', ['ref/tool', 0, null, no], '"ref/prompt" or "ref/resource"'],
        ['ref.name', notStrings, 'a string'],
        ['argument', notObjects, 'an object'],
        ['argument.name', notStrings, 'a string'],
        ['argument.value', notStrings, 'a string'],
        ['context', notOptionalObjects, 'an object'],
        ['context.arguments', notOptionalObjects, 'an object of strings'],
        ['context.arguments["mood"]', [0, null], 'a string'],
      ],
    },
  ],
  [
    'subscriptions/listen',
    {
      right: {
        notifications: {
          toolsListChanged: true,
          promptsListChanged: false,
          resourcesListChanged: true,
          resourceSubscriptions: ['x:'],
          taskIds: [],
        },
      },
      members: [
        ['notifications', notObjects, 'an object'],
        ['notifications.toolsListChanged', notOptionalBooleans, 'a boolean'],
        ['notifications.promptsListChanged', notOptionalBooleans, 'a boolean'],
        ['notifications.resourcesListChanged', notOptionalBooleans, 'a boolean'],
        ['notifications.resourceSubscriptions', ['x:', {}, 1], 'an array of strings'],
        ['notifications.resourceSubscriptions[0]', [0, null, {}], 'a string'],
        ['notifications.taskIds', ['t', {}, true], 'an array of strings'],
      ],
    },
  ],
  ['tasks/get', task],
  ['tasks/cancel', task],
  [
    'tasks/update',
    {
      right: { taskId: 't', inputResponses: {} },
      members: [
        ['taskId', notStrings, 'a string'],
        ['inputResponses', notObjects, 'an object'],
      ],
    },
  ],
  ['skills/get', { right: { uri: 'skill://mend/SKILL.md' }, members: [['uri', notStrings, 'a string']] }],
  [
    'resources/directory/read',
    {
      right: { uri: 'skill://mend/', cursor: '' },
      members: [
        ['uri', notStrings, 'a string'],
        ['cursor', notOptionalStrings, 'a string'],
      ],
    },
  ],
]);

/** A copy with another value at a path; {@link no} takes the member away. */
function put(params: Case['right'], path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(params);
  const steps = path.split(/[.[\]"]+/).filter((step) => step !== '');
  let at = copy as { [member: string]: unknown };
  for (const step of steps.slice(0, -1)) at = at[step] as { [member: string]: unknown };
  const last = steps.at(-1) ?? '';
  if (value === no) delete at[last];
  else at[last] = value;
  return copy;
}

/** How a message shows a wrong value. */
function shown(value: unknown): string {
  if (value === no) return 'absent';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

test('there is a case for every modern method', () => {
  const modern = [...methods.values()].filter((row) => row.modern).map((row) => row.method);
  expect([...cases.keys()].sort()).toEqual(modern.sort());
});

describe.each([...cases])('parameters of %s', (method, { right, members }) => {
  test('pass where they are right, with members that are not known, and with null for what is optional', () => {
    expect(checkParams(method, right)).toBeUndefined();
    expect(checkParams(method, { ...right, _meta: {}, 'com.example/more': 1 })).toBeUndefined();
    for (const [path, wrong] of members) {
      const optional = !wrong.includes(null);
      if (!optional) continue;
      expect([path, checkParams(method, put(right, path, null))]).toEqual([path, undefined]);
      expect([path, checkParams(method, put(right, path, no))]).toEqual([path, undefined]);
    }
  });

  test('must be an object', () => {
    for (const params of [undefined, null, 'x', 0, true, []]) {
      const value = params === undefined ? no : params;
      expect(checkParams(method, params)).toBe(`params must be an object, not ${shown(value)}`);
    }
  });

  const wrongOnes = members.flatMap(([path, wrong, expected]) => wrong.map((value) => ({ path, value, expected })));
  for (const { path, value, expected } of wrongOnes) {
    test(`fail where ${path} is ${shown(value)}`, () => {
      expect(checkParams(method, put(right, path, value))).toBe(
        `params.${path} must be ${expected}, not ${shown(value)}`,
      );
    });
  }
});

test('a completion for a resource needs a uri', () => {
  const argument = { name: 'path', value: '' };
  expect(checkParams('completion/complete', { ref: { type: 'ref/resource', uri: 'x:{y}' }, argument })).toBeUndefined();
  expect(checkParams('completion/complete', { ref: { type: 'ref/resource', name: 'x' }, argument })).toBe(
    'params.ref.uri must be a string, not absent',
  );
});

test('a long wrong value is cut short, and a large one only named', () => {
  const cursor = checkParams('completion/complete', { ref: { type: 'x'.repeat(1_000_000) }, argument: {} });
  expect(cursor).toBe(`params.ref.type must be "ref/prompt" or "ref/resource", not "${'x'.repeat(80)}"…`);
  expect(checkParams('prompts/get', { name: 'p', arguments: { ['k'.repeat(1000)]: 1 } })).toBe(
    `params.arguments["${'k'.repeat(80)}"…] must be a string, not 1`,
  );
});

test('values that JSON cannot hold are told of like others', () => {
  const endless: { [member: string]: unknown } = {};
  endless.self = endless;
  expect(checkParams('tools/call', { name: endless })).toBe('params.name must be a string, not an object');
  expect(checkParams('tools/call', { name: 1n })).toBe('params.name must be a string, not 1');
  expect(checkParams('tools/call', { name: Symbol('s') })).toBe('params.name must be a string, not Symbol(s)');
  expect(checkParams('tools/call', { name: () => 1 })).toBe('params.name must be a string, not a function');
});

test('an argument called __proto__ is checked like any other', () => {
  const params: unknown = JSON.parse('{"name":"p","arguments":{"__proto__":1}}');
  expect(checkParams('prompts/get', params)).toBe('params.arguments["__proto__"] must be a string, not 1');
});

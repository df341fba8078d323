import { describe, expect, expectTypeOf, test } from 'vitest';
import { methodsIn, officialSchema, type SchemaRevision } from '../test/official-schema.ts';
import { type CallToolResult, SKILLS_EXTENSION, TASKS_EXTENSION } from './messages/index.ts';
import {
  type AnswerOf,
  checkParams,
  type InputMethodName,
  isModernMethod,
  type MethodName,
  methodRow,
  methods,
  type ParamsOf,
  type ResultOf,
} from './methods.ts';
import { MODERN, revisions } from './revisions.ts';

const rows = [...methods.values()];
const modern = officialSchema(MODERN);

describe('the table against the official schemas', () => {
  const byRevision: readonly SchemaRevision[] = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
  test.each(byRevision)('%s has the methods that the table says', (revision) => {
    const schema = officialSchema(revision);
    const official = new Set(
      revision === MODERN
        ? [...methodsIn(schema, 'ClientRequest'), ...methodsIn(schema, 'InputRequest')]
        : [...methodsIn(schema, 'ClientRequest'), ...methodsIn(schema, 'ServerRequest')],
    );
    const ours = rows
      .filter((row) => row.revisions.includes(revision) && (revision !== MODERN || row.extension === undefined))
      .map((row) => row.method);
    expect(ours.sort()).toEqual([...official].sort());
  });

  test('what a server asks inside results is what has the direction `input`', () => {
    const input = rows.filter((row) => row.direction === 'input').map((row) => row.method);
    expect(input.sort()).toEqual(methodsIn(modern, 'InputRequest').sort());
  });

  test('[CACHE] a method is cacheable where its result has ttlMs and cacheScope', () => {
    for (const row of rows) {
      if (!row.modern || row.extension !== undefined) continue;
      const result = modern.definitions[resultNameOf(row.method)];
      const hasTtl = 'ttlMs' in (result?.properties ?? {}) && 'cacheScope' in (result?.properties ?? {});
      expect([row.method, row.cacheable]).toEqual([row.method, hasTtl]);
    }
  });

  test('[MRTR] [C12] a method may require input where its response may be an InputRequiredResult', () => {
    for (const row of rows) {
      if (!row.modern || row.extension !== undefined) continue;
      const response = modern.definitions[`${resultNameOf(row.method)}Response`]?.properties?.result;
      const may = response?.anyOf?.some((part) => part.$ref === '#/$defs/InputRequiredResult') ?? false;
      expect([row.method, row.mayRequireInput]).toEqual([row.method, may]);
    }
    const asTyped: { [M in InputMethodName]: 1 } = { 'tools/call': 1, 'prompts/get': 1, 'resources/read': 1 };
    expect(rows.filter((row) => row.mayRequireInput).map((row) => row.method)).toEqual(Object.keys(asTyped));
  });

  test('[PAGE-01] a list is paged where its parameters have a cursor, and its items stand where the row says', () => {
    for (const row of rows) {
      if (!row.modern || row.extension !== undefined) continue;
      const members = Object.keys(modern.definitions[resultNameOf(row.method)]?.properties ?? {});
      expect([row.method, row.listMember !== undefined]).toEqual([row.method, members.includes('nextCursor')]);
      if (row.listMember !== undefined) expect(members).toContain(row.listMember);
    }
  });

  test('a core capability is one that the schema has', () => {
    for (const row of rows) {
      const [server] = row.capability ?? [];
      const [client] = row.clientCapability ?? [];
      if (!row.revisions.includes(MODERN)) continue;
      if (server !== undefined) expect(modern.definitions.ServerCapabilities?.properties).toHaveProperty(server);
      if (client !== undefined) expect(modern.definitions.ClientCapabilities?.properties).toHaveProperty(client);
    }
  });

  /** `ListTools` of `tools/list` and so on, by the request that has the method. */
  function resultNameOf(method: string): string {
    for (const [name, definition] of Object.entries(modern.definitions)) {
      if (definition.properties?.method?.const === method) return name.replace(/Request$/, 'Result');
    }
    throw new Error(`The schema has no request with the method ${method}`);
  }
});

describe('the table', () => {
  test('[T082] [HDR-02] [HDR-03] [HDR-04] only these parameters are mirrored in Mcp-Name', () => {
    const mirrored = rows.filter((row) => row.nameParam !== undefined).map((row) => [row.method, row.nameParam]);
    expect(mirrored).toEqual([
      ['tools/call', 'name'],
      ['prompts/get', 'name'],
      ['resources/read', 'uri'],
      ['tasks/get', 'taskId'],
      ['tasks/update', 'taskId'],
      ['tasks/cancel', 'taskId'],
    ]);
  });

  test('[TASK-37] [TASK-48] tasks need the extension on both sides; tasks/list and tasks/result are gone', () => {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const row = methodRow(method);
      expect(row).toMatchObject({ extension: TASKS_EXTENSION, modern: true });
      expect(row?.capability).toEqual(['extensions', TASKS_EXTENSION]);
      expect(row?.clientCapability).toEqual(['extensions', TASKS_EXTENSION]);
    }
    expect(isModernMethod('tasks/list')).toBe(false);
    expect(isModernMethod('tasks/result')).toBe(false);
  });

  test('[SKILL-02] reading directories is a setting of the skills extension', () => {
    expect(methodRow('resources/directory/read')?.capability).toEqual([
      'extensions',
      SKILLS_EXTENSION,
      'directoryRead',
    ]);
  });

  test('what 2026-07-28 removed is known and not modern', () => {
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']) {
      expect(methodRow(method)?.revisions).toEqual(revisions.slice(1));
      expect(isModernMethod(method)).toBe(false);
    }
  });

  test('what rides inside results is no method of the modern table', () => {
    for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list']) {
      expect(methodRow(method)?.revisions).toContain(MODERN);
      expect(isModernMethod(method)).toBe(false);
    }
  });

  test('names of what every object has are not methods', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '', 'Tools/list', 'tools/list ']) {
      expect(methodRow(name)).toBeUndefined();
      expect(isModernMethod(name)).toBe(false);
      expect(checkParams(name, null)).toBeUndefined();
    }
  });

  test('rows name themselves, list their revisions newest first, and do not change', () => {
    for (const [name, row] of methods) {
      expect(row.method).toBe(name);
      expect(row.revisions).toEqual(revisions.filter((revision) => row.revisions.includes(revision)));
      expect(Object.isFrozen(row)).toBe(true);
      expect(Object.isFrozen(row.revisions)).toBe(true);
      if (row.capability !== undefined) expect(Object.isFrozen(row.capability)).toBe(true);
    }
  });

  test('every modern method has its parameters checked, and no other', () => {
    for (const row of rows) expect([row.method, row.check !== undefined]).toEqual([row.method, row.modern]);
  });
});

test('types follow the name', () => {
  expectTypeOf<ParamsOf<'resources/read'>['uri']>().toEqualTypeOf<string>();
  expectTypeOf<ResultOf<'tools/call'>>().toEqualTypeOf<CallToolResult>();
  expectTypeOf<AnswerOf<'tools/call'>['resultType']>().toEqualTypeOf<
    'complete' | 'input_required' | 'task' | undefined
  >();
  expectTypeOf<AnswerOf<'prompts/get'>['resultType']>().toEqualTypeOf<'complete' | 'input_required' | undefined>();
  expectTypeOf<AnswerOf<'tools/list'>['resultType']>().toEqualTypeOf<'complete' | undefined>();
  const all: { [M in MethodName]: 1 } = Object.fromEntries(rows.map((row) => [row.method, 1])) as {
    [M in MethodName]: 1;
  };
  expect(Object.keys(all)).toHaveLength(methods.size);
});

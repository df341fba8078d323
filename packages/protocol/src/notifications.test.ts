import { describe, expect, test } from 'vitest';
import { methodsIn, officialSchema, type SchemaRevision } from '../test/official-schema.ts';
import { TASKS_EXTENSION } from './messages/index.ts';
import { isModernNotification, notificationRow, notifications } from './notifications.ts';
import { MODERN, revisions } from './revisions.ts';

const rows = [...notifications.values()];

describe('the notification table against the official schemas', () => {
  const byRevision: readonly SchemaRevision[] = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
  test.each(byRevision)('%s has the notifications that the table says, in the same direction', (revision) => {
    const schema = officialSchema(revision);
    const fromClient = new Set(methodsIn(schema, 'ClientNotification'));
    const fromServer = new Set(methodsIn(schema, 'ServerNotification'));
    const ours = rows.filter((row) => row.revisions.includes(revision) && (revision !== MODERN || !row.extension));
    expect(ours.map((row) => row.method).sort()).toEqual([...new Set([...fromClient, ...fromServer])].sort());
    for (const row of ours) {
      const direction = fromClient.has(row.method)
        ? fromServer.has(row.method)
          ? 'both'
          : 'client-to-server'
        : 'server-to-client';
      /* Progress went both ways as long as servers sent requests. */
      const ourDirection = row.method === 'notifications/progress' && revision !== MODERN ? 'both' : row.direction;
      expect([row.method, ourDirection]).toEqual([row.method, direction]);
    }
  });

  test('[SUBS] each member of a listen filter asks for one notification', () => {
    const filters = rows.flatMap((row) => (row.filter === undefined ? [] : [row.filter]));
    const members = Object.keys(officialSchema(MODERN).definitions.SubscriptionFilter?.properties ?? {});
    expect(filters.sort()).toEqual([...members, 'taskIds'].sort());
    for (const row of rows) if (row.filter !== undefined) expect(row.scope).toBe('subscription');
  });
});

describe('the notification table', () => {
  test('[TASK-35] tasks are asked for by id', () => {
    expect(notificationRow('notifications/tasks')).toMatchObject({
      extension: TASKS_EXTENSION,
      filter: 'taskIds',
      filterParam: 'taskId',
      modern: true,
    });
  });

  test('what 2026-07-28 removed is known and not modern', () => {
    for (const method of [
      'notifications/initialized',
      'notifications/roots/list_changed',
      'notifications/elicitation/complete',
      'notifications/tasks/status',
    ]) {
      expect(notificationRow(method)).toBeDefined();
      expect(isModernNotification(method)).toBe(false);
    }
  });

  test('names of what every object has are not notifications', () => {
    for (const name of ['constructor', '__proto__', '', 'notifications/']) {
      expect(notificationRow(name)).toBeUndefined();
      expect(isModernNotification(name)).toBe(false);
    }
  });

  test('rows name themselves, list their revisions newest first, and do not change', () => {
    for (const [name, row] of notifications) {
      expect(row.method).toBe(name);
      expect(row.revisions).toEqual(revisions.filter((revision) => row.revisions.includes(revision)));
      expect(Object.isFrozen(row)).toBe(true);
    }
  });
});

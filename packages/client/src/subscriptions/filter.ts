import type { JsonObject, SubscriptionFilter } from '@dragoman/protocol';

const kinds = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;
const lists = ['resourceSubscriptions', 'taskIds'] as const;

/**
 * Reads what a server acknowledged of what it was asked. Null is absence, and so is `false`; what is of the wrong kind was
 * not acknowledged, and what was not asked for cannot be (basic/patterns/subscriptions, "Acknowledgment").
 */
export function readFilter(value: unknown, asked: SubscriptionFilter): SubscriptionFilter {
  const read: SubscriptionFilter = {};
  if (typeof value !== 'object' || value === null) return read;
  const members = value as JsonObject;
  for (const kind of kinds) if (asked[kind] === true && members[kind] === true) read[kind] = true;
  for (const list of lists) {
    const given: unknown = members[list];
    if (!Array.isArray(given)) continue;
    const acknowledged = new Set<unknown>(given);
    const items = (asked[list] ?? []).filter((item) => acknowledged.has(item));
    if (items.length > 0) read[list] = items;
  }
  return read;
}

/** What was asked for and not acknowledged (basic/patterns/subscriptions, "Acknowledgment"). */
export function missingFrom(asked: SubscriptionFilter, honored: SubscriptionFilter): SubscriptionFilter {
  const missing: SubscriptionFilter = {};
  for (const kind of kinds) if (asked[kind] === true && honored[kind] !== true) missing[kind] = true;
  for (const list of lists) {
    const given = new Set(honored[list]);
    const items = (asked[list] ?? []).filter((item) => !given.has(item));
    if (items.length > 0) missing[list] = items;
  }
  return missing;
}

/** A filter in words, for messages; empty where it asks for nothing. */
export function describeFilter(filter: SubscriptionFilter): string {
  return [
    ...kinds.filter((kind) => filter[kind] === true),
    ...lists.filter((list) => (filter[list] ?? []).length > 0).map((list) => `${list} ${filter[list]?.join(', ')}`),
  ].join('; ');
}

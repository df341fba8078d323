import type { Notification, SubscriptionFilter } from '@dragoman/protocol';

/** Something changed on the server. Says what, never how: ask for it again. */
export type SubscriptionEvent =
  /** A list changed. */
  | {
      readonly kind: 'tools' | 'prompts' | 'resources';
      /** It may have changed while nobody listened; nothing of such a time is sent again. */
      readonly gap: boolean;
    }
  /** A resource changed: one that was asked for, or a part of it. */
  | { readonly kind: 'resource'; readonly uri: string; readonly gap: boolean }
  /** A notification of an extension, such as `notifications/tasks`, as it came. */
  | { readonly kind: 'other'; readonly notification: Notification; readonly gap: false };

/** The event of a notification; undefined where it has none, or lacks what it is about. */
export function eventOf(notification: Notification): SubscriptionEvent | undefined {
  switch (notification.method) {
    case 'notifications/tools/list_changed':
      return { kind: 'tools', gap: false };
    case 'notifications/prompts/list_changed':
      return { kind: 'prompts', gap: false };
    case 'notifications/resources/list_changed':
      return { kind: 'resources', gap: false };
    case 'notifications/resources/updated': {
      const uri = notification.params?.uri;
      return typeof uri === 'string' ? { kind: 'resource', uri, gap: false } : undefined;
    }
    default:
      return { kind: 'other', notification, gap: false };
  }
}

/** What may have changed while nobody listened: everything that would have been told. */
export function gapEvents(honored: SubscriptionFilter): SubscriptionEvent[] {
  const events: SubscriptionEvent[] = [];
  if (honored.toolsListChanged === true) events.push({ kind: 'tools', gap: true });
  if (honored.promptsListChanged === true) events.push({ kind: 'prompts', gap: true });
  if (honored.resourcesListChanged === true) events.push({ kind: 'resources', gap: true });
  for (const uri of honored.resourceSubscriptions ?? []) events.push({ kind: 'resource', uri, gap: true });
  return events;
}

/** What two events have to share to be one; undefined for those that stand alone. */
export function keyOf(event: SubscriptionEvent): string | undefined {
  if (event.kind === 'other') return undefined;
  return event.kind === 'resource' ? `resource ${event.uri}` : event.kind;
}

/** What an event weighs in memory, in bytes, roughly. The same for the same event. */
export function weightOf(event: SubscriptionEvent): number {
  if (event.kind === 'resource') return 2 * event.uri.length;
  return event.kind === 'other' ? weigh(event.notification) : 0;
}

/** The text and the members of a value that came as JSON. By a list and not by recursion: it may be nested without end. */
function weigh(value: unknown): number {
  const rest: unknown[] = [value];
  let weight = 0;
  for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
    weight += typeof at === 'string' ? 2 * at.length : 16;
    if (typeof at !== 'object' || at === null) continue;
    for (const [name, member] of Object.entries(at)) {
      weight += 2 * name.length;
      if (member !== undefined) rest.push(member);
    }
  }
  return weight;
}

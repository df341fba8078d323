import type { Notification } from '@dragoman/protocol';

/**
 * What a notification tells of. Of several that wait for a peer to read and have the same key, the last says it all:
 * progress by its token, a changed list by its method, a changed resource by its URI. Others stand for themselves.
 */
export function coalescingKey(notification: Notification): unknown {
  switch (notification.method) {
    case 'notifications/progress':
      return `progress ${typeof notification.params?.progressToken} ${String(notification.params?.progressToken)}`;
    case 'notifications/resources/updated':
      return `resource ${String(notification.params?.uri)}`;
    case 'notifications/tools/list_changed':
    case 'notifications/prompts/list_changed':
    case 'notifications/resources/list_changed':
      return notification.method;
    default:
      return notification;
  }
}

/** Notifications that wait for a slow peer, at most `max` and one per {@link coalescingKey}. */
export class WaitingNotifications {
  readonly #max: number;
  readonly #waiting = new Map<unknown, Notification>();
  #dropped = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many found no room. */
  get dropped(): number {
    return this.#dropped;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(notification: Notification): void {
    const key = coalescingKey(notification);
    if (this.#waiting.size >= this.#max && !this.#waiting.has(key)) this.#dropped++;
    else this.#waiting.set(key, notification);
  }

  /** Takes them out, in the order in which what they tell of came up first. */
  take(): Notification[] {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    return all;
  }
}

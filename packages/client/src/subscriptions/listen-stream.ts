import { DragomanError, type Exchange, type Notification, type SubscriptionFilter } from '@dragoman/protocol';
import type { Clock } from '../clock.ts';
import type { ClientIO } from '../io.ts';
import { readFilter } from './filter.ts';

/** How a listen stream ended: by the server in good order, or otherwise and why. */
export type StreamEnd = { readonly graceful: true } | { readonly graceful: false; readonly reason: unknown };

/** What a stream is opened with. */
export interface ListenStreamSettings {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly target: string;
  /** Longest wait for the acknowledgement, in milliseconds. The stream itself has no deadline (basic/patterns/subscriptions). */
  readonly ackTimeout: number;
  /** Every notification but the acknowledgement. */
  readonly onNotification: (notification: Notification) => void;
  /** A notification came before the acknowledgement, which no server may do. */
  readonly onEarly: () => void;
}

/** One `subscriptions/listen` request, from its acknowledgement to its end. */
export class ListenStream {
  /** What the server will send. Rejects where the stream ends before that is known. */
  readonly acknowledged: Promise<SubscriptionFilter>;
  /** Never rejects. */
  readonly ended: Promise<StreamEnd>;
  readonly #controller = new AbortController();

  constructor(filter: SubscriptionFilter, settings: ListenStreamSettings) {
    const { clock, ackTimeout, target } = settings;
    let acknowledge: (honored: SubscriptionFilter) => void = () => {};
    let refuse: (reason: unknown) => void = () => {};
    this.acknowledged = new Promise((resolve, reject) => {
      acknowledge = resolve;
      refuse = reject;
    });
    const timer =
      ackTimeout === Number.POSITIVE_INFINITY
        ? undefined
        : clock.setTimeout(() => this.#expire(target, ackTimeout), ackTimeout);
    let early = false;
    let open = false;
    const notify = (notification: Notification): void => {
      if (notification.method === 'notifications/subscriptions/acknowledged') {
        open = true;
        clock.clearTimeout(timer);
        acknowledge(readFilter(notification.params?.notifications, filter));
        return;
      }
      if (!open && !early) {
        early = true;
        settings.onEarly();
      }
      settings.onNotification(notification);
    };
    const io: ClientIO = {
      signal: this.#controller.signal,
      notify,
      options: { timeout: Number.POSITIVE_INFINITY, cache: 'bypass' },
    };
    const request = { method: 'subscriptions/listen', params: { notifications: filter } };
    this.ended = settings.exchange(request, io).then(
      (): StreamEnd => {
        clock.clearTimeout(timer);
        refuse(new DragomanError('PROTOCOL_VIOLATION', `${target} ended a subscription without acknowledging it`));
        return { graceful: true };
      },
      (reason: unknown): StreamEnd => {
        clock.clearTimeout(timer);
        refuse(reason);
        return { graceful: false, reason };
      },
    );
    // Whoever opened the stream waits for it; nobody has to.
    this.acknowledged.catch(() => {});
  }

  /** Cancels the request; the wire tells the server. */
  close(error: DragomanError): void {
    this.#controller.abort(error);
  }

  #expire(target: string, milliseconds: number): void {
    this.#controller.abort(
      new DragomanError(
        'TIMEOUT',
        `${target} did not acknowledge a subscription within ${milliseconds} ms; allow more with "ackTimeout"`,
        {
          details: { method: 'subscriptions/listen', option: 'ackTimeout', milliseconds },
        },
      ),
    );
  }
}

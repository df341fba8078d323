import {
  type AuthInfo,
  DragomanError,
  type ExchangeIO,
  idText,
  type JsonRpcRequest,
  type Notification,
  type RequestId,
  serializeNotification,
  serializeSubscribed,
} from '@dragoman/protocol';
import { delayOf } from '../limits.ts';
import { LISTEN } from './answers.ts';
import { WaitingNotifications } from './coalescing.ts';
import type { StreamConnection } from './stream-connection.ts';

/** A request that is being answered on a byte stream, and the surroundings of its exchange. */
export class StreamCall implements ExchangeIO {
  readonly auth: AuthInfo | undefined;
  readonly id: RequestId;
  readonly isListening: boolean;
  readonly #connection: StreamConnection;
  #controller: AbortController | undefined = undefined;
  #over = false;
  #unwritable = 0;
  #waiting: WaitingNotifications | undefined = undefined;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(connection: StreamConnection, request: JsonRpcRequest) {
    this.#connection = connection;
    this.auth = connection.auth;
    this.id = request.id;
    this.isListening = request.method === LISTEN;
  }

  /** Whether nothing more may be sent: it was answered, cancelled, or the peer is gone. */
  get isOver(): boolean {
    return this.#over;
  }

  /** Made when somebody asks for it: most calls are answered before anyone does. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#over) this.#controller.abort(new DragomanError('ABORTED', 'The request is over'));
    }
    return this.#controller.signal;
  }

  notify(notification: Notification): void {
    if (this.#over) return;
    const connection = this.#connection;
    if (connection.isBackedUp(this.isListening)) {
      this.#waiting ??= new WaitingNotifications(connection.limits.maxWaitingNotifications);
      this.#waiting.add(notification);
      connection.waits(this);
    } else {
      connection.send(this.#line(notification));
    }
  }

  /** Sends what waited for the peer to read on. */
  flush(): void {
    if (this.#over || this.#waiting === undefined) return;
    for (const notification of this.#waiting.take()) {
      try {
        this.#connection.send(this.#line(notification));
      } catch {
        // Whoever handed it over has gone on: what cannot be written as JSON cannot be reported to them any more.
        this.#unwritable++;
      }
    }
  }

  /** Limits the time to an answer. */
  expireAfter(milliseconds: number, expired: () => void): void {
    this.#timer = setTimeout(expired, delayOf(milliseconds));
  }

  /** From here on nothing is sent for it. Returns how many notifications found no room. */
  finish(): number {
    this.#over = true;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    return (this.#waiting?.dropped ?? 0) + this.#unwritable;
  }

  /** Tells the exchange that nobody waits any more. */
  abort(reason: DragomanError): void {
    if (this.#controller === undefined) this.#controller = new AbortController();
    this.#controller.abort(reason);
  }

  #line(notification: Notification): string {
    return this.isListening ? serializeSubscribed(notification, idText(this.id)) : serializeNotification(notification);
  }
}

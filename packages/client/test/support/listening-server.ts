import {
  DragomanError,
  type ExchangeIO,
  type Notification,
  type Result,
  type SubscriptionFilter,
} from '@dragoman/protocol';
import {
  Client,
  type ClientOptions,
  type ListenOptions,
  type Subscription,
  type SubscriptionEvent,
  type Warning,
  type Wire,
} from '../../src/index.ts';
import { ManualClock } from './manual-clock.ts';
import { ScriptedWire, text } from './scripted-wire.ts';

/** The server's end of one listen request. */
export class Stream {
  readonly filter: SubscriptionFilter;
  readonly io: ExchangeIO;
  end: (result?: Result) => void = () => {};
  fail: (reason: unknown) => void = () => {};

  constructor(filter: SubscriptionFilter, io: ExchangeIO) {
    this.filter = filter;
    this.io = io;
  }

  acknowledge(notifications: unknown = this.filter): void {
    this.notify('subscriptions/acknowledged', { notifications });
  }

  notify(name: string, params?: { [member: string]: unknown }): void {
    this.io.notify({
      method: `notifications/${name}`,
      ...(params === undefined ? undefined : { params }),
    } as Notification);
  }

  drop(): void {
    this.fail(new DragomanError('CONNECTION_CLOSED', 'the stream broke off'));
  }
}

/** Only changes of the tools. */
export const tools: SubscriptionFilter = { toolsListChanged: true };

/** A client of a server whose listen streams are in the test's hands. */
export function setUp({ kind = 'http', ...options }: ClientOptions & { kind?: Wire['kind'] } = {}) {
  const clock = new ManualClock();
  const warnings: Warning[] = [];
  const streams: Stream[] = [];
  /** What becomes of the next listen requests; acknowledged at once where nothing is said. */
  const script: ((stream: Stream) => void)[] = [];
  let listed = 0;
  const wire = new ScriptedWire(({ method, params }, io) => {
    if (method !== 'subscriptions/listen') {
      listed++;
      return {
        ...text('ok'),
        tools: [],
        prompts: [],
        resources: [],
        resourceTemplates: [],
        contents: [],
        n: listed,
        ttlMs: 1e9,
        cacheScope: 'public',
      };
    }
    const stream = new Stream(params.notifications as SubscriptionFilter, io);
    streams.push(stream);
    return new Promise((resolve, reject) => {
      stream.end = (result = { resultType: 'complete' }) => resolve(result);
      stream.fail = reject;
      io.signal.addEventListener('abort', () => reject(io.signal.reason));
      (script.shift() ?? ((opened) => opened.acknowledge()))(stream);
    });
  }, kind);
  const client = new Client(wire, {
    era: 'modern',
    clock,
    random: () => 1,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  const events: SubscriptionEvent[] = [];
  const listen = (filter: SubscriptionFilter = tools, more?: ListenOptions): Promise<Subscription> =>
    client.listen(filter, { onEvent: (event) => events.push(event), ...more });
  const last = (): Stream => streams.at(-1) as Stream;
  return { clock, warnings, streams, script, wire, client, listen, events, last };
}

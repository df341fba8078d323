import type { Notification } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { messagesOf } from '../wires/testing/request.ts';
import { type EventSink, EventStream } from './event-stream.ts';
import { type HttpLimits, httpLimits } from './limits.ts';

class Sink implements EventSink {
  readonly writes: string[] = [];
  cuts = 0;
  write(text: string): void {
    this.writes.push(text);
  }
  cut(): void {
    this.cuts++;
  }
}

function make(limits: Partial<HttpLimits> = {}, subscription?: string): { sink: Sink; stream: EventStream } {
  const sink = new Sink();
  return { sink, stream: new EventStream(sink, { ...httpLimits, ...limits }, subscription) };
}

const progress = (value: number, progressToken: string | number = 't'): Notification => ({
  method: 'notifications/progress',
  params: { progressToken, progress: value },
});
const log = (data: unknown): Notification => ({ method: 'notifications/message', params: { level: 'info', data } });
const changed: Notification = { method: 'notifications/tools/list_changed', params: {} };
const updated = (uri: string): Notification => ({ method: 'notifications/resources/updated', params: { uri } });

test('the first event leaves at once; what comes while it is under way leaves together', () => {
  const { sink, stream } = make();
  stream.notify(progress(1));
  stream.notify(progress(2));
  stream.notify(progress(3));
  expect(sink.writes).toHaveLength(1);
  stream.drained();
  expect(sink.writes).toHaveLength(2);
  expect(messagesOf(sink.writes.join('')).map((m) => m.params.progress)).toEqual([1, 2, 3]);
  stream.drained();
  expect(sink.writes).toHaveLength(2);
});

test('beyond the limit progress is joined to the newest of each token, and logs wait in order', () => {
  const { sink, stream } = make({ maxBufferedLength: 0 });
  stream.notify(progress(1));
  stream.notify(progress(2));
  stream.notify(log('a'));
  for (let value = 3; value <= 1_000; value++) stream.notify(progress(value));
  stream.notify(progress(7, 0));
  stream.notify(log('b'));
  stream.drained();
  expect(messagesOf(sink.writes[1] as string).map((m) => m.params.progress ?? m.params.data)).toEqual([
    2,
    'a',
    1_000,
    7,
    'b',
  ]);
  expect(stream.dropped).toBe(0);
});

test('a result waits for no room: it comes last, behind all that waited', () => {
  const { stream } = make({ maxBufferedLength: 0 });
  stream.notify(progress(1));
  stream.notify(progress(2));
  stream.notify(progress(3));
  const rest = messagesOf(stream.finish('{"result":1}'));
  expect(rest.map((m) => m.params?.progress ?? m.result)).toEqual([2, 3, 1]);
});

test('what finds no room at all is dropped and counted', () => {
  const { stream } = make({ maxBufferedLength: 0, maxWaitingNotifications: 2 });
  stream.notify(progress(1));
  stream.notify(progress(2));
  for (let i = 0; i < 5; i++) stream.notify(log(i));
  expect(stream.dropped).toBe(3);
});

test('on a listen stream changes that wait are joined by what they tell of, and tagged', () => {
  const { sink, stream } = make({}, '0');
  stream.notify({ method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } });
  for (let i = 0; i < 100; i++) {
    stream.notify(changed);
    stream.notify(updated('x:1'));
    stream.notify(updated('x:2'));
  }
  stream.drained();
  const messages = messagesOf(sink.writes.join(''));
  expect(messages.map((m) => m.params.uri ?? m.method)).toEqual([
    'notifications/subscriptions/acknowledged',
    'notifications/tools/list_changed',
    'x:1',
    'x:2',
  ]);
  expect(messages.every((m) => m.params._meta['io.modelcontextprotocol/subscriptionId'] === 0)).toBe(true);
  stream.drained();
  stream.notify(changed);
  expect(sink.writes).toHaveLength(3);
});

test('[S06] a quiet stream is kept alive with a comment, one that is being written to is left alone', () => {
  const { sink, stream } = make();
  stream.beat();
  expect(sink.writes).toEqual([':\n\n']);
  stream.beat();
  expect(sink.writes).toHaveLength(1);
});

test('a reader that takes nothing for stallTimeout is cut off', () => {
  const { sink, stream } = make({ keepAliveInterval: 10, stallTimeout: 30 });
  stream.notify(progress(1));
  stream.beat();
  stream.beat();
  stream.drained();
  stream.notify(progress(2));
  stream.beat();
  stream.beat();
  expect(sink.cuts).toBe(0);
  stream.beat();
  expect(sink.cuts).toBe(1);
});

test('what cannot be written as JSON costs itself alone once nobody waits for it', () => {
  const { sink, stream } = make({ maxBufferedLength: 0 });
  stream.notify(progress(1));
  stream.notify(progress(2));
  stream.notify(log(1n));
  stream.notify(log('fine'));
  stream.drained();
  expect(messagesOf(sink.writes[1] as string).map((m) => m.params.progress ?? m.params.data)).toEqual([2, 'fine']);
  expect(stream.dropped).toBe(1);
});
